/* SPDX-License-Identifier: BSD-3-Clause
 * What mpix asks of its host goes through here, where this library is loaded after mpix and before
 * the host; what a program calls as MPI_Isend and so on does not. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "common/host_messages.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>

static atomic_int sends, collectives, asked, asked_at_send;

int host_sends(void) { return sends; }
int host_collectives(void) { return collectives; }
int host_asked(void) { return asked; }
int host_asked_at_send(void) { return asked_at_send; }

int PMPI_Isend(const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
    int (*isend)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
    *(void**)&isend = dlsym(RTLD_NEXT, "PMPI_Isend");
    sends++;
    asked_at_send = asked;
    return isend(from, count, type, to, tag, comm, request);
}

int PMPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    int (*test)(MPI_Request*, int*, MPI_Status*);
    *(void**)&test = dlsym(RTLD_NEXT, "PMPI_Test");
    asked++;
    return test(request, flag, status);
}

int PMPI_Testsome(int count, MPI_Request requests[], int* found, int indices[],
                  MPI_Status statuses[]) {
    int (*testsome)(int, MPI_Request[], int*, int[], MPI_Status[]);
    *(void**)&testsome = dlsym(RTLD_NEXT, "PMPI_Testsome");
    asked++;
    return testsome(count, requests, found, indices, statuses);
}

int PMPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    int (*get_status)(MPI_Request, int*, MPI_Status*);
    *(void**)&get_status = dlsym(RTLD_NEXT, "PMPI_Request_get_status");
    asked++;
    return get_status(request, flag, status);
}

int PMPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm, MPI_Request* request) {
    int (*iallreduce)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*);
    *(void**)&iallreduce = dlsym(RTLD_NEXT, "PMPI_Iallreduce");
    collectives++;
    return iallreduce(from, to, count, type, op, comm, request);
}

int PMPI_Iallgather(const void* from, int count, MPI_Datatype type, void* to, int each,
                    MPI_Datatype its_type, MPI_Comm comm, MPI_Request* request) {
    int (*iallgather)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm,
                      MPI_Request*);
    *(void**)&iallgather = dlsym(RTLD_NEXT, "PMPI_Iallgather");
    collectives++;
    return iallgather(from, count, type, to, each, its_type, comm, request);
}
