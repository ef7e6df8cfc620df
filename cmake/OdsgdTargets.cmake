# How every target of this project is compiled, and the functions that declare them.
include(GNUInstallDirs)
include(CheckCXXCompilerFlag)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

# The programs, not the tests: build/<preset>/bin/odsgd.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

add_library(odsgd_options INTERFACE)
target_include_directories(odsgd_options INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_compile_options(
  odsgd_options
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
            -Woverloaded-virtual
            # A contracted multiply-add rounds once where two operations round twice, and the compiler contracts
            # differently in a vector body and in its remainder: without this a result would depend on slice sizes.
            -ffp-contract=off
            # Nobody reads errno after a square root, and setting it keeps loops from becoming vectors.
            -fno-math-errno
            # GCC 12 sees overlaps in joined strings that are none (GCC bug 105651).
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
            $<$<BOOL:${ODSGD_WERROR}>:-Werror>)

set(arch "${ODSGD_ARCH}")
if("${arch}" STREQUAL "" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  check_cxx_compiler_flag(-march=x86-64-v3 ODSGD_HAS_X86_64_V3)
  if(ODSGD_HAS_X86_64_V3)
    set(arch x86-64-v3)
  endif()
endif()
if(NOT "${arch}" STREQUAL "")
  target_compile_options(odsgd_options INTERFACE -march=${arch})
endif()

if(ODSGD_SANITIZE)
  target_compile_options(odsgd_options INTERFACE -fsanitize=${ODSGD_SANITIZE}
                                                 -fno-omit-frame-pointer)
  target_link_options(odsgd_options INTERFACE -fsanitize=${ODSGD_SANITIZE})
  # GCC then takes library code such as std::regex for reads of uninitialised memory, which it is not.
  target_compile_options(odsgd_options INTERFACE -Wno-maybe-uninitialized)
endif()

# odsgd_module(name SOURCES ... USES modules... LIBRARIES targets...)
# One static library a module. USES are the modules that its public headers may include; LIBRARIES stay private.
function(odsgd_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES;LIBRARIES")
  add_library(odsgd_${name} STATIC ${arg_SOURCES})
  add_library(odsgd::${name} ALIAS odsgd_${name})
  list(TRANSFORM arg_USES PREPEND odsgd_)
  target_link_libraries(
    odsgd_${name}
    PUBLIC ${arg_USES} fmt::fmt
    PRIVATE $<BUILD_INTERFACE:odsgd_options> ${arg_LIBRARIES})
  target_include_directories(
    odsgd_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(odsgd_${name} PUBLIC cxx_std_20)
  set_target_properties(odsgd_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS odsgd_${name} EXPORT odsgdTargets)
endfunction()

include(OdsgdInstall)
