# SPDX-License-Identifier: BSD-3-Clause
#
# find_package(mpix): a target mpix::openmpi, mpix::mpich or mpix::abi for each MPI that a libmpix is
# installed for, and mpix::mpix, which is that of the MPI that find_package(MPI) has found. Who knows
# better sets MPIX_HOST_MPI, before or in the environment. Programs are linked with MPI too, behind
# libmpix.
include(CMakeFindDependencyMacro)
find_dependency(MPI)

get_filename_component(_mpix_prefix "${CMAKE_CURRENT_LIST_DIR}/@prefix@" ABSOLUTE)
foreach(_mpix_host openmpi mpich abi)
  set(_mpix_name mpix)
  if(_mpix_host STREQUAL abi)
    set(_mpix_name mpix_abi)
  endif()
  set(_mpix_library "${_mpix_prefix}/@libdir@/mpix/${_mpix_host}/lib${_mpix_name}.so")
  if(EXISTS "${_mpix_library}" AND NOT TARGET mpix::${_mpix_host})
    add_library(mpix::${_mpix_host} SHARED IMPORTED)
    set_target_properties(mpix::${_mpix_host} PROPERTIES
      IMPORTED_LOCATION "${_mpix_library}"
      INTERFACE_INCLUDE_DIRECTORIES "${_mpix_prefix}/@includedir@")
    if(TARGET MPI::MPI_C)
      set_property(TARGET mpix::${_mpix_host} PROPERTY INTERFACE_LINK_LIBRARIES MPI::MPI_C)
    else()
      set_property(TARGET mpix::${_mpix_host} PROPERTY INTERFACE_LINK_LIBRARIES MPI::MPI_CXX)
    endif()
  endif()
endforeach()

# What the MPI is that find_package(MPI) has found: its header says so, or the name of its library.
set(_mpix_found "")
foreach(_mpix_folder ${MPI_C_INCLUDE_DIRS} ${MPI_CXX_INCLUDE_DIRS})
  if(EXISTS "${_mpix_folder}/mpi.h" AND NOT _mpix_found)
    file(STRINGS "${_mpix_folder}/mpi.h" _mpix_lines
         REGEX "^#define +(OMPI_MAJOR_VERSION|MPICH_VERSION) ")
    if(_mpix_lines MATCHES "OMPI_MAJOR_VERSION")
      set(_mpix_found openmpi)
    elseif(_mpix_lines MATCHES "MPICH_VERSION")
      set(_mpix_found mpich)
    endif()
  endif()
endforeach()
set(_mpix_mpi "${MPI_C_LIBRARIES};${MPI_CXX_LIBRARIES};${MPI_Fortran_LIBRARIES}")
if(_mpix_mpi MATCHES "libmpi_abi")
  set(_mpix_found abi)
elseif(_mpix_mpi MATCHES "libmpich" AND NOT _mpix_found)
  set(_mpix_found mpich)
endif()

if(NOT MPIX_HOST_MPI)
  set(MPIX_HOST_MPI "$ENV{MPIX_HOST_MPI}")
endif()
set(_mpix_names "openmpi;mpich")
if(NOT MPIX_HOST_MPI AND _mpix_found)
  set(MPIX_HOST_MPI ${_mpix_found})
elseif(NOT MPIX_HOST_MPI)
  set(MPIX_HOST_MPI openmpi)
endif()
if(MPIX_HOST_MPI IN_LIST _mpix_names AND _mpix_found IN_LIST _mpix_names AND
   NOT MPIX_HOST_MPI STREQUAL _mpix_found)
  set(mpix_FOUND FALSE)
  set(mpix_NOT_FOUND_MESSAGE
      "MPIX_HOST_MPI is ${MPIX_HOST_MPI}, and find_package(MPI) has found ${_mpix_found}: set MPI_C_COMPILER too")
elseif(NOT TARGET mpix::${MPIX_HOST_MPI})
  set(mpix_FOUND FALSE)
  set(mpix_NOT_FOUND_MESSAGE "no libmpix for ${MPIX_HOST_MPI} is installed in ${_mpix_prefix}")
elseif(NOT TARGET mpix::mpix)
  add_library(mpix::mpix INTERFACE IMPORTED)
  set_target_properties(mpix::mpix PROPERTIES INTERFACE_LINK_LIBRARIES mpix::${MPIX_HOST_MPI})
endif()
