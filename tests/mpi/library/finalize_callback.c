/* SPDX-License-Identifier: BSD-3-Clause
 * Delete callbacks on MPI_COMM_SELF run at the beginning of MPI_Finalize, where MPI still works:
 * one here starts, completes and frees a persistent collective, another request is never freed.
 * MPI 4.1, section 11.2.4. */
#include "mpix/mpix.h"

#include <stdio.h>

static MPI_Request freed_late, never_freed;
static int in = 1, out, ranks;

static int use_plan(MPI_Comm comm, int keyval, void* value, void* extra) {
    (void)comm, (void)keyval, (void)value, (void)extra;
    MPI_Start(&freed_late);
    MPI_Wait(&freed_late, MPI_STATUS_IGNORE);
    MPI_Request_free(&freed_late);
    return MPI_SUCCESS;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, use_plan, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &freed_late);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &never_freed);
    MPI_Start(&never_freed);
    MPI_Wait(&never_freed, MPI_STATUS_IGNORE);
    MPI_Finalize();
    if (out != ranks) fprintf(stderr, "sum in the callback is %d, not %d\n", out, ranks);
    return out == ranks ? 0 : 1;
}
