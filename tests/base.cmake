# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_base LINKS foresight_base LABELS core)
foresight_test(tst_subprocess LINKS foresight_base LABELS core)
foresight_test(tst_layering LINKS foresight_base LABELS core)
if(FORESIGHT_SANITIZE MATCHES "thread")
  foresight_test(tst_planted_race LINKS foresight_base LABELS core)
endif()
