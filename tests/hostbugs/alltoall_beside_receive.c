/* SPDX-License-Identifier: BSD-3-Clause
 * An alltoall on a communicator of one rank, in place and not, while a receive of any tag from
 * oneself is pending there. Reference: MPI 4.1, section 6.1 (messages of collective calls are not
 * confused with those between two ranks). Bare hosts: neither ends on MPICH 4.0.2, where the
 * receive takes what the alltoall sends to itself: MPICH's src/mpid/ch4/src/ch4_self.c matches by
 * the communicator and the tag alone. Passes on Open MPI 4.1.4. It is the host's with the library
 * too.
 */
#include "common.h"

#include <signal.h>
#include <unistd.h>

static void give_up(int number) {
    (void)number;
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int blocks = 7, received = -1, in = -1;
    const int out = 5, sent = 6;
    MPI_Comm alone;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_SELF, &alone);
    MPI_Irecv(&in, 1, MPI_INT, 0, MPI_ANY_TAG, alone, &request);
    signal(SIGALRM, give_up);
    alarm(3);
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, &blocks, 1, MPI_INT, alone);
    MPI_Alltoall(&sent, 1, MPI_INT, &received, 1, MPI_INT, alone);
    MPI_Send(&out, 1, MPI_INT, 0, 1, alone);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    alarm(0);
    expect(blocks == 7, "alltoall in place", blocks);
    expect(received == sent, "alltoall", received);
    expect(in == 5, "the message", in);
    MPI_Comm_free(&alone);
    return finish();
}
