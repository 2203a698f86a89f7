// SPDX-License-Identifier: BSD-3-Clause
// mpi.h with the persistent collectives of MPI 4 that these examples use, under their MPI 4 names.
// Open MPI 4.1 is an MPI 3.1 library and offers them as extensions, with the same arguments and
// MPIX_ in front; only the spelling is mapped.

#ifndef EXAMPLES_PERSISTENT_H
#define EXAMPLES_PERSISTENT_H

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#if MPI_VERSION < 4 && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Bcast_init MPIX_Bcast_init
#define MPI_Neighbor_alltoallv_init MPIX_Neighbor_alltoallv_init
#define MPI_Reduce_init MPIX_Reduce_init
#endif

#endif
