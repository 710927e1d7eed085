# SPDX-License-Identifier: Apache-2.0
foresight_test(tst_wire SOURCES "${PROJECT_SOURCE_DIR}/core/probe/outbox.cpp" LINKS foresight_profile LABELS core)
if(TARGET foresight-probe)
  # A program to be probed and the CUPTI it finds, so that the real library runs without a GPU.
  add_library(fake_cupti SHARED targets/fake_cupti.cpp)
  target_include_directories(fake_cupti PRIVATE "${PROJECT_SOURCE_DIR}")
  target_include_directories(fake_cupti SYSTEM PRIVATE "${FORESIGHT_CUPTI_INCLUDE}" "${FORESIGHT_CUDA_INCLUDE}")
  target_link_libraries(fake_cupti PRIVATE foresight_flags)
  add_executable(probe_target targets/probe_target.cpp)
  target_include_directories(probe_target PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(probe_target PRIVATE foresight_flags ${CMAKE_DL_LIBS})
  foresight_test(tst_probe LINKS foresight_profile LABELS core)
  add_dependencies(tst_probe fake_cupti probe_target foresight-probe)
endif()
