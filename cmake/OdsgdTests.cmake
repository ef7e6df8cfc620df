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
  if(arg_RANKS)
    add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${arg_RANKS}
                                  $<TARGET_FILE:test_${name}> ${arg_RANKS})
    set_tests_properties(${name} PROPERTIES PROCESSORS 2 LABELS "mpi;${arg_LABELS}")
  else()
    target_link_libraries(test_${name} PRIVATE odsgd_doctest_main)
    add_test(NAME ${name} COMMAND test_${name})
    set_tests_properties(${name} PROPERTIES LABELS "unit;${arg_LABELS}")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${ODSGD_TEST_ENVIRONMENT}")
endfunction()

# Open MPI as root and with more ranks than cores; the same settings that `make demo` uses.
set(ODSGD_TEST_ENVIRONMENT
    OMP_NUM_THREADS=1
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_hwloc_base_binding_policy=none
    OMPI_MCA_mpi_yield_when_idle=1)

# Compiled once: doctest's implementation is the slowest part of every test program.
add_library(odsgd_doctest_main OBJECT ${PROJECT_SOURCE_DIR}/tests/doctest_main.cpp)
target_link_libraries(odsgd_doctest_main PUBLIC doctest::doctest)
