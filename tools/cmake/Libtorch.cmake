# clm_torch: libtorch's CPU libraries and headers. Only runtime/aten may link it.
#
# PyTorch's own CMake package is not used: it links the CUDA libraries too and fails where no CUDA toolkit is installed.
# Looked for in Torch_DIR (CMake or environment variable; the folder of the `torch` package or its cmake folder), then where
# tools/setup unpacks the pinned release.

set(CLM_TORCH_MINIMUM 2.11)

if(DEFINED ENV{CLM_CACHE_DIR})
  set(clm_cache "$ENV{CLM_CACHE_DIR}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(clm_cache "$ENV{XDG_CACHE_HOME}/clm")
else()
  set(clm_cache "$ENV{HOME}/.cache/clm")
endif()

set(torch_candidates "${Torch_DIR}" "${Torch_DIR}/../../.." "$ENV{Torch_DIR}" "$ENV{Torch_DIR}/../../..")
if(NOT Torch_DIR AND NOT DEFINED ENV{Torch_DIR})
  set(torch_candidates "${clm_cache}/libtorch-2.11.0/torch")
endif()
find_library(CLM_TORCH_CPU NAMES torch_cpu PATHS ${torch_candidates} PATH_SUFFIXES lib NO_DEFAULT_PATH)
if(NOT CLM_TORCH_CPU)
  message(FATAL_ERROR "libtorch not found (looked in ${torch_candidates}). "
    "Run tools/setup, or set Torch_DIR to the folder of an installed PyTorch ${CLM_TORCH_MINIMUM} or newer.")
endif()
cmake_path(GET CLM_TORCH_CPU PARENT_PATH CLM_TORCH_LIBRARY_DIR)
cmake_path(GET CLM_TORCH_LIBRARY_DIR PARENT_PATH torch_root)

file(STRINGS "${torch_root}/version.py" torch_version REGEX "^__version__ = ")
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" torch_version "${torch_version}")
if(torch_version VERSION_LESS CLM_TORCH_MINIMUM)
  message(FATAL_ERROR "libtorch ${torch_version} in ${torch_root} is too old; ${CLM_TORCH_MINIMUM} or newer is needed")
endif()
message(STATUS "libtorch ${torch_version}: ${torch_root}")

add_library(clm_torch_cpu SHARED IMPORTED)
set_target_properties(clm_torch_cpu PROPERTIES IMPORTED_LOCATION "${CLM_TORCH_CPU}")
add_library(clm_c10 SHARED IMPORTED)
set_target_properties(clm_c10 PROPERTIES IMPORTED_LOCATION "${CLM_TORCH_LIBRARY_DIR}/libc10.so")

add_library(clm_torch INTERFACE)
target_include_directories(clm_torch SYSTEM INTERFACE
  "${torch_root}/include" "${torch_root}/include/torch/csrc/api/include")
target_link_libraries(clm_torch INTERFACE clm_torch_cpu clm_c10)
# libtorch_cpu registers its operators when it is loaded. A linker that drops libraries of which no symbol is used
# directly would drop it.
target_link_options(clm_torch INTERFACE LINKER:--no-as-needed)
