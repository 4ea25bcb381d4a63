# Finds LLVM and the tools that belong to it.
#
# Sets    RETRO_CLANG RETRO_CLANGXX RETRO_OPT RETRO_LIT RETRO_FILECHECK RETRO_CLANG_FORMAT RETRO_PYTHON
# Defines retro_llvm, an interface target: LLVM's headers and definitions, and no library. A plugin links no LLVM library:
#         the symbols come from the compiler that loads it, and a second copy would have its own set of options.

set(RETRO_LLVM_MAJOR 22)
# Debian keeps each LLVM in a prefix of its own. `22.1` and not `22`: LLVM's version file accepts only an equal minor version.
find_package(LLVM ${RETRO_LLVM_MAJOR}.1 REQUIRED CONFIG HINTS "/usr/lib/llvm-${RETRO_LLVM_MAJOR}/lib/cmake/llvm")
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
include(GNUInstallDirs)

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT CMAKE_CXX_COMPILER_VERSION MATCHES "^${RETRO_LLVM_MAJOR}\\.")
  message(FATAL_ERROR "The compiler must be clang ${RETRO_LLVM_MAJOR}, and is ${CMAKE_CXX_COMPILER_ID} "
    "${CMAKE_CXX_COMPILER_VERSION}. Configure with a preset: cmake --preset release")
endif()

function(_retro_find_tool variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FOR_TESTS" "" "")
  set(required REQUIRED)
  if(arg_FOR_TESTS AND NOT RETRO_BUILD_TESTS)
    set(required "")
  endif()
  find_program(${variable} NAMES ${arg_UNPARSED_ARGUMENTS} HINTS "${LLVM_TOOLS_BINARY_DIR}" ${required})
  mark_as_advanced(${variable})
endfunction()

_retro_find_tool(RETRO_CLANG clang-${RETRO_LLVM_MAJOR})
_retro_find_tool(RETRO_CLANGXX clang++-${RETRO_LLVM_MAJOR})
_retro_find_tool(RETRO_OPT opt-${RETRO_LLVM_MAJOR})
_retro_find_tool(RETRO_LIT lit-${RETRO_LLVM_MAJOR} FOR_TESTS)
_retro_find_tool(RETRO_FILECHECK FileCheck-${RETRO_LLVM_MAJOR} FOR_TESTS)
_retro_find_tool(RETRO_CLANG_FORMAT clang-format-${RETRO_LLVM_MAJOR} FOR_TESTS)
# Debian's Python and no other that may stand before it on PATH: its packages (matplotlib) are for that one.
include(RetroPython)

separate_arguments(_retro_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_library(retro_llvm INTERFACE)
target_include_directories(retro_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_options(retro_llvm INTERFACE ${_retro_llvm_definitions})
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(retro_llvm INTERFACE -fno-rtti)
endif()
