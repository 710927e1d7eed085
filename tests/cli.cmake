# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_cli LINKS foresight_profile foresight_store SOURCES cli_runner.cpp LABELS cli TIMEOUT 600)
foresight_test(tst_cli_search LINKS foresight_profile foresight_search foresight_store SOURCES cli_runner.cpp
  LABELS cli TIMEOUT 600)
add_dependencies(tst_cli foresight-cli)
add_dependencies(tst_cli_search foresight-cli)
