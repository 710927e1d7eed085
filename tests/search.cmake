# SPDX-License-Identifier: Apache-2.0
foreach(unit tree selection policy engine engine_controls evaluate resume runner)
  foresight_test(tst_${unit} LINKS foresight_search)
endforeach()
