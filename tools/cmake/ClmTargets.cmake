# The functions with which every part of the project declares its targets.

# MLIR and LLVM as one shared library each. Naming a static MLIRxyz target beside them would load everything twice.
add_library(clm_mlir INTERFACE)
target_include_directories(clm_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(clm_mlir INTERFACE ${llvm_definitions})
target_link_libraries(clm_mlir INTERFACE MLIR LLVM)
set(CLM_LLVM_BIN "${LLVM_TOOLS_BINARY_DIR}")

# The headers that nearly every MLIR source includes, compiled once (the sources that reuse it take half the time).
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/clm_mlir_pch.cpp" CONTENT "// Anchor of the precompiled MLIR headers.\n")
add_library(clm_mlir_pch OBJECT "${CMAKE_BINARY_DIR}/clm_mlir_pch.cpp")
target_link_libraries(clm_mlir_pch PRIVATE clm_mlir)
target_precompile_headers(clm_mlir_pch PRIVATE
  <mlir/IR/BuiltinOps.h> <mlir/IR/PatternMatch.h> <mlir/Pass/Pass.h>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(clm_mlir_pch PRIVATE -fpch-preprocess) # so that ccache sees which header was precompiled
endif()

# Include roots of a target, by where it is declared: the repository root for all, `compiler/` for the compiler and its
# tools; generated headers lie at the same paths in the build tree.
function(clm_include_roots target)
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE part)
  if(NOT part MATCHES "^runtime")
    target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/compiler" "${PROJECT_BINARY_DIR}/compiler")
  endif()
endfunction()

function(clm_use_mlir target)
  target_link_libraries(${target} PUBLIC clm_mlir)
  get_target_property(type ${target} TYPE)
  # A shared library is compiled with its own export macro, with which the shared precompiled header does not fit.
  if(type STREQUAL SHARED_LIBRARY)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM clm_mlir_pch)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -fpch-preprocess)
    if(type STREQUAL EXECUTABLE)
      # CMake would compile a program with -fPIE, g++ then refuses a header precompiled with -fPIC.
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
  endif()
endfunction()

# clm_add_library(NAME [SHARED] [MLIR] SOURCES file... [LINK target...] [LINK_PRIVATE target...] [DEPENDS target...])
#
# A static library (with position-independent code), or a shared one. MLIR links MLIR and LLVM and uses the precompiled
# headers. LINK is public: users of the library see the headers of these targets. DEPENDS names clm_tablegen targets.
function(clm_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SHARED;MLIR" "" "SOURCES;LINK;LINK_PRIVATE;DEPENDS")
  set(type STATIC)
  if(arg_SHARED)
    set(type SHARED)
  endif()
  add_library(${name} ${type} ${arg_SOURCES})
  clm_include_roots(${name})
  target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE ${arg_LINK_PRIVATE})
  if(arg_MLIR)
    clm_use_mlir(${name})
  endif()
  if(arg_DEPENDS)
    add_dependencies(${name} ${arg_DEPENDS})
  endif()
endfunction()

# clm_add_tool(NAME [MLIR] SOURCES file... [LINK target...]): a program in bin/.
function(clm_add_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MLIR" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  clm_include_roots(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  if(arg_MLIR)
    clm_use_mlir(${name})
  endif()
endfunction()

# clm_add_unit_test(NAME [MLIR] SOURCES file... [LINK target...]): a GoogleTest program. NAME ends in `Tests`: lit finds
# the programs by that ending in unit/ of the build tree and counts each of their cases.
function(clm_add_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MLIR" "" "SOURCES;LINK")
  if(NOT name MATCHES "Tests$")
    message(FATAL_ERROR "the unit test program `${name}` is not found by the test runner: its name does not end in `Tests`")
  endif()
  clm_add_tool(${name} SOURCES ${arg_SOURCES} LINK ${arg_LINK} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/unit")
  if(arg_MLIR)
    clm_use_mlir(${name})
  endif()
endfunction()

# clm_tablegen(TARGET file.td ["generator and options" output]...)
#
# Runs mlir-tblgen for each pair and makes TARGET depend on the outputs, which land in the build tree beside the place of
# file.td in the source tree:
#
#     clm_tablegen(clm_ten_gen TenOps.td
#       "-gen-op-decls" TenOps.h.inc
#       "-gen-dialect-decls -dialect=ten" TenDialect.h.inc)
function(clm_tablegen target file)
  cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE source)
  set(arguments ${ARGN})
  set(outputs)
  while(arguments)
    list(POP_FRONT arguments generator output)
    separate_arguments(generator NATIVE_COMMAND "${generator}")
    set(path "${CMAKE_CURRENT_BINARY_DIR}/${output}")
    list(APPEND outputs "${path}")
    add_custom_command(OUTPUT "${path}"
      COMMAND "${CLM_LLVM_BIN}/mlir-tblgen" ${generator} -I ${MLIR_INCLUDE_DIRS} -I "${PROJECT_SOURCE_DIR}/compiler"
        "${source}" -o "${path}" -d "${path}.d"
      DEPENDS "${source}" DEPFILE "${path}.d"
      COMMENT "Generating ${output}" VERBATIM)
  endwhile()
  add_custom_target(${target} DEPENDS ${outputs})
endfunction()
