/* SPDX-License-Identifier: BSD-3-Clause
 * A program that knows nothing of persistent collectives and uses much else. It checks its own
 * answers, so that it must give the same ones bare, under the library, and under the library
 * switched off. Exit 0 where all are right. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks, next, before, wrong;

static void expect(int condition, const char* what) {
    if (condition) return;
    if (!wrong) fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
    wrong = 1;
}

static int is_empty(const MPI_Status* status) {
    int count = -1;
    MPI_Get_count(status, MPI_INT, &count);
    return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && count == 0;
}

static void messages(void) {
    int in = -1, out = rank, flag = 0, index = -1, count = -1, indices[2];
    MPI_Request requests[3];
    MPI_Status status;
    MPI_Sendrecv(&out, 1, MPI_INT, next, 1, &in, 1, MPI_INT, before, 1, MPI_COMM_WORLD, &status);
    expect(in == before && status.MPI_SOURCE == before && status.MPI_TAG == 1, "sendrecv");

    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    out = rank + 100;
    MPI_Issend(&out, 1, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[1]);
    requests[2] = MPI_REQUEST_NULL;
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    expect(in == before + 100 && requests[0] == MPI_REQUEST_NULL, "irecv and issend");

    MPI_Isend(&out, 1, MPI_INT, next, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Probe(before, 3, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Recv(&in, 1, MPI_INT, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    expect(count == 1 && in == before + 100, "probe");

    MPI_Irecv(&in, 1, MPI_INT, before, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, next, 4, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
    expect(index != MPI_UNDEFINED && count == 1 && indices[0] == 1 - index, "waitany, waitsome");
    MPI_Testany(2, requests, &index, &flag, &status);
    expect(flag && index == MPI_UNDEFINED && is_empty(&status), "testany of nothing");

    MPI_Irecv(&in, 1, MPI_INT, before, 77, MPI_COMM_WORLD, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &flag);
    expect(flag, "cancel");
}

static void persistent_messages(void) {
    int in = -1, out = -1, flag;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Recv_init(&in, 1, MPI_INT, before, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&out, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[1]);
    for (int round = 0; round < 5; round++) {
        out = round * 10 + rank;
        if (round % 2) {
            MPI_Start(&requests[0]);
            MPI_Start(&requests[1]);
        } else
            MPI_Startall(2, requests);
        if (round == 3) {
            flag = 0;
            while (!flag) MPI_Testall(2, requests, &flag, statuses);
        } else
            MPI_Waitall(2, requests, statuses);
        expect(in == round * 10 + before && statuses[0].MPI_TAG == 5, "persistent messages");
        MPI_Wait(&requests[0], &statuses[0]);
        expect(is_empty(&statuses[0]), "inactive persistent receive");
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    expect(requests[0] == MPI_REQUEST_NULL, "freed");
}

static void collectives(void) {
    int in = rank + 1, out = 0, sum = ranks * (ranks + 1) / 2;
    int* all = malloc(sizeof(int) * (size_t)ranks);
    MPI_Request request;
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(out == sum, "allreduce");
    MPI_Allgather(&in, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++) expect(all[r] == r + 1, "allgather");
    MPI_Scan(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(out == (rank + 1) * (rank + 2) / 2, "scan");
    out = rank == 0 ? 42 : 0;
    MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);
    expect(out == 42, "bcast");
    MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(out == sum, "iallreduce");
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    free(all);
}

static int copied, deleted;

static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
    (void)comm, (void)key, (void)extra;
    copied++;
    *(void**)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete (MPI_Comm comm, int key, void* value, void* extra) {
    (void)comm, (void)key, (void)value, (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

static void communicators(void) {
    MPI_Comm half, twin, ring;
    int key, value = 7, flag = 0, out = 0, in = 1, size, periods[1] = {1}, dims[1], left, right,
             *found;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_size(half, &size);
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, half);
    expect(out == size, "split");
    MPI_Comm_create_keyval(copy, delete, &key, NULL);
    MPI_Comm_set_attr(half, key, &value);
    MPI_Comm_dup(half, &twin);
    MPI_Comm_get_attr(twin, key, &found, &flag);
    expect(flag && *found == 7 && copied == 1, "attribute copied");
    MPI_Comm_free(&twin);
    MPI_Comm_free(&half);
    expect(deleted == 2, "attributes deleted");
    MPI_Comm_free_keyval(&key);
    dims[0] = ranks;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &left, &right);
    expect(left == before && right == next, "cart");
    MPI_Comm_free(&ring);
}

/* Shared memory only: MPICH 4.0.2 as Debian builds it loses the data of MPI_Put. */
static void windows(void) {
    int *mine, *theirs, unit;
    MPI_Aint bytes;
    MPI_Win window;
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int me, size;
    MPI_Comm_rank(node, &me);
    MPI_Comm_size(node, &size);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &window);
    MPI_Win_lock_all(0, window);
    *mine = me + 5;
    MPI_Win_sync(window);
    MPI_Barrier(node);
    MPI_Win_sync(window);
    MPI_Win_shared_query(window, (me + 1) % size, &bytes, &unit, &theirs);
    expect(*theirs == (me + 1) % size + 5, "shared window");
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Comm_free(&node);
}

static void files(void) {
    char name[200];
    int number = rank == 0 ? (int)getpid() : 0, out = rank * 3, in = -1;
    const char* folder = getenv("TMPDIR");
    MPI_File file;
    MPI_Request request;
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "%s/mpix_pass_through.%d", folder ? folder : "/tmp", number);
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    if (MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
        expect(0, "file open");
        return;
    }
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof(int), &out, 1, MPI_INT,
                          MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_iread_at(file, next * (MPI_Offset)sizeof(int), &in, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(in == next * 3, "file");
    MPI_File_close(&file);
}

static int query(void* extra, MPI_Status* status) {
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 11;
    status->MPI_TAG = 12;
    return MPI_SUCCESS;
}
static int released(void* extra) { return (void)extra, MPI_SUCCESS; }
static int cancelled(void* extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

static void generalized(void) {
    MPI_Request request;
    MPI_Status status;
    int flag = 1, count = 0;
    MPI_Grequest_start(query, released, cancelled, NULL, &request);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    expect(!flag, "generalized request not complete");
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(count == 3 && status.MPI_SOURCE == 11 && request == MPI_REQUEST_NULL,
           "generalized request");
}

int main(int argc, char** argv) {
    int provided, any = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    next = (rank + 1) % ranks;
    before = (rank + ranks - 1) % ranks;
    messages();
    persistent_messages();
    collectives();
    communicators();
    windows();
    files();
    generalized();
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}
