# Finds what the build needs. Nothing is downloaded; what is missing is named with its Debian and Spack package.

# odsgd_require(name DEBIAN package SPACK package [FIND find_package-arguments...] [TESTS_ONLY])
# A macro: find_package must set its variables in the caller's scope. What is not TESTS_ONLY is also looked for by the
# installed package (odsgdConfig.cmake). cmake/scripts/deps.sh knows the same packages.
macro(odsgd_require name)
  cmake_parse_arguments(require "TESTS_ONLY" "DEBIAN;SPACK" "FIND" ${ARGN})
  find_package(${name} QUIET ${require_FIND})
  if(NOT ${name}_FOUND)
    string(APPEND odsgd_missing "  ${name}: Debian ${require_DEBIAN}, Spack ${require_SPACK}\n")
  endif()
  if(NOT require_TESTS_ONLY)
    list(JOIN require_FIND " " require_arguments)
    string(APPEND odsgd_find_dependencies "find_dependency(${name} ${require_arguments})\n")
  endif()
endmacro()

set(odsgd_missing "")
set(odsgd_find_dependencies "find_dependency(Threads)\n")
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
odsgd_require(MPI DEBIAN "libopenmpi-dev openmpi-bin" SPACK openmpi FIND COMPONENTS CXX)
odsgd_require(HDF5 DEBIAN libhdf5-dev SPACK "hdf5~mpi" FIND COMPONENTS C)
# Version 3 has no operation descriptors any more, which src/compute/cpu is written with.
odsgd_require(DNNL DEBIAN libdnnl-dev SPACK onednn@2 FIND 2.6...<3)
odsgd_require(CLI11 DEBIAN libcli11-dev SPACK cli11 FIND CONFIG)
odsgd_require(fmt DEBIAN libfmt-dev SPACK fmt FIND CONFIG)
odsgd_require(tomlplusplus DEBIAN libtomlplusplus-dev SPACK tomlplusplus FIND CONFIG)
odsgd_require(nlohmann_json DEBIAN nlohmann-json3-dev SPACK nlohmann-json FIND CONFIG)
odsgd_require(ZLIB DEBIAN zlib1g-dev SPACK zlib)
odsgd_require(OpenSSL DEBIAN libssl-dev SPACK openssl FIND COMPONENTS Crypto)
odsgd_require(OpenMP DEBIAN g++ SPACK gcc FIND COMPONENTS CXX)
if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  odsgd_require(doctest DEBIAN doctest-dev SPACK doctest FIND CONFIG TESTS_ONLY)
endif()
if(odsgd_missing)
  message(FATAL_ERROR "These packages are missing ('make deps' installs them on Debian):\n"
                      "${odsgd_missing}")
endif()

if(ODSGD_CUDA STREQUAL "ON")
  message(FATAL_ERROR "ODSGD_CUDA=ON: this version of odsgd has no CUDA backend; use AUTO or OFF")
endif()
