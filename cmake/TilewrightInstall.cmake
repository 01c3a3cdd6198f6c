# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` gives: the programs, two shared libraries with their public headers, and
# files for find_package and pkg-config. Switched on by TILEWRIGHT_INSTALL (preset `package`).
#
#   tilewright::core    libtilewright-core: map, plan, evaluate; needs oneTBB
#   tilewright::files   libtilewright: all of it, texts, and the library of accelerators and
#                       networks; needs yaml-cpp, fmt and oneTBB
#
# A program links one of them. A library exports what its list in cmake/exports/ names, and nothing
# else; the list is what docs/cpp.md documents (tools/show api).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The headers that `header` includes, itself among them, relative to the project.
function(tilewright_headers_of result header)
  set(open ${header})
  set(all)
  while(open)
    list(POP_FRONT open next)
    if(next IN_LIST all)
      continue()
    endif()
    list(APPEND all ${next})
    file(STRINGS ${PROJECT_SOURCE_DIR}/${next} lines REGEX "^#include \"tilewright/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
      list(APPEND open ${included})
    endforeach()
  endwhile()
  set(${result} ${all} PARENT_SCOPE)
endfunction()

# A linker script that exports the C++ names in cmake/exports/<list>.txt for each list.
function(tilewright_version_script file)
  set(names)
  foreach(list IN LISTS ARGN)
    file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/exports/${list}.txt lines REGEX "^[^#]")
    foreach(line IN LISTS lines)
      string(APPEND names "      ${line};\n")
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/cmake/exports/${list}.txt)
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT
"TILEWRIGHT_@PROJECT_VERSION_MAJOR@.@PROJECT_VERSION_MINOR@ {
  global:
    extern \"C++\" {
@names@    };
  local: *;
};
" @ONLY)
endfunction()

# tilewright_shared(name OUTPUT file HEADER umbrella EXPORTS lists... MODULES ... LINKS ...)
function(tilewright_shared name)
  cmake_parse_arguments(S "" "OUTPUT;HEADER" "EXPORTS;MODULES;LINKS" ${ARGN})
  set(target tilewright_lib_${name})
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${name}.map)
  tilewright_version_script(${script} ${S_EXPORTS})
  set(objects)
  foreach(module IN LISTS S_MODULES)
    list(APPEND objects $<TARGET_OBJECTS:tilewright_${module}>)
  endforeach()
  add_library(${target} SHARED ${objects})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE ${S_LINKS})
  target_link_options(${target} PRIVATE -Wl,--version-script=${script} -Wl,-z,defs)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${S_OUTPUT} EXPORT_NAME ${name} LINK_DEPENDS ${script}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_features(${target} INTERFACE cxx_std_20)
  install(TARGETS ${target} EXPORT tilewrightTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  tilewright_headers_of(headers ${S_HEADER})
  foreach(header IN LISTS headers)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${PROJECT_SOURCE_DIR}/${header}
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT development)
  endforeach()
  set(PACKAGE_LIBRARY ${S_OUTPUT})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tilewright.pc.in ${S_OUTPUT}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${S_OUTPUT}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endfunction()

if(TILEWRIGHT_THREADS STREQUAL "tbb")
  set(thread_library TBB::tbb)
else()
  set(thread_library Threads::Threads)
endif()
get_target_property(yaml_library tilewright_io LINK_LIBRARIES)
list(FILTER yaml_library INCLUDE REGEX "yaml")

set(core_modules base threads workload arch mapping evaluation model mapspace search network plan
  mapper)
tilewright_shared(core OUTPUT tilewright-core HEADER tilewright/tilewright.h EXPORTS core
  MODULES ${core_modules} LINKS ${thread_library})
tilewright_shared(files OUTPUT tilewright HEADER tilewright/files.h EXPORTS core files
  MODULES ${core_modules} format io advice library files
  LINKS ${thread_library} fmt::fmt ${yaml_library})

install(TARGETS tilewright-bin tilewright-verify RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  COMPONENT programs)
add_custom_target(tilewright_libraries DEPENDS tilewright_lib_core tilewright_lib_files)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tilewright)
install(EXPORT tilewrightTargets NAMESPACE tilewright:: DESTINATION ${package_folder}
  COMPONENT development)
write_basic_package_version_file(tilewrightConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/tilewrightConfig.cmake
  CONTENT "include(\"\${CMAKE_CURRENT_LIST_DIR}/tilewrightTargets.cmake\")\n" @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tilewrightConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/tilewrightConfigVersion.cmake DESTINATION ${package_folder}
  COMPONENT development)

# Manual pages and completions, as the program itself prints them.
set(manual_folder ${CMAKE_CURRENT_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${manual_folder}/done
  COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:tilewright-bin> -DFOLDER=${manual_folder}
    -P ${PROJECT_SOURCE_DIR}/cmake/MakeManual.cmake
  DEPENDS tilewright-bin ${PROJECT_SOURCE_DIR}/cmake/MakeManual.cmake
  COMMENT "Manual pages and completions" VERBATIM)
add_custom_target(tilewright_manual ALL DEPENDS ${manual_folder}/done)
install(DIRECTORY ${manual_folder}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT programs)
install(FILES ${manual_folder}/tilewright.bash RENAME tilewright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT programs)
install(FILES ${manual_folder}/tilewright.zsh RENAME _tilewright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT programs)
install(FILES ${manual_folder}/tilewright.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT programs)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
  ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)

# The Debian package, which `tools/package` makes of the tree that it packs: with the libraries of
# others in it, so that it can be installed without a network.
set(CPACK_PACKAGE_NAME tilewright)
set(CPACK_PACKAGE_VENDOR "The Tilewright developers")
set(CPACK_PACKAGE_CONTACT "The Tilewright developers <tilewright@invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "optimal mappings of tensor operations onto accelerators")
set(CPACK_PACKAGE_DESCRIPTION
  "Takes a tensor operation and an accelerator, and gives back the best mapping, proved best.
The programs tilewright and tilewright-verify, shared libraries and C++ headers.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36)")
include(CPack)
