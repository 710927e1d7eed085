# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_bins LINKS foresight_forecast foresight_base LABELS core)
foresight_test(tst_gp LINKS foresight_forecast foresight_gpu LABELS core)
foresight_test(tst_metrics LINKS foresight_forecast foresight_base LABELS core)
