# odsgd_test(name SOURCES ... USES modules... [LABELS ...] [RANKS n] [TIMEOUT seconds])
# A doctest program test_<name>. Without RANKS its ranks are threads and doctest brings main(); with RANKS it runs under
# mpirun on that many ranks, and brings a main() that fails when the world has another size.
function(odsgd_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "RANKS;TIMEOUT" "SOURCES;USES;LIBRARIES;LABELS")
  add_executable(test_${name} ${arg_SOURCES})
  list(TRANSFORM arg_USES PREPEND odsgd_)
  target_link_libraries(test_${name} PRIVATE odsgd_options doctest::doctest ${arg_USES}
                                             ${arg_LIBRARIES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set(environment ${ODSGD_TEST_ENVIRONMENT})
  if(arg_RANKS)
    add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${arg_RANKS}
                                  $<TARGET_FILE:test_${name}> ${arg_RANKS})
    set_tests_properties(${name} PROPERTIES PROCESSORS 2 LABELS "mpi;${arg_LABELS}")
    if(ODSGD_SANITIZE MATCHES "address") # Open MPI itself leaks at exit.
      list(APPEND environment ASAN_OPTIONS=detect_leaks=0)
    endif()
  else()
    target_link_libraries(test_${name} PRIVATE odsgd_doctest_main)
    add_test(NAME ${name} COMMAND test_${name})
    set_tests_properties(${name} PROPERTIES LABELS "unit;${arg_LABELS}")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${environment}")
endfunction()

# Open MPI as root and with more ranks than cores; the same settings that `make demo` uses.
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/open_mpi_local.env ODSGD_TEST_ENVIRONMENT REGEX "^[A-Z_]+[A-Za-z_]*=")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/open_mpi_local.env)
if(ODSGD_SANITIZE MATCHES "thread")
  # Libraries that are not built for the thread sanitizer (Open MPI, libevent, HDF5) hide their own synchronisation from
  # it: only what this project's code does counts.
  list(APPEND ODSGD_TEST_ENVIRONMENT TSAN_OPTIONS=ignore_noninstrumented_modules=1)
endif()

# Programs for people go to bin/; test programs stay beside their sources.
unset(CMAKE_RUNTIME_OUTPUT_DIRECTORY)

# Compiled once: doctest's implementation is the slowest part of every test program.
add_library(odsgd_doctest_main OBJECT ${PROJECT_SOURCE_DIR}/tests/doctest_main.cpp)
target_link_libraries(odsgd_doctest_main PUBLIC doctest::doctest)

# odsgd_benchmark(name SOURCES ... USES modules...)
# A program bench_<name> that prints what it measured. Only the target `bench` builds and runs it, one after the other.
add_custom_target(bench)
function(odsgd_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES")
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
  list(TRANSFORM arg_USES PREPEND odsgd_)
  target_link_libraries(bench_${name} PRIVATE odsgd_options ${arg_USES})
  add_custom_target(run_bench_${name} COMMAND ${CMAKE_COMMAND} -E env ${ODSGD_TEST_ENVIRONMENT} $<TARGET_FILE:bench_${name}>
                    USES_TERMINAL)
  add_dependencies(bench run_bench_${name})
endfunction()
