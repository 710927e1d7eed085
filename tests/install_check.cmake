# SPDX-License-Identifier: Apache-2.0
# Installs into a folder of its own and runs what was installed: programs start, and they use the installed data.
#   cmake -DBUILD=... -DSTAGE=... -P install_check.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${status}\n${out}\n${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${STAGE}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${STAGE}/usr" --strip)
# Moved, so that nothing can depend on where it was installed.
file(RENAME "${STAGE}/usr" "${STAGE}/moved")
set(prefix "${STAGE}/moved")
set(clean "${CMAKE_COMMAND}" -E env --unset=FORESIGHT_DATA "XDG_DATA_HOME=${STAGE}/home" "XDG_CONFIG_HOME=${STAGE}/home"
  "XDG_CACHE_HOME=${STAGE}/home" "HOME=${STAGE}/home" QT_QPA_PLATFORM=offscreen)

run(${clean} "${prefix}/bin/foresight-cli" doctor --no-measuring --json)
string(JSON checks GET "${out}" checks)
string(JSON count LENGTH "${checks}")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON id GET "${checks}" ${i} id)
  string(JSON state_${id} GET "${checks}" ${i} state)
  string(JSON detail_${id} GET "${checks}" ${i} detail)
endforeach()
if(NOT state_data STREQUAL "ok" OR NOT detail_data MATCHES "${STAGE}/moved")
  message(FATAL_ERROR "the installed data are not used: ${state_data}, ${detail_data}")
endif()
if(EXISTS "${BUILD}/lib/libforesight-probe.so" AND NOT detail_probe MATCHES "${STAGE}/moved")
  message(FATAL_ERROR "the installed probe is not found: ${detail_probe}")
endif()
run(${clean} "${prefix}/bin/foresight-cli" operators "${prefix}/share/foresight/profiles/sessions/qwen_prefill_bf16.fsight"
  --limit 1)
if(EXISTS "${prefix}/bin/foresight-worker")
  run(${clean} "${prefix}/bin/foresight-worker" --version)
endif()
if(EXISTS "${prefix}/bin/foresight")
  run(${clean} "${prefix}/bin/foresight" "${prefix}/share/foresight/profiles/sessions/qwen_prefill_bf16.fsight"
    --search-top --measurements 10 --report "${STAGE}/report" --language de)
  foreach(file "${STAGE}/report/report.html" "${prefix}/share/applications/org.foresight.Foresight.desktop"
      "${prefix}/share/metainfo/org.foresight.Foresight.metainfo.xml"
      "${prefix}/share/icons/hicolor/scalable/apps/org.foresight.Foresight.svg")
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "${file} is missing")
    endif()
  endforeach()
  file(READ "${STAGE}/report/report.html" html)
  if(NOT html MATCHES "Bericht")
    message(FATAL_ERROR "the installed window speaks no German")
  endif()
endif()
file(REMOVE_RECURSE "${STAGE}")
