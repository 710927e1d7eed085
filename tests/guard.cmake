# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_verdict LINKS foresight_guard)
