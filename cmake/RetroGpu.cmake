# retro_gpu_on_cpu(<target>
#   SOURCES files          .cu and .hip sources of the target
#   [VENDOR cuda|hip]      default: by the suffix
#   [ARCH name]            device architecture, default sm_90 or gfx90a
#   [FLAGS flags]          of both compilations, for instance -O3 -DN=4
#   [DEVICE_FLAGS flags]   of the device's
#   [DIFFERENTIATE]        with the plugin on the device side
#   [NO_CHECKS])           no check of bounds and races
#
# Compiles the sources so that their kernels run on the CPU, adds the objects to <target> and links the library they need.
# No SDK of a vendor is needed.
function(retro_gpu_on_cpu target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "DIFFERENTIATE;NO_CHECKS" "VENDOR;ARCH" "SOURCES;FLAGS;DEVICE_FLAGS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "retro_gpu_on_cpu(${target}): SOURCES is missing, or unknown arguments '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  cmake_path(SET root NORMALIZE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..")
  set(script "${root}/engine/runtime/gpu_on_cpu/gpu_on_cpu.py")
  set(depends "${script}" retro_gpu_pass "$<TARGET_FILE:retro_gpu_pass>")
  set(options "")
  foreach(name IN ITEMS VENDOR ARCH)
    if(arg_${name})
      string(TOLOWER "--${name}" option)
      list(APPEND options "${option}=${arg_${name}}")
    endif()
  endforeach()
  foreach(flag IN LISTS arg_DEVICE_FLAGS)
    list(APPEND options "--device-flag=${flag}")
  endforeach()
  if(arg_NO_CHECKS)
    list(APPEND options --no-checks)
  endif()
  if(arg_DIFFERENTIATE)
    list(APPEND options "--plugin=$<TARGET_FILE:retrograde>")
    list(APPEND depends retrograde "$<TARGET_FILE:retrograde>")
  endif()
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    cmake_path(GET source FILENAME name)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${target}.gpu/${name}${arg_VENDOR}.o")
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${target}.gpu")
    add_custom_command(OUTPUT "${object}"
      COMMAND "${RETRO_PYTHON}" -B "${script}" -c "${source}" -o "${object}" --depfile "${object}.d"
        --clangxx "${RETRO_CLANGXX}" --opt "${RETRO_OPT}" --pass-plugin "$<TARGET_FILE:retro_gpu_pass>"
        --include "${root}/engine/include" ${options} ${arg_FLAGS}
      DEPENDS "${source}" ${depends} DEPFILE "${object}.d"
      COMMENT "Kernels on the CPU: ${object}" VERBATIM)
    target_sources(${target} PRIVATE "${object}")
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  endforeach()
  target_link_libraries(${target} PRIVATE retro_gpu)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
