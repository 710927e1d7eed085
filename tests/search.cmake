# SPDX-License-Identifier: Apache-2.0
foreach(unit tree selection policy engine evaluate resume runner)
  foresight_test(tst_${unit} LINKS foresight_search)
endforeach()
