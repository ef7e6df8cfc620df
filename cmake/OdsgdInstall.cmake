# make install: the programs, and the modules as a CMake package for other programs (find_package(odsgd)).
# odsgd_module() puts every module into the export set.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/odsgd)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/odsgd DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  EXPORT odsgdTargets
  NAMESPACE odsgd::
  DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/odsgdConfig.cmake.in ${PROJECT_BINARY_DIR}/odsgdConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/odsgdConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/odsgdConfig.cmake ${PROJECT_BINARY_DIR}/odsgdConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindDNNL.cmake DESTINATION ${package_dir})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/jobs DESTINATION ${CMAKE_INSTALL_DATADIR}/odsgd)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
