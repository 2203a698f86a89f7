/* SPDX-License-Identifier: BSD-3-Clause
 * Wrong arguments in every call that the library takes over, where the host has that call: writes
 * the class of each error to a file DIRECTORY/RANK, on a communicator that errors are asked to
 * return from and on one that has them from MPI_COMM_WORLD. It must write the same bare and under
 * the library. It asks nothing that crashes a bare host: null arrays of requests, for one. */
#define _POSIX_C_SOURCE 200809L
#include "common/host_version.h"

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static int rank, ranks, is_open_mpi;
static const char* where;
static FILE* told;
static void* const nothing = NULL; /* out of the compiler's sight */

static void tell(int line, const char* call, int code) {
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
    fprintf(told, "%s, line %d, %s: class %d\n", where, line, call, class);
    fflush(told);
}

/* What crashes a bare host is not asked of the library either. */
static sigjmp_buf before;
static void leave(int signal) { siglongjmp(before, signal); }

static void tell_crash(int line, const char* call) {
    fprintf(told, "%s, line %d, %s: crashes\n", where, line, call);
    fflush(told);
}

#define ASK(call, ...)                                                                             \
    if (sigsetjmp(before, 1) == 0)                                                                 \
        tell(__LINE__, call, __VA_ARGS__);                                                         \
    else                                                                                           \
        tell_crash(__LINE__, call)
#define TRY(name, ...) ASK(#name, MPI_##name(__VA_ARGS__))

