/* SPDX-License-Identifier: BSD-3-Clause
 * A message that is too long for its persistent receive: Waitsome and Testsome return
 * MPI_ERR_IN_STATUS, the statuses say which one failed, and it is inactive, not freed. Reference:
 * MPI 4.1, sections 3.7.5 and 3.9; compare open-mpi/ompi #13432.
 * Bare hosts: fails on MPICH 4.2.1 (MPI_ERROR of all is MPI_SUCCESS), Open MPI 4.1.4 and 5.0.7 (the
 * request is freed; 2 ranks and more), passes on MPICH 4.0.2. */
#include "common.h"

enum { messages = 2 };

/* The second message is too long. */
static void check(int peer, MPI_Comm comm, int waits) {
    int out[2] = {1, 2}, in[messages], count, indices[messages], code, failed = 0;
    MPI_Request receives[messages], sends[messages];
    MPI_Status statuses[messages];
    for (int i = 0; i < messages; i++) {
        MPI_Recv_init(&in[i], 1, MPI_INT, peer, i, comm, &receives[i]);
        MPI_Start(&receives[i]);
    }
    MPI_Sendrecv(NULL, 0, MPI_INT, peer, 9, NULL, 0, MPI_INT, peer, 9, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < messages; i++) MPI_Isend(out, 1 + i, MPI_INT, peer, i, comm, &sends[i]);
    for (int done = 0; done < messages; done += count) {
        count = 0;
        code = waits ? MPI_Waitsome(messages, receives, &count, indices, statuses)
                     : MPI_Testsome(messages, receives, &count, indices, statuses);
        if (count == MPI_UNDEFINED) break;
        for (int i = 0; i < count && code == MPI_ERR_IN_STATUS; i++)
            if (statuses[i].MPI_ERROR != MPI_SUCCESS) failed += 1 + indices[i];
    }
    expect(failed == 2, waits ? "what failed, by Waitsome" : "what failed, by Testsome", failed);
    expect(receives[1] != MPI_REQUEST_NULL, "a freed request", waits);
    MPI_Waitall(messages, sends, MPI_STATUSES_IGNORE);
    for (int i = 0; i < messages; i++)
        if (receives[i] != MPI_REQUEST_NULL) MPI_Request_free(&receives[i]);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    /* That of a request, or of none: hosts differ in which handler they call. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    const int peer = rank ^ 1;
    for (int waits = 0; waits < 2 && peer < ranks; waits++) check(peer, MPI_COMM_WORLD, waits);
    return finish();
}
