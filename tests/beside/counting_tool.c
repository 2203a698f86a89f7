/* SPDX-License-Identifier: BSD-3-Clause
 * A profiling library as they are: it wraps MPI_ names and calls PMPI_ names. At the end of the
 * process it says how often it was called. It knows nothing of mpix. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define MPI_Allreduce_init MPIX_Allreduce_init
#define PMPI_Allreduce_init PMPIX_Allreduce_init
#endif

static int inits, allreduce_inits, starts, startalls, allreduces, sizes, finalizes;

#ifndef WITHOUT_INIT
int MPI_Init(int* argc, char*** argv) { return inits++, PMPI_Init(argc, argv); }
#endif
int MPI_Finalize(void) { return finalizes++, PMPI_Finalize(); }
int MPI_Comm_size(MPI_Comm comm, int* size) { return sizes++, PMPI_Comm_size(comm, size); }
int MPI_Start(MPI_Request* request) { return starts++, PMPI_Start(request); }
int MPI_Startall(int count, MPI_Request requests[]) {
    return startalls++, PMPI_Startall(count, requests);
}
int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    return allreduces++, PMPI_Allreduce(from, to, count, type, op, comm);
}
int MPI_Allreduce_init(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return allreduce_inits++, PMPI_Allreduce_init(from, to, count, type, op, comm, info, request);
}

__attribute__((destructor)) static void tell(void) {
    fprintf(stderr,
            "tool: Init %d, Allreduce_init %d, Start %d, Startall %d, Allreduce %d, Comm_size %d, "
            "Finalize %d\n",
            inits, allreduce_inits, starts, startalls, allreduces, sizes, finalizes);
}
