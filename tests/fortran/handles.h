! SPDX-License-Identifier: BSD-3-Clause
!
! The same program for both modules, and for counts of both kinds: with -DF08 it is one of mpi_f08,
! with -DLARGE its counts are of MPI_COUNT_KIND, which mpi_f08 has under the same names.
#ifdef F08
#define HOST_MODULE mpi_f08
#define MPIX_MODULE mpix_f08
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define ERRHANDLER type(MPI_Errhandler)
#define INFO type(MPI_Info)
#define REQUEST type(MPI_Request)
#define STATUS(name) type(MPI_Status) :: name
#define TAG_OF(status) status%MPI_TAG
#else
#define HOST_MODULE mpi
#define MPIX_MODULE mpix
#define COMM integer
#define DATATYPE integer
#define ERRHANDLER integer
#define INFO integer
#define REQUEST integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define TAG_OF(status) status(MPI_TAG)
#endif

#ifdef LARGE
#define COUNT integer(MPI_COUNT_KIND)
#define DISPLACEMENT integer(MPI_ADDRESS_KIND)
#else
#define COUNT integer
#define DISPLACEMENT integer
#endif
#if defined(LARGE) && !defined(F08)
#define INIT(name) name/**/_init_c
#else
#define INIT(name) name/**/_init
#endif
