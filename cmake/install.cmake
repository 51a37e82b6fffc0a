# SPDX-License-Identifier: Apache-2.0
# The files and directories of `make install`, and the files for find_package(cleave) and
# pkg-config.  Installed files contain neither the build tree nor the prefix.
include(CMakePackageConfigHelpers)

install(TARGETS cleave_shared EXPORT cleaveSharedTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS cleave_static EXPORT cleaveStaticTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES
  ${PROJECT_SOURCE_DIR}/include/cleave/circuit.h
  ${PROJECT_SOURCE_DIR}/include/cleave/cleave.h
  ${PROJECT_SOURCE_DIR}/include/cleave/evaluate.h
  ${PROJECT_SOURCE_DIR}/include/cleave/generate.h
  ${PROJECT_SOURCE_DIR}/include/cleave/graph.h
  ${PROJECT_SOURCE_DIR}/include/cleave/map.h
  ${PROJECT_SOURCE_DIR}/include/cleave/mapping.h
  ${PROJECT_SOURCE_DIR}/include/cleave/matrix.h
  ${PROJECT_SOURCE_DIR}/include/cleave/order.h
  ${PROJECT_SOURCE_DIR}/include/cleave/remap.h
  ${PROJECT_SOURCE_DIR}/include/cleave/schedule.h
  ${PROJECT_SOURCE_DIR}/include/cleave/solve.h
  ${PROJECT_SOURCE_DIR}/include/cleave/status.h
  ${PROJECT_SOURCE_DIR}/include/cleave/target.h
  ${PROJECT_SOURCE_DIR}/include/cleave/tasks.h
  ${PROJECT_SOURCE_DIR}/include/cleave/team.h
  ${PROJECT_SOURCE_DIR}/include/cleave/view.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cleave)
if(TARGET cleave_mpi_shared)
  install(TARGETS cleave_mpi_shared EXPORT cleaveMpiSharedTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(TARGETS cleave_mpi_static EXPORT cleaveMpiStaticTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/mpi/include/cleave/cleave_mpi.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cleave)
endif()
# At the end of installing, when the libraries are there.
if(CLEAVE_TOP_LEVEL AND UNIX AND NOT APPLE)
  install(CODE "
    include(\"${CMAKE_CURRENT_LIST_DIR}/loader.cmake\")
    set(libdir \"${CMAKE_INSTALL_LIBDIR}\")
    if(NOT IS_ABSOLUTE \"\${libdir}\")
      set(libdir \"\${CMAKE_INSTALL_PREFIX}/\${libdir}\")
    endif()
    cleave_update_loader(\"\${libdir}\" INSTALLED)")
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Sources that users compile: pkg-config --variable=examples cleave, and --variable=fortran.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES ${PROJECT_SOURCE_DIR}/bindings/fortran/cleave.f90
  DESTINATION ${CMAKE_INSTALL_DATADIR}/cleave/fortran)
install(FILES ${PROJECT_SOURCE_DIR}/bindings/fortran/partition_mesh.f90
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

# Separate export sets, because only users of the static library need the libraries that it links
# to, and only those of libcleave-mpi need MPI.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cleave)
set(export_sets Shared Static)
if(TARGET cleave_mpi_shared)
  list(APPEND export_sets MpiShared MpiStatic)
endif()
foreach(kind ${export_sets})
  install(EXPORT cleave${kind}Targets NAMESPACE cleave:: DESTINATION ${package_dir})
endforeach()
set(CLEAVE_DEFAULT_TARGET static)
if(BUILD_SHARED_LIBS)
  set(CLEAVE_DEFAULT_TARGET shared)
endif()
set(CLEAVE_NEEDS_ZLIB ${ZLIB_FOUND})
set(CLEAVE_NEEDS_JANSSON ${JANSSON_FOUND})
set(CLEAVE_NEEDS_HWLOC ${HWLOC_FOUND})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cleaveConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cleaveConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break its predecessor.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cleaveConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cleaveConfig.cmake
  ${PROJECT_BINARY_DIR}/cleaveConfigVersion.cmake DESTINATION ${package_dir})

# The prefix relative to where cleave.pc lies, so that the whole tree may be moved.
file(RELATIVE_PATH CLEAVE_PC_UP
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" CLEAVE_PC_UP "${CLEAVE_PC_UP}")
foreach(dir LIBDIR INCLUDEDIR DOCDIR DATADIR)
  set(CLEAVE_PC_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
    set(CLEAVE_PC_${dir} "${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
set(CLEAVE_PC_PRIVATE "-pthread -lm")
if(ZLIB_FOUND)
  set(CLEAVE_PC_PRIVATE "-lz ${CLEAVE_PC_PRIVATE}")
endif()
if(JANSSON_FOUND)
  set(CLEAVE_PC_PRIVATE "-ljansson ${CLEAVE_PC_PRIVATE}")
endif()
if(HWLOC_FOUND)
  set(CLEAVE_PC_PRIVATE "-lhwloc ${CLEAVE_PC_PRIVATE}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/cleave.pc.in ${PROJECT_BINARY_DIR}/cleave.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cleave.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET cleave_mpi_shared)
  configure_file(${PROJECT_SOURCE_DIR}/mpi/cleave-mpi.pc.in ${PROJECT_BINARY_DIR}/cleave-mpi.pc
    @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/cleave-mpi.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

install(FILES ${PROJECT_SOURCE_DIR}/docs/man/libcleave.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
if(TARGET cleave_cli)
  install(TARGETS cleave_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  foreach(section 1 5 7)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/man/
      DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} FILES_MATCHING PATTERN "*.${section}"
      PATTERN "cleave-mpi.1" EXCLUDE)
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/cli/completion/cleave.bash RENAME cleave
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
if(TARGET cleave_mpi_cli)
  install(TARGETS cleave_mpi_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/docs/man/cleave-mpi.1
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
