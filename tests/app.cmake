# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_main_window WIDGETS LINKS foresight_app TIMEOUT 300)
foresight_test(tst_search_controls WIDGETS LINKS foresight_app TIMEOUT 300)
foresight_test(tst_translations WIDGETS LINKS foresight_app)
