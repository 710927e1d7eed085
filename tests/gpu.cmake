# SPDX-License-Identifier: Apache-2.0
# A stand-in for foresight-worker that follows a script: every failure LocalGpu must survive, without a GPU. Its
# --compile mode is the real one.
add_executable(scripted_worker targets/scripted_worker.cpp
  "${PROJECT_SOURCE_DIR}/core/gpu/worker/compile_main.cpp")
target_link_libraries(scripted_worker PRIVATE foresight_flags foresight_gpu ${CMAKE_DL_LIBS})
set_target_properties(scripted_worker PROPERTIES AUTOMOC OFF
  RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests")

foreach(test tst_cubin tst_compiler tst_local_gpu tst_sweep tst_gpu_doctor)
  foresight_test(${test} LINKS foresight_gpu)
endforeach()
foreach(test tst_compiler tst_local_gpu tst_sweep tst_gpu_doctor)
  add_dependencies(${test} scripted_worker)
endforeach()

# Tests of the other parts of core/gpu.
file(GLOB gpuTestLists CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/gpu_*.cmake")
foreach(list ${gpuTestLists})
  include("${list}")
endforeach()
