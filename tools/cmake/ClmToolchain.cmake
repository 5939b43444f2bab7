# Language level, output folders, linker, compiler cache and the default build type.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

# Programs find the project's libraries relative to themselves, so that a build folder can be moved; libMLIR and libtorch
# are not on the loader's path and are named by their folder.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# "Development": optimized enough for the tests, assertions on, no debug information (it makes builds a third slower).
set(CMAKE_C_FLAGS_DEVELOPMENT "-O1" CACHE STRING "C flags of the build type Development")
set(CMAKE_CXX_FLAGS_DEVELOPMENT "-O1" CACHE STRING "C++ flags of the build type Development")
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_DEVELOPMENT "" CACHE STRING "Linker flags of the build type Development")
endforeach()
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Development CACHE STRING "Development, Debug, Release, RelWithDebInfo" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
add_compile_definitions($<$<NOT:$<CONFIG:Release>>:_GLIBCXX_ASSERTIONS>)

find_program(CLM_LLD ld.lld HINTS /usr/lib/llvm-19/bin)
if(CLM_LLD)
  # -B: g++ looks for `ld.lld` there; Debian puts it on PATH under a versioned name only.
  cmake_path(GET CLM_LLD PARENT_PATH lld_folder)
  add_link_options(-fuse-ld=lld -B${lld_folder})
endif()

find_program(CLM_CCACHE ccache)
if(CLM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness is what ccache's manual asks for with precompiled headers; the base folder lets two checkouts share.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    /usr/bin/env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CLM_CCACHE})
endif()
