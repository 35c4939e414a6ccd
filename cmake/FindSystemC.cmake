# SPDX-License-Identifier: Apache-2.0
# Finds SystemC (Debian's libsystemc-dev has no CMake package) and defines SystemC::systemc.
#
# The library's symbols carry the C++ standard that it was built with, and its headers refuse to link with another one
# unless SC_CPLUSPLUS names it. The value is found by linking a small program with each candidate.
find_path(SystemC_INCLUDE_DIR NAMES systemc HINTS ENV SYSTEMC_HOME PATH_SUFFIXES include)
find_library(SystemC_LIBRARY NAMES systemc HINTS ENV SYSTEMC_HOME PATH_SUFFIXES lib lib64 lib-linux64)

if(SystemC_INCLUDE_DIR AND EXISTS "${SystemC_INCLUDE_DIR}/sysc/kernel/sc_ver.h")
  file(STRINGS "${SystemC_INCLUDE_DIR}/sysc/kernel/sc_ver.h" _systemc_version_lines
       REGEX "#define SC_VERSION_(MAJOR|MINOR|PATCH)[ \t]+[0-9]+")
  list(TRANSFORM _systemc_version_lines REPLACE "^[^0-9]*([0-9]+).*$" "\\1")
  list(JOIN _systemc_version_lines "." SystemC_VERSION)
endif()

if(SystemC_INCLUDE_DIR AND SystemC_LIBRARY AND NOT SystemC_CPLUSPLUS)
  set(_systemc_probe "${CMAKE_BINARY_DIR}/CMakeFiles/systemc_probe.cpp")
  file(WRITE "${_systemc_probe}" "#include <systemc>\nint sc_main(int, char**) { return 0; }\n"
                                 "int main(int n, char** v) { return sc_core::sc_elab_and_sim(n, v); }\n")
  foreach(_systemc_candidate 201703L 202002L 201402L 201103L)
    try_compile(_systemc_links "${CMAKE_BINARY_DIR}/CMakeFiles/systemc_probe_${_systemc_candidate}" "${_systemc_probe}"
                COMPILE_DEFINITIONS -DSC_CPLUSPLUS=${_systemc_candidate}
                CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${SystemC_INCLUDE_DIR}"
                LINK_LIBRARIES "${SystemC_LIBRARY}"
                CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
    if(_systemc_links)
      set(SystemC_CPLUSPLUS ${_systemc_candidate} CACHE STRING "C++ standard that libsystemc was built with")
      break()
    endif()
  endforeach()
  unset(_systemc_links CACHE)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SystemC
  REQUIRED_VARS SystemC_LIBRARY SystemC_INCLUDE_DIR SystemC_CPLUSPLUS
  VERSION_VAR SystemC_VERSION
  REASON_FAILURE_MESSAGE "on Debian: apt-get install libsystemc-dev")
mark_as_advanced(SystemC_INCLUDE_DIR SystemC_LIBRARY SystemC_CPLUSPLUS)

if(SystemC_FOUND AND NOT TARGET SystemC::systemc)
  add_library(SystemC::systemc UNKNOWN IMPORTED)
  # Imported targets' includes are SYSTEM. The sockets of tlm_utils need the dynamic processes in whatever order they
  # and <systemc> are included.
  set_target_properties(SystemC::systemc PROPERTIES
    IMPORTED_LOCATION "${SystemC_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${SystemC_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS "SC_CPLUSPLUS=${SystemC_CPLUSPLUS};SC_INCLUDE_DYNAMIC_PROCESSES")
endif()