static void communicators(MPI_Comm comm) {
    const int ends[1] = {1}, edges[1] = {99}, one[1] = {1}, many[1] = {1000}, negative[1] = {-1};
    MPI_Group all, someone_else = MPI_GROUP_EMPTY;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm* const no_comm = nothing;
    MPI_Request* const no_request = nothing;
    (void)no_request;
    const int other = (rank + 1) % ranks;
    MPI_Comm_group(comm, &all);
    if (ranks > 1) MPI_Group_incl(all, 1, &other, &someone_else);

    TRY(Comm_dup, comm, no_comm);
    TRY(Comm_dup, MPI_COMM_NULL, &made);
    TRY(Comm_dup_with_info, comm, MPI_INFO_NULL, no_comm);
    TRY(Comm_dup_with_info, MPI_COMM_NULL, MPI_INFO_NULL, &made);
    TRY(Comm_idup, comm, no_comm, &request);
    TRY(Comm_idup, MPI_COMM_NULL, &made, &request);
    if (!is_open_mpi) { /* does not look */
        TRY(Comm_idup, comm, &made, no_request);
    }
    TRY(Comm_create, comm, all, no_comm);
    TRY(Comm_create, comm, MPI_GROUP_NULL, &made);
    TRY(Comm_create, MPI_COMM_NULL, all, &made);
    TRY(Comm_create_group, comm, all, 0, no_comm);
    TRY(Comm_create_group, comm, MPI_GROUP_NULL, 0, &made);
    TRY(Comm_create_group, MPI_COMM_NULL, all, 0, &made);
    if (!is_open_mpi) {
        TRY(Comm_create_group, comm, all, -5, &made);
    }
    TRY(Comm_split, comm, 0, 0, no_comm);
    TRY(Comm_split, comm, -7, 0, &made);
    TRY(Comm_split, MPI_COMM_NULL, 0, 0, &made);
    TRY(Comm_split_type, comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, no_comm);
    TRY(Comm_split_type, comm, -77, 0, MPI_INFO_NULL, &made);
    TRY(Comm_split_type, MPI_COMM_NULL, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    TRY(Intercomm_create, comm, 99, MPI_COMM_WORLD, 0, 0, &made);
    TRY(Intercomm_create, comm, -1, MPI_COMM_WORLD, 0, 0, &made);
    TRY(Intercomm_create, MPI_COMM_NULL, 0, MPI_COMM_WORLD, 0, 0, &made);
    if (is_open_mpi) { /* the other does not look */
        TRY(Intercomm_merge, comm, 0, &made);
    }
    TRY(Intercomm_merge, MPI_COMM_NULL, 0, &made);
    TRY(Cart_create, comm, 1, many, one, 0, &made);
    TRY(Cart_create, comm, 1, negative, one, 0, &made);
    TRY(Cart_create, comm, -1, one, one, 0, &made);
    TRY(Cart_create, comm, 1, one, one, 0, no_comm);
    TRY(Cart_create, MPI_COMM_NULL, 1, one, one, 0, &made);
    TRY(Cart_sub, comm, one, &made);
    TRY(Cart_sub, MPI_COMM_NULL, one, &made);
    TRY(Graph_create, comm, 1, ends, edges, 0, &made);
    TRY(Graph_create, comm, 1000, ends, edges, 0, &made);
    TRY(Graph_create, comm, -1, ends, edges, 0, &made);
    TRY(Graph_create, MPI_COMM_NULL, 1, ends, edges, 0, &made);
    TRY(Dist_graph_create, comm, -1, one, one, one, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    if (is_open_mpi) {
        TRY(Dist_graph_create, comm, 1, edges, one, one, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    }
    TRY(Dist_graph_create, MPI_COMM_NULL, 1, one, one, one, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
        &made);
    TRY(Dist_graph_create_adjacent, comm, -1, one, MPI_UNWEIGHTED, 1, one, MPI_UNWEIGHTED,
        MPI_INFO_NULL, 0, &made);
    if (is_open_mpi) {
        TRY(Dist_graph_create_adjacent, comm, 1, edges, MPI_UNWEIGHTED, 1, edges, MPI_UNWEIGHTED,
            MPI_INFO_NULL, 0, &made);
    }
    TRY(Dist_graph_create_adjacent, MPI_COMM_NULL, 1, one, MPI_UNWEIGHTED, 1, one, MPI_UNWEIGHTED,
        MPI_INFO_NULL, 0, &made);
#if MPI_VERSION >= 4
    TRY(Comm_idup_with_info, comm, MPI_INFO_NULL, no_comm, &request);
    TRY(Comm_idup_with_info, MPI_COMM_NULL, MPI_INFO_NULL, &made, &request);
    TRY(Comm_create_from_group, MPI_GROUP_NULL, "org.mpix", MPI_INFO_NULL, MPI_ERRORS_RETURN,
        &made);
    TRY(Comm_create_from_group, all, nothing, MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    TRY(Comm_create_from_group, all, "org.mpix", MPI_INFO_NULL, MPI_ERRORS_RETURN, no_comm);
    TRY(Intercomm_create_from_groups, MPI_GROUP_NULL, 0, someone_else, 0, "org.mpix", MPI_INFO_NULL,
        MPI_ERRORS_RETURN, &made);
    TRY(Intercomm_create_from_groups, all, 0, someone_else, 0, "org.mpix", MPI_INFO_NULL,
        MPI_ERRORS_RETURN, no_comm);
#endif
    if (someone_else != MPI_GROUP_EMPTY) MPI_Group_free(&someone_else);
    MPI_Group_free(&all);
}

static void messages(MPI_Comm comm) {
    int cell = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Request* const none = nothing;
    int (*const sends[])(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = {
        MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init};
    for (volatile int i = 0; i < 4; i++) {
#define TRY_SEND(...) ASK("a persistent send", sends[i](__VA_ARGS__))
        TRY_SEND(&cell, 1, MPI_INT, 99, 0, comm, &request);
        TRY_SEND(&cell, 1, MPI_INT, -99, 0, comm, &request);
        TRY_SEND(&cell, -1, MPI_INT, 0, 0, comm, &request);
        TRY_SEND(&cell, 1, MPI_DATATYPE_NULL, 0, 0, comm, &request);
        TRY_SEND(&cell, 1, MPI_INT, 0, -5, comm, &request);
        TRY_SEND(&cell, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &request);
        TRY_SEND(&cell, 1, MPI_INT, 0, 0, comm, none);
    }
    TRY(Send, &cell, 1, MPI_INT, 99, 0, comm);
    TRY(Recv_init, &cell, 1, MPI_INT, 99, 0, comm, &request);
    TRY(Recv_init, &cell, -1, MPI_INT, 0, 0, comm, &request);
    TRY(Recv_init, &cell, 1, MPI_DATATYPE_NULL, 0, 0, comm, &request);
    TRY(Recv_init, &cell, 1, MPI_INT, 0, -5, comm, &request);
    TRY(Recv_init, &cell, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &request);
    TRY(Recv_init, &cell, 1, MPI_INT, 0, 0, comm, none);
}

#if MPI_VERSION >= 4
static void partitioned(MPI_Comm comm) {
    int cell = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    TRY(Psend_init, &cell, 1, 1, MPI_INT, 99, 0, comm, MPI_INFO_NULL, &request);
    TRY(Psend_init, &cell, 1, -1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &request);
    TRY(Psend_init, &cell, 1, 1, MPI_DATATYPE_NULL, 0, 0, comm, MPI_INFO_NULL, &request);
    TRY(Psend_init, &cell, 1, 1, MPI_INT, 0, -5, comm, MPI_INFO_NULL, &request);
    TRY(Psend_init, &cell, 1, 1, MPI_INT, 0, 0, MPI_COMM_NULL, MPI_INFO_NULL, &request);
    TRY(Precv_init, &cell, 1, 1, MPI_INT, 99, 0, comm, MPI_INFO_NULL, &request);
    TRY(Precv_init, &cell, 1, -1, MPI_INT, 0, 0, comm, MPI_INFO_NULL, &request);
    TRY(Precv_init, &cell, 1, 1, MPI_DATATYPE_NULL, 0, 0, comm, MPI_INFO_NULL, &request);
    TRY(Precv_init, &cell, 1, 1, MPI_INT, 0, 0, MPI_COMM_NULL, MPI_INFO_NULL, &request);
}
#endif

#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define INIT(name) MPIX_##name##_init
#else
#define INIT(name) MPI_##name##_init
#endif
#define TRY_INIT(name, ...) ASK(#name "_init", INIT(name)(__VA_ARGS__))

#if MPI_VERSION >= 4 || defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
static void collectives(MPI_Comm comm) {
    int in[64] = {0}, out[64] = {0};
    MPI_Request request = MPI_REQUEST_NULL;
    const MPI_Datatype no_type = MPI_DATATYPE_NULL, type = MPI_INT;
    const MPI_Info info = MPI_INFO_NULL;
    TRY_INIT(Barrier, MPI_COMM_NULL, info, &request);
    TRY_INIT(Bcast, out, 1, type, 99, comm, info, &request);
    TRY_INIT(Bcast, out, -1, type, 0, comm, info, &request);
    TRY_INIT(Bcast, out, 1, no_type, 0, comm, info, &request);
    TRY_INIT(Bcast, out, 1, type, 0, MPI_COMM_NULL, info, &request);
    TRY_INIT(Gather, in, 1, type, out, 1, type, 99, comm, info, &request);
    TRY_INIT(Gather, in, -1, type, out, 1, type, 0, comm, info, &request);
    TRY_INIT(Gather, in, 1, no_type, out, 1, type, 0, comm, info, &request);
    TRY_INIT(Scatter, in, 1, type, out, 1, type, -9, comm, info, &request);
    TRY_INIT(Scatter, in, 1, type, out, -1, type, 0, comm, info, &request);
    TRY_INIT(Allgather, in, 1, type, out, -1, type, comm, info, &request);
    TRY_INIT(Allgather, in, 1, type, out, 1, no_type, comm, info, &request);
    TRY_INIT(Alltoall, in, 1, type, out, -1, type, comm, info, &request);
    TRY_INIT(Alltoall, in, 1, type, out, 1, type, MPI_COMM_NULL, info, &request);
    TRY_INIT(Reduce, in, out, 1, type, MPI_SUM, 99, comm, info, &request);
    TRY_INIT(Reduce, in, out, 1, type, MPI_OP_NULL, 0, comm, info, &request);
    TRY_INIT(Allreduce, in, out, 1, type, MPI_OP_NULL, comm, info, &request);
    TRY_INIT(Allreduce, in, out, 1, type, MPI_SUM, MPI_COMM_NULL, info, &request);
    if (is_open_mpi) { /* the other says MPI_ERR_OTHER, and we MPI_ERR_COUNT */
        TRY_INIT(Reduce, in, out, -1, type, MPI_SUM, 0, comm, info, &request);
        TRY_INIT(Allreduce, in, out, -1, type, MPI_SUM, comm, info, &request);
        TRY_INIT(Reduce_scatter_block, in, out, -1, type, MPI_SUM, comm, info, &request);
        TRY_INIT(Scan, in, out, -1, type, MPI_SUM, comm, info, &request);
    }
    TRY_INIT(Exscan, in, out, 1, type, MPI_OP_NULL, comm, info, &request);
}
#endif

/* Right calls come before the wrong ones: on plans, where that is wanted. */
static void plain(MPI_Comm comm) {
    int in[64] = {0}, out[64] = {0};
    const MPI_Datatype no_type = MPI_DATATYPE_NULL, type = MPI_INT;
    for (int n = 0; n < 3; n++) {
        TRY(Bcast, out, 1, type, 0, comm);
        TRY(Allreduce, in, out, 1, type, MPI_SUM, comm);
        TRY(Reduce, in, out, 1, type, MPI_SUM, 0, comm);
        TRY(Barrier, MPI_COMM_NULL);
        TRY(Bcast, out, 1, type, 99, comm);
        TRY(Bcast, out, 1, type, -9, comm);
        TRY(Bcast, out, 1, no_type, 0, comm);
        TRY(Bcast, out, 1, type, 0, MPI_COMM_NULL);
        TRY(Gather, in, 1, type, out, 1, type, 99, comm);
        TRY(Gather, in, 1, no_type, out, 1, type, 0, comm);
        TRY(Scatter, in, 1, type, out, 1, type, -9, comm);
        TRY(Allgather, in, 1, type, out, 1, no_type, comm);
        TRY(Alltoall, in, 1, type, out, 1, type, MPI_COMM_NULL);
        TRY(Reduce, in, out, 1, type, MPI_SUM, 99, comm);
        TRY(Reduce, in, out, 1, type, MPI_OP_NULL, 0, comm);
        TRY(Allreduce, in, out, 1, type, MPI_OP_NULL, comm);
        TRY(Allreduce, in, out, 1, MPI_DOUBLE, MPI_BAND, comm);
        TRY(Allreduce, in, out, 1, type, MPI_SUM, MPI_COMM_NULL);
        TRY(Exscan, in, out, 1, type, MPI_OP_NULL, comm);
        TRY(Neighbor_alltoall, in, 1, type, out, 1, type, comm);
        if (is_open_mpi) { /* the other crashes */
            TRY(Bcast, out, -1, type, 0, comm);
            TRY(Gather, in, -1, type, out, 1, type, 0, comm);
            TRY(Scatter, in, 1, type, out, -1, type, 0, comm);
            TRY(Allgather, in, 1, type, out, -1, type, comm);
            TRY(Allreduce, in, out, -1, type, MPI_SUM, comm);
        }
    }
}

static void requests(void) {
    int flag = 0, index = 0, count = 0, indices[1], class = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Request* const none = nothing;
    int* const nowhere = nothing;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
    MPI_Status status;
    TRY(Start, &request);
    TRY(Start, none);
    TRY(Startall, -1, &request);
    TRY(Startall, 1, &request);
    TRY(Wait, none, &status);
    TRY(Waitall, -1, &request, MPI_STATUSES_IGNORE);
    TRY(Waitany, -1, &request, &index, &status);
    TRY(Waitany, 1, &request, nowhere, &status);
    TRY(Waitsome, -1, &request, &count, indices, MPI_STATUSES_IGNORE);
    TRY(Test, none, &flag, &status);
    TRY(Test, &request, nowhere, &status);
    TRY(Testall, -1, &request, &flag, MPI_STATUSES_IGNORE);
    TRY(Testall, 1, &request, nowhere, MPI_STATUSES_IGNORE);
    TRY(Testany, -1, &request, &index, &flag, &status);
    TRY(Testany, 1, &request, &index, nowhere, &status);
    TRY(Testsome, -1, &request, &count, indices, MPI_STATUSES_IGNORE);
    TRY(Request_get_status, request, nowhere, &status);
    TRY(Request_free, &request);
    TRY(Request_free, none);
    TRY(Cancel, &request);
    TRY(Cancel, none);
    TRY(Comm_free, &comm);
    if (!is_open_mpi) { /* does not look */
        TRY(Comm_free, nothing);
    }
    comm = MPI_COMM_WORLD;
    TRY(Comm_free, &comm);
    comm = MPI_COMM_NULL;
    TRY(Comm_disconnect, &comm);
    TRY(Alloc_mem, -1, MPI_INFO_NULL, &comm);
    TRY(Type_free, &type);
    if (is_open_mpi) {
        TRY(Type_free, nothing);
    }
    type = MPI_INT;
    TRY(Type_free, &type);
    TRY(Op_free, &op);
    op = MPI_SUM;
    TRY(Op_free, &op);
    if (!is_open_mpi) {
        TRY(Error_class, 0, nowhere);
    }
    TRY(Error_class, -5, &class);
}

static void all(MPI_Comm comm, const char* name) {
    where = name;
    communicators(comm);
    messages(comm);
    plain(comm);
    requests();
}

/* Their errors are raised by the library itself. */
static void inits(MPI_Comm comm, const char* name) {
    where = name;
    (void)comm;
#if MPI_VERSION >= 4
    if (!is_open_mpi) partitioned(comm); /* it ends the program */
#endif
#if MPI_VERSION >= 4 || defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
    collectives(comm);
#endif
}

int main(int argc, char** argv) {
    MPI_Comm early, late;
    char path[4096];
    MPI_Init(&argc, &argv);
    is_open_mpi = open_mpi_version() > 0;
    struct sigaction crash = {.sa_handler = leave, .sa_flags = SA_NODEFER};
    sigaction(SIGSEGV, &crash, NULL);
    sigaction(SIGFPE, &crash, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof path, "%s/%d", argc > 1 ? argv[1] : ".", rank);
    told = fopen(path, "w");
    if (!told) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &early);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (is_open_mpi) { /* hands the handler of that moment on, for errors that end the program */
        MPI_Comm_set_errhandler(early, MPI_ERRORS_RETURN);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &late);
    inits(MPI_COMM_WORLD, "world");
    inits(late, "duplicate from after");
    all(MPI_COMM_WORLD, "world");
    all(early, "duplicate from before");
    all(late, "duplicate from after");
    MPI_Comm_free(&early);
    MPI_Comm_free(&late);
    MPI_Finalize();
    return fclose(told) != 0;
}
