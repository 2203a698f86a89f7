/* SPDX-License-Identifier: BSD-3-Clause
 * What mpix asks of its host goes through here, where this library is loaded after mpix and before
 * the host; what a program calls as MPI_Pack and MPI_Unpack does not. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "common/host_packs.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>

static atomic_int calls;

int host_packs(void) { return calls; }

int PMPI_Pack(const void* in, int count, MPI_Datatype type, void* out, int size, int* position,
              MPI_Comm comm) {
    int (*pack)(const void*, int, MPI_Datatype, void*, int, int*, MPI_Comm);
    *(void**)&pack = dlsym(RTLD_NEXT, "PMPI_Pack");
    calls++;
    return pack(in, count, type, out, size, position, comm);
}

int PMPI_Unpack(const void* in, int size, int* position, void* out, int count, MPI_Datatype type,
                MPI_Comm comm) {
    int (*unpack)(const void*, int, int*, void*, int, MPI_Datatype, MPI_Comm);
    *(void**)&unpack = dlsym(RTLD_NEXT, "PMPI_Unpack");
    calls++;
    return unpack(in, size, position, out, count, type, comm);
}
