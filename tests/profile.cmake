# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_attribution LINKS foresight_profile LABELS core)
foresight_test(tst_floors LINKS foresight_profile LABELS core)
foresight_test(tst_profile_store LINKS foresight_profile LABELS core)
foresight_test(tst_hook LINKS foresight_profile LABELS core)
foresight_test(tst_shipped_sessions LINKS foresight_profile ZLIB::ZLIB LABELS core)
# Records profiles on machines where the program itself is not installed (tests/gpu/record_sessions.sh).
add_executable(record_profile targets/record_profile.cpp)
target_link_libraries(record_profile PRIVATE foresight_flags foresight_profile)
