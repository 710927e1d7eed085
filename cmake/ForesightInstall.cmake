# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: programs in bin, their own libraries in lib/foresight, data in share/foresight, and what a desktop
# needs to know of the window. The tree can be moved as a whole: everything is found relative to the programs.
include(GNUInstallDirs)

set(FORESIGHT_PRIVATE_LIBRARIES lib/foresight)
set(programs foresight-worker foresight-cli foresight)
foreach(program ${programs})
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/../${FORESIGHT_PRIVATE_LIBRARIES}")
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
foreach(library foresight_measure foresight-probe foresight-guard)
  if(TARGET ${library})
    set_target_properties(${library} PROPERTIES INSTALL_RPATH "$ORIGIN")
    install(TARGETS ${library} LIBRARY DESTINATION ${FORESIGHT_PRIVATE_LIBRARIES})
  endif()
endforeach()

set(FORESIGHT_SHARE ${CMAKE_INSTALL_DATAROOTDIR}/foresight)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/kernels" "${PROJECT_SOURCE_DIR}/resources/python"
  "${PROJECT_SOURCE_DIR}/resources/help" DESTINATION ${FORESIGHT_SHARE}/resources PATTERN "__pycache__" EXCLUDE)
if(NOT FORESIGHT_AGENT_ONLY)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/profiles" DESTINATION ${FORESIGHT_SHARE})
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/LICENSES" DESTINATION ${FORESIGHT_SHARE})

if(TARGET foresight)
  set(FORESIGHT_DESKTOP_ID org.foresight.Foresight)
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/${FORESIGHT_DESKTOP_ID}.desktop"
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/applications)
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/${FORESIGHT_DESKTOP_ID}.metainfo.xml"
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/metainfo)
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/${FORESIGHT_DESKTOP_ID}.mime.xml"
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/mime/packages RENAME ${FORESIGHT_DESKTOP_ID}.xml)
  install(FILES "${PROJECT_SOURCE_DIR}/resources/icons/foresight.svg"
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/icons/hicolor/scalable/apps RENAME ${FORESIGHT_DESKTOP_ID}.svg)
endif()
