# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_recorded_space LINKS foresight_gpu LABELS core)
foresight_test(tst_space_statistics LINKS foresight_gpu LABELS core)
foresight_test(tst_recorded_gpu LINKS foresight_gpu LABELS core)
