# retro_add_suite(<suite>)
#   Names the suite that the following benchmarks of this folder belong to.
#
# retro_add_benchmark(<name>
#   [DIRECTORY dir]            folder with the sources, default <name>
#   [GRADIENT files] [PRIMAL files] [HAND files] [DRIVER files]
#                              default gradient.cpp, primal.cpp, hand.cpp (if there is one), driver.cpp
#   [KERNELS names]            kernels the driver knows, the first is the default; default 'default'
#   SIZES "name d=1,n=2" ...   name and values, smallest first
#   [TEST_SIZES names]         sizes that ctest verifies (label suite)
#   [SLOW_TEST_SIZES names]    the same with one of the variants each, in turns, label slow as well
#   [DEFAULT_SIZE name]        size of the overhead table and the ablation; default: the first
#   [SCALING_SIZES names]      sizes of the scaling figure
#   [FLAGS flags]              of the kernels; default ${RETRO_KERNEL_FLAGS}. Their functions are aligned to 64 bytes
#   [DEFINITIONS names]        macros of the kernels, e.g. N=32
#   [INCLUDES dirs]            further include directories of all sources
#   [OPENMP]                   kernels are compiled and linked with OpenMP
#   [MPI])                     and with MPI; the driver calls main_on_ranks (suites/common/ranks.hpp). Where there is none: nothing
#
# Builds the executable <suite>-<name> in <build>/suites/, with the columns primal, gradient (needs the plugin), hand (no
# plugin) and compare (needs RETRO_COMPARE_PLUGIN), in the variants restrict and plain; registers tests; writes the manifest
# <build>/suites/<name>.json from which a gradient can be recompiled with other toggles and linked.
#
# primal.cpp, hand.cpp and gradient.cpp are compiled by custom commands, so that their flags are those of the manifest whatever the
# build type.

set(RETRO_PLUGIN "" CACHE FILEPATH "The plugin to use where the suites are built on their own; empty: no gradient column")
set(RETRO_COMPARE_PLUGIN "" CACHE FILEPATH "Another plugin of the same calling convention: one more column in every table")
set(RETRO_COMPARE_CLANG "" CACHE FILEPATH "The C++ compiler that the compared plugin was built for")
set(RETRO_COMPARE_FLAGS "" CACHE STRING "Further flags of the compared plugin")
set(RETRO_KERNEL_FLAGS "-std=c++17;-O3;-fno-math-errno" CACHE STRING "Flags of primal and gradient")
set(RETRO_GRADIENT_FLAGS "" CACHE STRING "Further flags of the gradient, for instance -mllvm;-retro-min-cut=0")

if(NOT RETRO_SUITE_CLANG)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 22)
    set(RETRO_SUITE_CLANG "${CMAKE_CXX_COMPILER}")
  else()
    find_program(RETRO_SUITE_CLANG clang++-22 REQUIRED)
  endif()
endif()

# A bare command name given for a FILEPATH has become a path in the current folder.
if(RETRO_COMPARE_CLANG AND NOT EXISTS "${RETRO_COMPARE_CLANG}")
  cmake_path(GET RETRO_COMPARE_CLANG FILENAME name)
  find_program(RETRO_COMPARE_CLANG_FOUND "${name}")
  if(NOT RETRO_COMPARE_CLANG_FOUND)
    message(FATAL_ERROR "RETRO_COMPARE_CLANG: there is no '${RETRO_COMPARE_CLANG}'")
  endif()
  set(RETRO_COMPARE_CLANG "${RETRO_COMPARE_CLANG_FOUND}")
endif()

# The plugin: path in out_plugin (empty where there is none), dependencies in out_depends.
function(_retro_suite_plugin out_plugin out_depends)
  if(TARGET retrograde)
    set(${out_plugin} "$<TARGET_FILE:retrograde>" PARENT_SCOPE)
    set(${out_depends} retrograde "$<TARGET_FILE:retrograde>" PARENT_SCOPE)
  elseif(RETRO_PLUGIN)
    set(${out_plugin} "${RETRO_PLUGIN}" PARENT_SCOPE)
    set(${out_depends} "${RETRO_PLUGIN}" PARENT_SCOPE)
  else()
    set(${out_plugin} "" PARENT_SCOPE)
    set(${out_depends} "" PARENT_SCOPE)
  endif()
