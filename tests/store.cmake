# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_session LINKS foresight_store SQLite::SQLite3 LABELS core)
foresight_test(tst_session_damage LINKS foresight_store SQLite::SQLite3 LABELS core)
