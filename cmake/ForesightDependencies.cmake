# SPDX-License-Identifier: Apache-2.0
# Finds what the chosen configuration needs and says in one line what is missing and what that costs.

find_package(Threads REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)

# CUDA's headers only: every NVIDIA library is opened at run time. CUDA_HOME / CUDA_PATH / the usual root.
find_path(FORESIGHT_CUDA_INCLUDE cuda.h
  HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES include targets/x86_64-linux/include)
find_path(FORESIGHT_CUPTI_INCLUDE cupti.h
  HINTS "${FORESIGHT_CUDA_INCLUDE}" ENV CUDA_HOME PATHS /usr/local/cuda
  PATH_SUFFIXES include extras/CUPTI/include ../extras/CUPTI/include)
find_path(FORESIGHT_NVTX_INCLUDE nvtx3/nvToolsExt.h HINTS "${FORESIGHT_CUDA_INCLUDE}" PATHS /usr/local/cuda PATH_SUFFIXES include)
if(FORESIGHT_CUDA_INCLUDE)
  message(STATUS "CUDA headers: ${FORESIGHT_CUDA_INCLUDE}")
else()
  message(STATUS "CUDA headers: none found. Building without the live GPU path (worker, measure, probe); "
                 "searches on recorded GPUs work. Set CUDA_HOME to a CUDA 12 or 13 toolkit to get the rest.")
endif()
if(NOT FORESIGHT_CUPTI_INCLUDE OR NOT FORESIGHT_NVTX_INCLUDE)
  message(STATUS "CUPTI or NVTX headers: not found. The probe is not built; recorded profiles still open.")
endif()

if(NOT FORESIGHT_AGENT_ONLY)
  find_package(fmt REQUIRED)
  find_package(spdlog REQUIRED)
  find_package(CLI11 REQUIRED)
  find_package(Eigen3 3.3 REQUIRED NO_MODULE)
  find_package(SQLite3 REQUIRED)
  find_package(ZLIB REQUIRED)
  find_path(ZSTD_INCLUDE zstd.h REQUIRED)
  find_library(ZSTD_LIBRARY zstd REQUIRED)
  add_library(foresight_zstd INTERFACE)
  target_include_directories(foresight_zstd SYSTEM INTERFACE "${ZSTD_INCLUDE}")
  target_link_libraries(foresight_zstd INTERFACE "${ZSTD_LIBRARY}")
  if(FORESIGHT_GUI)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets DBus PrintSupport Svg Test LinguistTools)
    find_package(QCustomPlotQt6 REQUIRED)
    qt_standard_project_setup()
  else()
    find_package(Qt6 6.4 QUIET COMPONENTS Core Test)
    if(NOT Qt6_FOUND)
      message(STATUS "Qt6::Test: not found, so no tests are built (FORESIGHT_GUI=OFF needs it for tests only).")
      set(FORESIGHT_TESTS OFF)
    endif()
  endif()
endif()
