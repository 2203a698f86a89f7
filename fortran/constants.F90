! SPDX-License-Identifier: BSD-3-Clause
!
! Tells buffer.cpp where the modules of the host have the constants that are known by their address.

subroutine constants_of_mpi() bind(C, name="mpix_fortran_constants")
  use mpi, only: MPI_BOTTOM, MPI_IN_PLACE
  implicit none
#include "keep.inc"
  call keep(0, MPI_IN_PLACE, MPI_BOTTOM, .true.)
end subroutine constants_of_mpi

subroutine constants_of_mpi_f08() bind(C, name="mpix_f08_constants")
  use mpi_f08, only: MPI_BOTTOM, MPI_IN_PLACE
  implicit none
#include "keep.inc"
  call keep(1, MPI_IN_PLACE, MPI_BOTTOM, .true.)
end subroutine constants_of_mpi_f08
