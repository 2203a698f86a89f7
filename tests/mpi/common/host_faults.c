/* SPDX-License-Identifier: BSD-3-Clause
 * What mpix asks of its host goes through here, where this library is loaded after mpix and before
 * the host; what a program calls as MPI_Isend and so on does not. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "common/host_faults.h"

#include <dlfcn.h>
#include <mpi.h>

static long calls, first_refused = -1, last_refused = -1;

void refuse_host_calls(long first, long last) {
    calls = 0;
    first_refused = first;
    last_refused = last;
}

long host_calls(void) { return calls; }

static int is_refused(void) {
    const long number = calls++;
    return first_refused >= 0 && number >= first_refused && number <= last_refused;
}

#define REFUSABLE(name, parameters, arguments)                                                     \
    int PMPI_##name parameters {                                                                   \
        static int(*host) parameters;                                                              \
        if (!host) *(void**)&host = dlsym(RTLD_NEXT, "PMPI_" #name);                               \
        return is_refused() ? MPI_ERR_OTHER : host arguments;                                      \
    }

REFUSABLE(Isend,
          (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
           MPI_Request* request),
          (from, count, type, to, tag, comm, request))
REFUSABLE(Issend,
          (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
           MPI_Request* request),
          (from, count, type, to, tag, comm, request))
REFUSABLE(Irecv,
          (void* to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
           MPI_Request* request),
          (to, count, type, from, tag, comm, request))
REFUSABLE(Send_init,
          (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
           MPI_Request* request),
          (from, count, type, to, tag, comm, request))
REFUSABLE(Recv_init,
          (void* to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
           MPI_Request* request),
          (to, count, type, from, tag, comm, request))
REFUSABLE(Start, (MPI_Request * request), (request))
REFUSABLE(Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
REFUSABLE(Testsome,
          (int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses),
          (count, requests, done, indices, statuses))
REFUSABLE(Type_dup, (MPI_Datatype type, MPI_Datatype* made), (type, made))

/* To reduce nothing is to ask whether the operation is defined: a refusal is an answer. */
int PMPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm, MPI_Request* request) {
    int (*host)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*);
    *(void**)&host = dlsym(RTLD_NEXT, "PMPI_Iallreduce");
    if (count > 0 && is_refused()) return MPI_ERR_OTHER;
    return host(from, to, count, type, op, comm, request);
}
REFUSABLE(Iallgather,
          (const void* from, int count, MPI_Datatype type, void* to, int each,
           MPI_Datatype its_type, MPI_Comm comm, MPI_Request* request),
          (from, count, type, to, each, its_type, comm, request))
