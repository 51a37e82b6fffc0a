# SPDX-License-Identifier: Apache-2.0
# Part of installing and uninstalling: the loader finds shared libraries by its cache, which
# ldconfig writes.

# Sets RESULT to the path of ldconfig, or to an empty string.
function(cleave_find_ldconfig result)
  find_program(CLEAVE_LDCONFIG ldconfig PATHS /sbin /usr/sbin)
  set(${result} "" PARENT_SCOPE)
  if(CLEAVE_LDCONFIG)
    set(${result} ${CLEAVE_LDCONFIG} PARENT_SCOPE)
  endif()
endfunction()

# Sets RESULT to whether the loader searches FOLDER, by its defaults or its configuration.
function(cleave_loader_searches result ldconfig folder)
  set(${result} OFF PARENT_SCOPE)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${ldconfig} -v -N -X
    OUTPUT_VARIABLE listed ERROR_QUIET)
  get_filename_component(wanted "${folder}" REALPATH)
  string(REGEX MATCHALL "(^|\n)/[^:\n]*:" folders "${listed}")
  foreach(line ${folders})
    string(REGEX REPLACE "[\n:]" "" line "${line}")
    get_filename_component(line "${line}" REALPATH)
    if(line STREQUAL wanted)
      set(${result} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# After libraries were INSTALLED in FOLDER or REMOVED from it: updates the loader's cache and, if
# programs would not start, prints what to do.  Does nothing below DESTDIR.
function(cleave_update_loader folder event)
  cleave_find_ldconfig(ldconfig)
  if(NOT ldconfig)
    return()
  endif()
  if(NOT "$ENV{DESTDIR}" STREQUAL "")
    message(STATUS "Loader: run ldconfig once ${folder} is where it belongs")
    return()
  endif()
  cleave_loader_searches(searched ${ldconfig} "${folder}")
  if(NOT searched AND event STREQUAL "REMOVED")
    return()
  endif()
  if(NOT searched)
    message(STATUS "Loader: it does not look into ${folder}: link programs with "
      "-Wl,-rpath,${folder}, or set LD_LIBRARY_PATH=${folder}, or add ${folder} to "
      "/etc/ld.so.conf.d and run ldconfig as root")
    return()
  endif()
  execute_process(COMMAND ${ldconfig} RESULT_VARIABLE failed ERROR_QUIET OUTPUT_QUIET)
  if(failed)
    message(STATUS "Loader: its cache could not be written: run ldconfig as root")
  else()
    message(STATUS "Loader: ldconfig has updated its cache")
  endif()
endfunction()
