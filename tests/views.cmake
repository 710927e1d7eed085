# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_operators_view WIDGETS LINKS foresight_views)
foresight_test(tst_search_views WIDGETS LINKS foresight_views)
foresight_test(tst_guard_view WIDGETS LINKS foresight_views)