endfunction()

# The first line of `compiler --version`.
function(_retro_compiler_name out compiler)
  execute_process(COMMAND "${compiler}" --version OUTPUT_VARIABLE text RESULT_VARIABLE status ERROR_QUIET)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "cannot run the compiler '${compiler}'")
  endif()
  string(REGEX REPLACE "\n.*" "" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# One kernel object; appends its path to the list named by out.
function(_retro_kernel_object out object source compiler flags depends)
  add_custom_command(
    OUTPUT "${object}"
    COMMAND "${compiler}" ${flags} -MD -MF "${object}.d" -c "${source}" -o "${object}"
    DEPENDS "${source}" ${depends}
    DEPFILE "${object}.d"
    COMMENT "Kernel ${object}"
    COMMAND_EXPAND_LISTS VERBATIM)
  list(APPEND ${out} "${object}")
  set(${out} "${${out}}" PARENT_SCOPE)
endfunction()

# A JSON array of strings.
function(_retro_json_list out)
  set(text "")
  foreach(item IN LISTS ARGN)
    string(REPLACE "\\" "\\\\" item "${item}")
    string(REPLACE "\"" "\\\"" item "${item}")
    list(APPEND text "\"${item}\"")
  endforeach()
  list(JOIN text ", " text)
  set(${out} "[${text}]" PARENT_SCOPE)
endfunction()

# What starts a program in so many ranks, where a study runs it.
function(_retro_launcher out ranks)
  set(${out} "${MPIEXEC_EXECUTABLE}" --oversubscribe --allow-run-as-root -np ${ranks} PARENT_SCOPE)
endfunction()

# Writes the manifest <build>/suites/<name>.json of a program whose driver's objects are those of <target>-driver.
#   SOURCES    role=path …
#   VARIANTS   names; of each, the caller has definitions_gradient_<variant> and gradient_<variant>_objects
#   SIZES      "name values" …
#   FIXED      objects that stay as they are when the gradient is compiled with other toggles
#   LAUNCHER   what stands before the executable; empty for a program without ranks
function(_retro_manifest name)
  cmake_parse_arguments(PARSE_ARGV 1 m "" "SUITE;TARGET;PLUGIN;DEFAULT_SIZE"
    "SOURCES;INCLUDES;FLAGS;DEFINITIONS;VARIANTS;KERNELS;SIZES;SCALING_SIZES;TEST_SIZES;FIXED;LINK_FLAGS;LAUNCHER")
  set(sources_json "")
  foreach(source IN LISTS m_SOURCES)
    string(REGEX MATCH "^([a-z]+)=(.*)$" matched "${source}")
    list(APPEND sources_json "{\"path\": \"${CMAKE_MATCH_2}\", \"role\": \"${CMAKE_MATCH_1}\"}")
  endforeach()
  list(JOIN sources_json ",\n    " sources_json)
  set(sizes_json "")
  foreach(size IN LISTS m_SIZES)
    string(REPLACE " " ";" words "${size}")
    list(GET words 0 size_name)
    list(GET words 1 values)
    list(APPEND sizes_json "{\"name\": \"${size_name}\", \"values\": \"${values}\"}")
  endforeach()
  list(JOIN sizes_json ",\n    " sizes_json)
  set(variants_json "")
  foreach(variant IN LISTS m_VARIANTS)
    _retro_json_list(definitions ${definitions_gradient_${variant}})
    _retro_json_list(objects ${gradient_${variant}_objects})
    list(APPEND variants_json "{\"name\": \"${variant}\", \"definitions\": ${definitions}, \"gradient_objects\": ${objects}}")
  endforeach()
  list(JOIN variants_json ",\n    " variants_json)
  foreach(list IN ITEMS LAUNCHER LINK_FLAGS INCLUDES FLAGS DEFINITIONS KERNELS FIXED SCALING_SIZES TEST_SIZES)
    string(TOLOWER ${list} json)
    _retro_json_list(${json}_json ${m_${list}})
  endforeach()
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/suites/${name}.json" CONTENT "{
  \"suite\": \"${m_SUITE}\",
  \"name\": \"${name}\",
  \"executable\": \"$<TARGET_FILE:${m_TARGET}>\",
  \"launcher\": ${launcher_json},
  \"compiler\": \"${RETRO_SUITE_CLANG}\",
  \"plugin\": \"${m_PLUGIN}\",
  \"sources\": [
    ${sources_json}],
  \"include_dirs\": ${includes_json},
  \"flags\": ${flags_json},
  \"definitions\": ${definitions_json},
  \"variants\": [
    ${variants_json}],
  \"kernels\": ${kernels_json},
  \"sizes\": [
    ${sizes_json}],
  \"default_size\": \"${m_DEFAULT_SIZE}\",
  \"scaling_sizes\": ${scaling_sizes_json},
  \"test_sizes\": ${test_sizes_json},
  \"link\": {
    \"driver_objects\": [\"$<JOIN:$<TARGET_OBJECTS:${m_TARGET}-driver>,\", \">\"],
    \"kernel_objects\": ${fixed_json},
    \"libraries\": [\"$<TARGET_FILE:retro_suite_common>\", \"$<TARGET_FILE:retro_verify>\"],
    \"flags\": ${link_flags_json}
  }
}
")
endfunction()

