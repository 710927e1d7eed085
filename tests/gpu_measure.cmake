# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_protocol LINKS foresight_gpu_wire nlohmann_json::nlohmann_json)
foresight_test(tst_quad_stats LINKS foresight_gpu_wire)
if(TARGET foresight-worker)
  foresight_test(tst_worker LINKS foresight_gpu_wire foresight_base nlohmann_json::nlohmann_json)
  add_dependencies(tst_worker foresight-worker)
endif()
