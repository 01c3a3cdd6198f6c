# SPDX-License-Identifier: Apache-2.0
# tilewright_module(name [COLD] HEADERS ... SOURCES ... APART ... TESTS ... DEPENDS modules... LIBS packages...)
# makes the library tilewright::name, the test binary unit.name (label "unit"), and puts the headers
# into a set so that each is compiled alone (target all_verify_interface_header_sets): but for those
# that a source of the same name includes first. COLD: nothing in it takes time, so less of it goes
# into compiling. APART: sources and tests that a unity build (TILEWRIGHT_UNITY) compiles alone, since
# names in their unnamed namespaces stand in other sources too.
function(tilewright_module name)
  cmake_parse_arguments(M "COLD" "" "HEADERS;SOURCES;APART;TESTS;DEPENDS;LIBS" ${ARGN})
  tilewright_batches(compiled NAME ${name} SOURCES ${M_SOURCES} APART ${M_APART})
  add_library(tilewright_${name} STATIC ${compiled})
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
    tilewright_test(unit.${name} LABEL unit SOURCES ${M_TESTS} APART ${M_APART} DEPENDS ${name})
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
  # Without the time in it, two builds of the header are the same to ccache.
  target_compile_options(tilewright_test_headers PRIVATE -O0
    $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  target_precompile_headers(tilewright_test_headers PRIVATE <gtest/gtest.h>)
endfunction()

# tilewright_test(name LABEL l SOURCES ... APART ... DEPENDS modules... LIBS ...): a GoogleTest binary,
# one CTest case a test.
function(tilewright_test name)
  cmake_parse_arguments(T "" "LABEL;TIMEOUT" "SOURCES;APART;DEPENDS;LIBS" ${ARGN})
  tilewright_batches(compiled NAME ${name} SOURCES ${T_SOURCES} APART ${T_APART})
  add_executable(${name} ${compiled})
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

# tilewright_batches(result NAME n SOURCES ... APART ...): what a library or program compiles: its
# sources, or in a unity build files in the folder TILEWRIGHT_UNITY that include eight of them each, and
# the sources that stand apart; generated sources always do. CMake's own unity builds have absolute
# paths in a folder per build, so that ccache could not reuse objects in another build or checkout.
function(tilewright_batches result)
  cmake_parse_arguments(B "" "NAME" "SOURCES;APART" ${ARGN})
  if(NOT TILEWRIGHT_UNITY)
    set(${result} ${B_SOURCES} PARENT_SCOPE)
    return()
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(together)
  set(files)
  foreach(source IN LISTS B_SOURCES)
    if(IS_ABSOLUTE ${source} OR source IN_LIST B_APART)
      list(APPEND files ${source})
    else()
      list(APPEND together ${source})
    endif()
  endforeach()
  set(number 0)
  while(together)
    set(batch ${TILEWRIGHT_UNITY}/${B_NAME}_${number}.cpp)
    math(EXPR number "${number} + 1")
    set(text "")
    foreach(i RANGE 1 8)
      list(POP_FRONT together source)
      if(source)
        string(APPEND text "#include \"${folder}/${source}\"\n")
      endif()
    endforeach()
    file(GENERATE OUTPUT ${batch} CONTENT "${text}")
    # GCC warns of unnamed namespaces in included files.
    set_source_files_properties(${batch} PROPERTIES
      COMPILE_OPTIONS "$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>")
    list(APPEND files ${batch})
  endwhile()
  set(${result} ${files} PARENT_SCOPE)
endfunction()
