# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_main_window WIDGETS LINKS foresight_app TIMEOUT 300)
foresight_test(tst_search_controls WIDGETS LINKS foresight_app TIMEOUT 300)
foresight_test(tst_heartbeat WIDGETS LINKS foresight_app)
foresight_test(tst_window_program WIDGETS LINKS foresight_search foresight_store TIMEOUT 300)
if(TARGET tst_window_program)
  add_dependencies(tst_window_program foresight)
endif()
foresight_test(tst_translations WIDGETS LINKS foresight_app)

# What `cmake --install` makes runs where it is put. Everything must have been built.
if(NOT FORESIGHT_SANITIZE AND NOT FORESIGHT_ONLY)
  add_test(NAME install_check COMMAND ${CMAKE_COMMAND} "-DBUILD=${CMAKE_BINARY_DIR}" "-DSTAGE=${CMAKE_BINARY_DIR}/stage"
    -P "${CMAKE_CURRENT_SOURCE_DIR}/install_check.cmake")
  set_tests_properties(install_check PROPERTIES TIMEOUT 240)
endif()
