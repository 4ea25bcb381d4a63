# What `cmake --install` gives: the plugin, its headers, the verifier (library and tool), the Python package, the CMake package and the compiler
# wrappers. Nothing in it holds the place it was installed to, so that the tree can be moved.
include(CMakePackageConfigHelpers)

# All that is installed: the rest are tests, benchmarks and tools of developers.
add_custom_target(user)
add_dependencies(user retrograde retro_verify retro-verify-driver)
if(TARGET retro_cuda)
  add_dependencies(user retro_cuda)
endif()

set(RETRO_INSTALL_PLUGIN_DIR "${CMAKE_INSTALL_LIBDIR}/retrograde")
set(RETRO_INSTALL_PLUGIN "${RETRO_INSTALL_PLUGIN_DIR}/retrograde.so")
set(RETRO_INSTALL_VERIFY_DIR "${CMAKE_INSTALL_LIBDIR}/retrograde/verify")
set(RETRO_INSTALL_GPU_DIR "${RETRO_INSTALL_PLUGIN_DIR}/gpu")
set(RETRO_INSTALL_VERIFY_LIBRARY "${CMAKE_INSTALL_LIBDIR}/libretro_verify.a")
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Retrograde")

install(TARGETS retrograde retrograde-engine LIBRARY DESTINATION "${RETRO_INSTALL_PLUGIN_DIR}")
foreach(headers IN ITEMS engine/include verify/include)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${headers}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${headers}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  endif()
endforeach()

if(TARGET retro_cuda)
  install(TARGETS retro_cuda ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
if(TARGET retro_gpu_pass) # kernels on the CPU, where that was built: the target `user` leaves it out
  install(TARGETS retro_gpu_pass retro_gpu OPTIONAL
    LIBRARY DESTINATION "${RETRO_INSTALL_GPU_DIR}" ARCHIVE DESTINATION "${RETRO_INSTALL_GPU_DIR}")
  install(FILES "${PROJECT_SOURCE_DIR}/engine/runtime/gpu_on_cpu/gpu_on_cpu.py" DESTINATION "${RETRO_INSTALL_GPU_DIR}")
endif()
install(TARGETS retro_verify ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS retro-verify-driver RUNTIME DESTINATION "${RETRO_INSTALL_VERIFY_DIR}")
if(TARGET retro-validate) # the proofs of `retro-verify --prove`, where they were built
  install(TARGETS retro-validate RUNTIME DESTINATION "${RETRO_INSTALL_VERIFY_DIR}" OPTIONAL)
endif()
install(FILES "${PROJECT_SOURCE_DIR}/verify/__init__.py" DESTINATION "${RETRO_INSTALL_VERIFY_DIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/verify/tool" DESTINATION "${RETRO_INSTALL_VERIFY_DIR}" FILES_MATCHING PATTERN "*.py" PATTERN "rounding.h")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/retro" DESTINATION "${RETRO_INSTALL_PLUGIN_DIR}/python" FILES_MATCHING PATTERN "*.py"
  PATTERN __pycache__ EXCLUDE)

# The names of the toggles, so that a project that names one wrongly is told when it is configured.
file(STRINGS "${PROJECT_SOURCE_DIR}/engine/base/toggles.def" lines REGEX "^TOGGLE\\(")
set(RETRO_TOGGLES "")
foreach(line IN LISTS lines)
  if(line MATCHES "\"([a-z-]+)\"")
    list(APPEND RETRO_TOGGLES "${CMAKE_MATCH_1}")
  endif()
endforeach()
configure_package_config_file(cmake/RetrogradeConfig.cmake.in "${PROJECT_BINARY_DIR}/package/RetrogradeConfig.cmake"
  INSTALL_DESTINATION "${package_dir}"
  PATH_VARS RETRO_INSTALL_PLUGIN RETRO_INSTALL_VERIFY_LIBRARY CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/RetrogradeConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/package/RetrogradeConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/RetrogradeConfigVersion.cmake"
  cmake/RetroDifferentiation.cmake
  DESTINATION "${package_dir}")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/retrograde" FILES_MATCHING PATTERN "*.md") # messages name its pages
foreach(page IN ITEMS LICENSE NOTICE README.md CHANGELOG.md)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${page}")
    install(FILES "${page}" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/retrograde")
  endif()
endforeach()

file(RELATIVE_PATH RETRO_ROOT_FROM_PKGCONFIG "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" RETRO_ROOT_FROM_PKGCONFIG "${RETRO_ROOT_FROM_PKGCONFIG}")
configure_file(cmake/retrograde.pc.in "${PROJECT_BINARY_DIR}/package/retrograde.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/retrograde.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# The commands find what they need from their own place.
file(RELATIVE_PATH RETRO_ROOT_FROM_BIN "/${CMAKE_INSTALL_BINDIR}" "/")
foreach(compiler IN ITEMS clang clang++)
  set(RETRO_WRAPPED "${compiler}-${RETRO_LLVM_MAJOR}")
  configure_file(cmake/retro-clang.in "${PROJECT_BINARY_DIR}/package/retro-${compiler}" @ONLY)
  install(PROGRAMS "${PROJECT_BINARY_DIR}/package/retro-${compiler}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endforeach()
set(RETRO_WRAPPED "flang-${RETRO_LLVM_MAJOR}")
configure_file(cmake/retro-flang.in "${PROJECT_BINARY_DIR}/package/retro-flang" @ONLY)
install(PROGRAMS "${PROJECT_BINARY_DIR}/package/retro-flang" DESTINATION "${CMAKE_INSTALL_BINDIR}")
foreach(tool IN ITEMS retro-verify retro-gpu-emulate)
  configure_file(cmake/${tool}.in "${PROJECT_BINARY_DIR}/package/${tool}" @ONLY)
  install(PROGRAMS "${PROJECT_BINARY_DIR}/package/${tool}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endforeach()