# <name>.2 and <name>.3: a program's test on so many ranks.
function(_retro_test_on_ranks name program)
  foreach(ranks IN ITEMS 2 3)
    add_test(NAME ${name}.${ranks}
      COMMAND "${MPIEXEC_EXECUTABLE}" --oversubscribe -np ${ranks} $<TARGET_FILE:${program}> ${ARGN})
    set_tests_properties(${name}.${ranks} PROPERTIES LABELS suite TIMEOUT 300 COST 5
      ENVIRONMENT "OMP_NUM_THREADS=1;OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_mpi_yield_when_idle=1")
  endforeach()
endfunction()

function(retro_add_suite suite)
  set(RETRO_SUITE "${suite}" PARENT_SCOPE)
endfunction()

function(retro_add_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPENMP;MPI" "DIRECTORY;DEFAULT_SIZE"
    "GRADIENT;PRIMAL;HAND;DRIVER;KERNELS;SIZES;TEST_SIZES;SLOW_TEST_SIZES;SCALING_SIZES;FLAGS;DEFINITIONS;INCLUDES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "retro_add_benchmark(${name}): unknown arguments '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT arg_SIZES)
    message(FATAL_ERROR "retro_add_benchmark(${name}): SIZES is missing")
  endif()
  foreach(pair IN ITEMS "DIRECTORY;${name}" "GRADIENT;gradient.cpp" "PRIMAL;primal.cpp" "DRIVER;driver.cpp" "KERNELS;default")
    list(GET pair 0 key)
    list(GET pair 1 value)
    if(NOT arg_${key})
      set(arg_${key} "${value}")
    endif()
  endforeach()
  if(NOT arg_FLAGS)
    set(arg_FLAGS ${RETRO_KERNEL_FLAGS})
  endif()
  # How a function lies in the cache lines of the code should not depend on what else is linked.
  list(APPEND arg_FLAGS -falign-functions=64)
  set(libraries "")
  if(arg_OPENMP)
    list(APPEND arg_FLAGS -fopenmp)
    set(libraries OpenMP::OpenMP_CXX)
  endif()
  set(launcher "")
  if(arg_MPI)
    find_package(MPI COMPONENTS C)
    if(NOT MPI_C_FOUND)
      return()
    endif()
    list(APPEND arg_DEFINITIONS RETRO_SUITE_MPI OMPI_SKIP_MPICXX)
    list(APPEND arg_INCLUDES ${MPI_C_INCLUDE_DIRS})
    list(APPEND libraries MPI::MPI_C)
  endif()
  set(size_names "")
  foreach(size IN LISTS arg_SIZES)
    string(REGEX REPLACE " .*" "" size_name "${size}")
    list(APPEND size_names "${size_name}")
  endforeach()
  if(NOT arg_DEFAULT_SIZE)
    list(GET size_names 0 arg_DEFAULT_SIZE)
  endif()
  foreach(size IN LISTS arg_TEST_SIZES arg_SLOW_TEST_SIZES arg_SCALING_SIZES arg_DEFAULT_SIZE)
    if(NOT size IN_LIST size_names)
      message(FATAL_ERROR "retro_add_benchmark(${name}): '${size}' is not one of SIZES")
    endif()
  endforeach()

  set(source_dir "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT arg_DIRECTORY STREQUAL ".")
    set(source_dir "${source_dir}/${arg_DIRECTORY}")
  endif()
  if(NOT arg_HAND AND EXISTS "${source_dir}/hand.cpp")
    set(arg_HAND hand.cpp)
  endif()
  set(binary_dir "${CMAKE_CURRENT_BINARY_DIR}/${name}.dir")
  file(MAKE_DIRECTORY "${binary_dir}")
  set(includes "${source_dir}" "${RETRO_SUITES_DIR}" ${arg_INCLUDES})
  set(common_flags ${arg_FLAGS})
  foreach(dir IN LISTS includes)
    list(APPEND common_flags "-I${dir}")
  endforeach()
  foreach(definition IN LISTS arg_DEFINITIONS)
    list(APPEND common_flags "-D${definition}")
  endforeach()

  # ---- kernel objects, by role and variant
  _retro_suite_plugin(plugin plugin_depends)
  _retro_compiler_name(compiler_name "${RETRO_SUITE_CLANG}")
  set(compare_name "")
  if(RETRO_COMPARE_PLUGIN)
    if(NOT RETRO_COMPARE_CLANG)
      message(FATAL_ERROR "RETRO_COMPARE_PLUGIN needs RETRO_COMPARE_CLANG, the clang++ it was built for")
    endif()
    _retro_compiler_name(compare_name "${RETRO_COMPARE_CLANG}")
  endif()
  foreach(variant IN ITEMS restrict plain)
    set(restrict_value 0)
    if(variant STREQUAL "restrict")
      set(restrict_value 1)
    endif()
    foreach(role IN ITEMS primal hand gradient compare)
      set(${role}_${variant}_objects "")
      set(definitions_${role}_${variant} "-DRETRO_SYMBOL_PREFIX=${role}_" "-DRETRO_VARIANT_RESTRICT=${restrict_value}")
      set(flags ${common_flags} ${definitions_${role}_${variant}})
      set(sources ${arg_GRADIENT})
      set(compiler "${RETRO_SUITE_CLANG}")
      set(depends "")
      if(role STREQUAL "primal")
        set(sources ${arg_PRIMAL})
      elseif(role STREQUAL "hand")
        set(sources ${arg_HAND})
      elseif(role STREQUAL "gradient")
        if(NOT plugin)
          continue()
        endif()
        list(APPEND flags "-fpass-plugin=${plugin}" ${RETRO_GRADIENT_FLAGS})
        set(depends ${plugin_depends})
      else()
        if(NOT RETRO_COMPARE_PLUGIN)
          continue()
        endif()
        set(compiler "${RETRO_COMPARE_CLANG}")
        list(APPEND flags "-fpass-plugin=${RETRO_COMPARE_PLUGIN}" ${RETRO_COMPARE_FLAGS})
        set(depends "${RETRO_COMPARE_PLUGIN}")
      endif()
      foreach(source IN LISTS sources)
        cmake_path(GET source STEM stem)
        _retro_kernel_object(${role}_${variant}_objects "${binary_dir}/${stem}.${role}.${variant}.o"
          "${source_dir}/${source}" "${compiler}" "${flags}" "${depends}")
      endforeach()
    endforeach()
  endforeach()
  # What stays as it is when the gradient is compiled with other toggles.
  set(fixed_objects ${primal_restrict_objects} ${primal_plain_objects} ${hand_restrict_objects} ${hand_plain_objects}
    ${compare_restrict_objects} ${compare_plain_objects})

  # ---- driver and executable
  list(JOIN arg_SIZES "; " sizes_text)
  list(JOIN arg_FLAGS " " flags_text)
  list(JOIN arg_KERNELS "\", \"" kernels_text)
  file(GENERATE OUTPUT "${binary_dir}/build_info.h" CONTENT "// Generated: how this benchmark was built.
#define RETRO_BUILD_INFO ::retro::suite::BuildInfo{\"${RETRO_SUITE}\", \"${name}\", \"${sizes_text}\", \"${arg_DEFAULT_SIZE}\", \"${compiler_name}\", \"${flags_text}\", \"${plugin}\", \"${compare_name}\", \"${RETRO_COMPARE_PLUGIN}\"}
#define RETRO_KERNELS {\"${kernels_text}\"}
")
  set(driver_sources "")
  foreach(source IN LISTS arg_DRIVER)
    list(APPEND driver_sources "${source_dir}/${source}")
  endforeach()
  set(target "${RETRO_SUITE}-${name}")
  add_library(${target}-driver OBJECT ${driver_sources})
  target_include_directories(${target}-driver PRIVATE ${includes} "${binary_dir}")
  target_compile_features(${target}-driver PRIVATE cxx_std_20)
  target_compile_options(${target}-driver PRIVATE -Wall -Wextra -O2)
  target_link_libraries(${target}-driver PRIVATE retro_suite_common)
  if(arg_MPI)
    target_sources(${target}-driver PRIVATE "${RETRO_SUITES_DIR}/common/ranks.cpp" "${RETRO_SUITES_DIR}/common/message_counts.c")
    target_compile_definitions(${target}-driver PRIVATE RETRO_SUITE_MPI OMPI_SKIP_MPICXX)
    target_link_libraries(${target}-driver PRIVATE MPI::MPI_C)
  endif()
  add_executable(${target} $<TARGET_OBJECTS:${target}-driver> ${gradient_restrict_objects} ${gradient_plain_objects}
    ${fixed_objects})
  target_link_libraries(${target} PRIVATE retro_suite_common ${libraries})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/suites")

  if(NOT TARGET benchmarks)
    add_custom_target(benchmarks) # all that a study needs, and no test
  endif()
  add_dependencies(benchmarks ${target})

  # ---- tests
  set(required "")
  if(plugin)
    set(required --require gradient)
  endif()
  set(slow_variant plain)
  foreach(size IN LISTS arg_TEST_SIZES arg_SLOW_TEST_SIZES)
    set(variant all)
    set(labels suite)
    set(cost 5)
    if(size IN_LIST arg_SLOW_TEST_SIZES) # one variant each, in turns
      set(variant ${slow_variant})
      if(slow_variant STREQUAL "plain")
        set(slow_variant restrict)
      else()
        set(slow_variant plain)
      endif()
      list(APPEND labels slow)
      set(cost 30)
    endif()
    add_test(NAME suite.${RETRO_SUITE}.${name}.${size}
      COMMAND ${target} --verify --size ${size} --kernel all --variant ${variant} ${required})
    set_tests_properties(suite.${RETRO_SUITE}.${name}.${size} PROPERTIES LABELS "${labels}" TIMEOUT 600 COST ${cost})
    if(arg_OPENMP)
      set_tests_properties(suite.${RETRO_SUITE}.${name}.${size} PROPERTIES
        ENVIRONMENT "OMP_NUM_THREADS=3;OMP_WAIT_POLICY=passive")
    endif()
    if(arg_MPI)
      _retro_test_on_ranks(suite.${RETRO_SUITE}.${name}.${size} ${target} --verify --size ${size} --kernel all ${required})
    endif()
  endforeach()

  # ---- manifest
  set(sources "")
  foreach(role IN ITEMS GRADIENT PRIMAL HAND DRIVER)
    string(TOLOWER ${role} role_name)
    foreach(source IN LISTS arg_${role})
      list(APPEND sources "${role_name}=${source_dir}/${source}")
    endforeach()
  endforeach()
  set(link_flags -lbenchmark -lpthread -lm)
  if(arg_OPENMP)
    list(PREPEND link_flags -fopenmp)
  endif()
  if(arg_MPI)
    list(PREPEND link_flags ${MPI_C_LIBRARIES})
    _retro_launcher(launcher 2)
  endif()
  _retro_manifest(${name}
    SUITE ${RETRO_SUITE} TARGET ${target} PLUGIN "${plugin}" SOURCES ${sources} INCLUDES ${includes} FLAGS ${arg_FLAGS}
    DEFINITIONS ${arg_DEFINITIONS} VARIANTS restrict plain KERNELS ${arg_KERNELS} SIZES ${arg_SIZES}
    DEFAULT_SIZE ${arg_DEFAULT_SIZE} SCALING_SIZES ${arg_SCALING_SIZES} TEST_SIZES ${arg_TEST_SIZES} ${arg_SLOW_TEST_SIZES}
    FIXED ${fixed_objects} LINK_FLAGS ${link_flags} LAUNCHER ${launcher})
endfunction()
