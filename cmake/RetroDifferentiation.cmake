# retro_enable_differentiation(<target> [TOGGLES name=0|1 ...] [OPTIONS option ...])
#
# Compiles the C and C++ sources of <target> with the differentiation plugin and puts its headers on the include path.
#   TOGGLES  optimization switches of the engine, for instance min-cut=0   (`-mllvm -retro-min-cut=0`)
#   OPTIONS  further options of the engine, for instance -retro-print-plan (`-mllvm -retro-print-plan`)
#
# Errors: a compiler that is not the clang of the LLVM version the plugin was built for (a pass plugin is bound to it).
# The plugin is the package's target Retrograde::plugin or, inside Retrograde's own build, the target retrograde.
function(retro_enable_differentiation target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "TOGGLES;OPTIONS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "retro_enable_differentiation: there is no target '${target}'")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "retro_enable_differentiation: unknown arguments '${arg_UNPARSED_ARGUMENTS}'")
  endif()

  if(TARGET Retrograde::plugin)
    get_target_property(plugin Retrograde::plugin IMPORTED_LOCATION)
    get_target_property(include_dir Retrograde::plugin INTERFACE_INCLUDE_DIRECTORIES)
    get_target_property(major Retrograde::plugin RETRO_LLVM_MAJOR)
  else()
    set(plugin "$<TARGET_FILE:retrograde>")
    set(include_dir "${Retrograde_SOURCE_DIR}/engine/include")
    set(major "${RETRO_LLVM_MAJOR}")
    add_dependencies(${target} retrograde)
  endif()

  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach(language IN ITEMS C CXX)
    if(NOT language IN_LIST languages)
      continue()
    endif()
    if(NOT CMAKE_${language}_COMPILER_ID STREQUAL "Clang"
        OR NOT CMAKE_${language}_COMPILER_VERSION MATCHES "^${major}\\.")
      message(FATAL_ERROR "retro_enable_differentiation(${target}): the plugin works in clang ${major}, but the ${language} "
        "compiler is ${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION} "
        "(${CMAKE_${language}_COMPILER}). Configure with -DCMAKE_C_COMPILER=clang-${major} "
        "-DCMAKE_CXX_COMPILER=clang++-${major}.")
    endif()
  endforeach()

  set(flags "-fpass-plugin=${plugin}")
  foreach(toggle IN LISTS arg_TOGGLES)
    if(NOT toggle MATCHES "^[a-z-]+=[01]$")
      message(FATAL_ERROR "retro_enable_differentiation(${target}): a toggle is written name=0 or name=1, not '${toggle}'")
    endif()
    list(APPEND flags "SHELL:-mllvm -retro-${toggle}")
  endforeach()
  foreach(option IN LISTS arg_OPTIONS)
    list(APPEND flags "SHELL:-mllvm ${option}")
  endforeach()
  foreach(flag IN LISTS flags)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:C,CXX>:${flag}>")
  endforeach()
  target_include_directories(${target} PRIVATE "${include_dir}")

  # A compiler cache would hand out stale objects: it hashes the option, not the plugin behind it.
  set_target_properties(${target} PROPERTIES C_COMPILER_LAUNCHER "" CXX_COMPILER_LAUNCHER "")
  get_target_property(sources ${target} SOURCES)
  if(sources)
    set_property(SOURCE ${sources} TARGET_DIRECTORY ${target} APPEND PROPERTY OBJECT_DEPENDS "${plugin}")
  endif()
endfunction()
