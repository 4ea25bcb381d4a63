# What `cmake --install` gives: the plugin, its headers, the CMake package and the compiler wrappers.
include(CMakePackageConfigHelpers)

set(RETRO_INSTALL_PLUGIN_DIR "${CMAKE_INSTALL_LIBDIR}/retrograde")
set(RETRO_INSTALL_PLUGIN "${RETRO_INSTALL_PLUGIN_DIR}/retrograde.so")
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Retrograde")

install(TARGETS retrograde LIBRARY DESTINATION "${RETRO_INSTALL_PLUGIN_DIR}")
if(EXISTS "${PROJECT_SOURCE_DIR}/engine/include")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/engine/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()

configure_package_config_file(cmake/RetrogradeConfig.cmake.in "${PROJECT_BINARY_DIR}/package/RetrogradeConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" PATH_VARS RETRO_INSTALL_PLUGIN CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/RetrogradeConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/package/RetrogradeConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/RetrogradeConfigVersion.cmake"
  cmake/RetroDifferentiation.cmake
  DESTINATION "${package_dir}")

# The wrappers find the plugin from their own place, so that an installed tree can be moved.
file(RELATIVE_PATH RETRO_ROOT_FROM_BIN "/${CMAKE_INSTALL_BINDIR}" "/")
foreach(compiler IN ITEMS clang clang++)
  set(RETRO_WRAPPED "${compiler}-${RETRO_LLVM_MAJOR}")
  configure_file(cmake/retro-clang.in "${PROJECT_BINARY_DIR}/package/retro-${compiler}" @ONLY)
  install(PROGRAMS "${PROJECT_BINARY_DIR}/package/retro-${compiler}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endforeach()
