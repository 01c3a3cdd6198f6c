# SPDX-License-Identifier: Apache-2.0
# tilewright_module(name [COLD] HEADERS ... SOURCES ... TESTS ... DEPENDS modules... LIBS packages...)
# makes the library tilewright::name, the test binary unit.name (label "unit"), and puts the headers
# into a set so that each is compiled alone (target all_verify_interface_header_sets): but for those
# that a source of the same name includes first. COLD: nothing in it takes time, so less of it goes
# into compiling.
function(tilewright_module name)
  cmake_parse_arguments(M "COLD" "" "HEADERS;SOURCES;TESTS;DEPENDS;LIBS" ${ARGN})
  add_library(tilewright_${name} STATIC ${M_SOURCES})
  add_library(tilewright::${name} ALIAS tilewright_${name})
  target_sources(tilewright_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${M_HEADERS})
  target_link_libraries(tilewright_${name} PRIVATE tilewright_flags)
  # Its objects go into shared libraries as well: ours, and Python's extension module.
  if(TILEWRIGHT_INSTALL OR TILEWRIGHT_PYTHON OR TILEWRIGHT_PIC)
    set_target_properties(tilewright_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  foreach(dep IN LISTS M_DEPENDS)
    target_link_libraries(tilewright_${name} PUBLIC tilewright::${dep})
  endforeach()
  target_link_libraries(tilewright_${name} PUBLIC ${M_LIBS})
  set(alone)
  foreach(header IN LISTS M_HEADERS)
    string(REGEX REPLACE "\\.h$" ".cpp" source ${header})
    if(NOT source IN_LIST M_SOURCES)
      list(APPEND alone ${header})
    endif()
  endforeach()
  if(alone)
    target_sources(tilewright_${name} PUBLIC FILE_SET alone TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
      FILES ${alone})
    set_target_properties(tilewright_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON
      INTERFACE_HEADER_SETS_TO_VERIFY alone)
  endif()
  if(M_COLD)
    target_compile_options(tilewright_${name} PRIVATE ${TILEWRIGHT_COLD_FLAGS})
  endif()
  if(TILEWRIGHT_TESTS AND M_TESTS)
    tilewright_test(unit.${name} LABEL unit SOURCES ${M_TESTS} DEPENDS ${name})
  endif()
endfunction()

# One precompiled <gtest/gtest.h> for all test programs: it takes longer than most tests do. It must
# know nothing that only some of them define.
function(tilewright_test_headers)
  if(TARGET tilewright_test_headers)
    return()
  endif()
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cpp CONTENT "")
  add_library(tilewright_test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cpp)
  target_link_libraries(tilewright_test_headers PRIVATE tilewright_flags GTest::gtest)
  target_compile_definitions(tilewright_test_headers PRIVATE TILEWRIGHT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(tilewright_test_headers PRIVATE -O0)
  target_precompile_headers(tilewright_test_headers PRIVATE <gtest/gtest.h>)
endfunction()

# tilewright_test(name LABEL l SOURCES ... DEPENDS modules... LIBS ...): a GoogleTest binary, one CTest case a test.
function(tilewright_test name)
  cmake_parse_arguments(T "" "LABEL;TIMEOUT" "SOURCES;DEPENDS;LIBS" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  target_link_libraries(${name} PRIVATE tilewright_flags GTest::gtest GTest::gtest_main ${T_LIBS})
  foreach(dep IN LISTS T_DEPENDS)
    target_link_libraries(${name} PRIVATE tilewright::${dep})
  endforeach()
  target_compile_definitions(${name} PRIVATE TILEWRIGHT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # What takes time is the code under test; the tests' own need only compile fast.
  target_compile_options(${name} PRIVATE -O0)
  tilewright_test_headers()
  target_precompile_headers(${name} REUSE_FROM tilewright_test_headers)
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 300)
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${T_LABEL} TIMEOUT ${T_TIMEOUT})
endfunction()
