# SPDX-License-Identifier: Apache-2.0
# Warnings, sanitizers and the one way a core library, a test or a benchmark is declared.

# moc of Qt 6.4 cannot read libstdc++'s <concepts>: with its include guard defined it skips it.
set(CMAKE_AUTOMOC_MOC_OPTIONS "-D_GLIBCXX_CONCEPTS")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without the folder in the hash, several build folders share their objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
endif()

add_library(foresight_flags INTERFACE)
target_compile_options(foresight_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 with optimisation reports the inactive member of a std::variant (Result<T>) as read, and assignments of
  # literals to std::string as overlapping copies (its bugs 80635 and 105651).
  target_compile_options(foresight_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
endif()
target_compile_definitions(foresight_flags INTERFACE QT_NO_CAST_FROM_ASCII QT_NO_FOREACH)
if(FORESIGHT_SANITIZE)
  # Directory-wide so that every object and every link agrees.
  add_compile_options(-fsanitize=${FORESIGHT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${FORESIGHT_SANITIZE})
endif()

set(FORESIGHT_ONLY "" CACHE STRING "Names of the only folders to configure, e.g. base;store;app;cli (empty: all)")
# foresight_add_existing(FOLDER...): add_subdirectory for those that are there (a source archive may leave parts out)
# and wanted.
function(foresight_add_existing)
  foreach(folder ${ARGN})
    if(FORESIGHT_ONLY AND NOT folder IN_LIST FORESIGHT_ONLY)
      continue()
    endif()
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
      add_subdirectory("${folder}")
    endif()
  endforeach()
endfunction()

# foresight_library(NAME SOURCES ... [LINKS ...]): static library `foresight_NAME`, includes are written
# relative to the repository root ("core/base/result.h").
function(foresight_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(foresight_${name} STATIC ${ARG_SOURCES})
  target_include_directories(foresight_${name} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_link_libraries(foresight_${name} PUBLIC ${ARG_LINKS} PRIVATE foresight_flags ${ARG_PRIVATE_LINKS})
  if(CMAKE_CURRENT_SOURCE_DIR MATCHES "/core/")
    # qt_standard_project_setup turns moc on everywhere; core has no Qt.
    set_target_properties(foresight_${name} PROPERTIES AUTOMOC OFF AUTOUIC OFF)
  endif()
endfunction()
