# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_expression LINKS foresight_kernels)
foresight_test(tst_plan LINKS foresight_kernels nlohmann_json::nlohmann_json)
foresight_test(tst_config_space LINKS foresight_kernels)
foresight_test(tst_family LINKS foresight_kernels nlohmann_json::nlohmann_json)
foresight_test(tst_reference LINKS foresight_kernels)
foresight_test(tst_kernels_compile LINKS foresight_kernels ${CMAKE_DL_LIBS} TIMEOUT 900)
foresight_test(tst_row_families LINKS foresight_kernels)
foresight_test(tst_families_layers LINKS foresight_kernels)
