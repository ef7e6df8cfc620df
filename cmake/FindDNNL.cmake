# Finds oneDNN: DNNL_FOUND and the target DNNL::dnnl.
#
# Debian's own dnnl-config.cmake insists on OpenCL's development files, which a CPU program does not need.
find_path(DNNL_INCLUDE_DIR NAMES dnnl.hpp)
find_library(DNNL_LIBRARY NAMES dnnl)
if(DNNL_INCLUDE_DIR AND EXISTS ${DNNL_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h)
  file(STRINGS ${DNNL_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h lines REGEX "define DNNL_VERSION_(MAJOR|MINOR|PATCH) ")
  string(REGEX REPLACE "[^0-9;]" "" DNNL_VERSION "${lines}")
  string(REPLACE ";" "." DNNL_VERSION "${DNNL_VERSION}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  DNNL
  REQUIRED_VARS DNNL_LIBRARY DNNL_INCLUDE_DIR
  VERSION_VAR DNNL_VERSION
  HANDLE_VERSION_RANGE)
mark_as_advanced(DNNL_INCLUDE_DIR DNNL_LIBRARY)
if(DNNL_FOUND AND NOT TARGET DNNL::dnnl)
  add_library(DNNL::dnnl UNKNOWN IMPORTED)
  set_target_properties(DNNL::dnnl PROPERTIES IMPORTED_LOCATION ${DNNL_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES
                                                                                ${DNNL_INCLUDE_DIR})
endif()
