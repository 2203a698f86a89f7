/* SPDX-License-Identifier: BSD-3-Clause
 * Loaded between the library and its host: it counts how often the host is asked to do something to
 * all handles of a session, and to one. */
#define _GNU_SOURCE /* RTLD_NEXT */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <dlfcn.h>
#include <mpi.h>

int host_seen_all_handles = 0, host_seen_handles = 0;

#define COUNTED(name)                                                                              \
    int PMPI_##name(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {                        \
        int (*host)(MPI_T_pvar_session, MPI_T_pvar_handle);                                        \
        *(void**)&host = dlsym(RTLD_NEXT, "PMPI_" #name);                                          \
        ++*(handle == MPI_T_PVAR_ALL_HANDLES ? &host_seen_all_handles : &host_seen_handles);       \
        return host(session, handle);                                                              \
    }
COUNTED(T_pvar_start)
COUNTED(T_pvar_stop)
COUNTED(T_pvar_reset)
