# SPDX-License-Identifier: Apache-2.0
# What programs outside of the tree link, and `cmake --install`. Included last: it asks for the targets of all layers.
#
# Ringmesh::model  machines, software, observers        Ringmesh::lab  the command line, studies, reports, too
#
# Both give their users "ringmesh/LAYER/..." to include, the definitions that SystemC wants, and the place of the data. The
# layers' own short includes ("tlm/...") work in the build tree alone; installed headers say "ringmesh/tlm/...".
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(_layers tlm analytic hw workloads traces platforms lab)
set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/Ringmesh")
set(_data "${CMAKE_INSTALL_DATADIR}/ringmesh")

set(_view "${PROJECT_BINARY_DIR}/include/public")
file(MAKE_DIRECTORY "${_view}/ringmesh")
foreach(layer IN LISTS _layers)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${layer}" "${_view}/ringmesh/${layer}" SYMBOLIC)
endforeach()

add_library(ringmesh_model_door INTERFACE)
target_link_libraries(ringmesh_model_door INTERFACE ringmesh_platforms ringmesh_workloads ringmesh_traces
                                                    ringmesh_analytic ringmesh_hw ringmesh_tlm)
target_include_directories(ringmesh_model_door INTERFACE "$<BUILD_INTERFACE:${_view}>"
                                                         "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_compile_definitions(ringmesh_model_door INTERFACE
                           "$<BUILD_INTERFACE:RINGMESH_DATA=\"${PROJECT_SOURCE_DIR}\">")
target_compile_features(ringmesh_model_door INTERFACE cxx_std_20)
set_target_properties(ringmesh_model_door PROPERTIES EXPORT_NAME model)
add_library(ringmesh_lab_door INTERFACE)
target_link_libraries(ringmesh_lab_door INTERFACE ringmesh_lab ringmesh_model_door)
set_target_properties(ringmesh_lab_door PROPERTIES EXPORT_NAME lab)
add_library(Ringmesh::model ALIAS ringmesh_model_door)
add_library(Ringmesh::lab ALIAS ringmesh_lab_door)
if(NOT RINGMESH_INSTALL)
  return()
endif()

install(TARGETS ringmesh RUNTIME COMPONENT program)
if(TARGET ringmesh_processes)
  install(TARGETS ringmesh_processes LIBRARY DESTINATION lib/ringmesh COMPONENT program)
endif()
set(_model ringmesh_model_door)
foreach(layer IN LISTS _layers)
  set_target_properties(ringmesh_${layer} PROPERTIES EXPORT_NAME ${layer}_layer)
  if(NOT layer STREQUAL "lab")
    list(APPEND _model ringmesh_${layer})
  endif()
endforeach()
install(TARGETS ${_model} EXPORT model ARCHIVE COMPONENT library)
install(TARGETS ringmesh_lab ringmesh_lab_door EXPORT lab ARCHIVE COMPONENT library)
foreach(component model lab)
  install(EXPORT ${component} FILE Ringmesh-${component}.cmake NAMESPACE Ringmesh:: DESTINATION "${_package}"
          COMPONENT library)
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/install/RingmeshConfig.cmake.in" RingmeshConfig.cmake
                              INSTALL_DESTINATION "${_package}" PATH_VARS _data CMAKE_INSTALL_INCLUDEDIR)
# Before version 1 a minor version may break its users
write_basic_package_version_file(RingmeshConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/RingmeshConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/RingmeshConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindSystemC.cmake" DESTINATION "${_package}" COMPONENT library)

# pkg-config: static archives, lowest last
get_target_property(_systemc_definitions SystemC::systemc INTERFACE_COMPILE_DEFINITIONS)
list(TRANSFORM _systemc_definitions PREPEND "-D")
list(JOIN _systemc_definitions " " RINGMESH_PC_DEFINITIONS)
set(_pkgconfig "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH RINGMESH_PC_UP "/${_pkgconfig}" "/")
string(REGEX REPLACE "/$" "" RINGMESH_PC_UP "${RINGMESH_PC_UP}")
foreach(name ringmesh ringmesh-lab)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/install/${name}.pc.in" ${name}.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" DESTINATION "${_pkgconfig}" COMPONENT library)
endforeach()

# Headers: those that cmake/install/public-headers names, and what they include
install(CODE "set(ROOT \"${PROJECT_SOURCE_DIR}\")
set(INTO \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/ringmesh\")
include(\"${PROJECT_SOURCE_DIR}/cmake/install/InstallHeaders.cmake\")" COMPONENT library)

install(DIRECTORY platforms/ DESTINATION "${_data}/platforms" COMPONENT program FILES_MATCHING PATTERN "*.toml")
install(DIRECTORY workloads/foreign/program DESTINATION "${_data}/workloads/foreign" COMPONENT program)
install(DIRECTORY studies skeletons DESTINATION "${_data}" COMPONENT program)
install(DIRECTORY traces/examples DESTINATION "${CMAKE_INSTALL_DOCDIR}/traces" COMPONENT program USE_SOURCE_PERMISSIONS)
install(DIRECTORY examples docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)
install(FILES python/ringmesh.ipynb DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)
install(FILES python/ringmesh.py DESTINATION lib/python3/dist-packages COMPONENT program)
install(FILES README.md LICENSE CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)

# What the program says of itself: the manual page, completions of three shells
if(NOT CMAKE_CROSSCOMPILING)
  set(_written "${PROJECT_BINARY_DIR}/written")
  foreach(page IN ITEMS "help --man|${CMAKE_INSTALL_MANDIR}/man1|ringmesh.1"
                        "completion bash|${CMAKE_INSTALL_DATADIR}/bash-completion/completions|ringmesh"
                        "completion zsh|${CMAKE_INSTALL_DATADIR}/zsh/site-functions|_ringmesh"
                        "completion fish|${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d|ringmesh.fish")
    string(REPLACE "|" ";" page "${page}")
    list(POP_FRONT page words folder name)
    string(REPLACE " " ";" words "${words}")
    install(CODE "file(MAKE_DIRECTORY \"${_written}\")
execute_process(COMMAND \"$<TARGET_FILE:ringmesh>\" ${words} OUTPUT_FILE \"${_written}/${name}\" COMMAND_ERROR_IS_FATAL ANY)"
            COMPONENT program)
    install(FILES "${_written}/${name}" DESTINATION "${folder}" COMPONENT program)
  endforeach()
endif()
