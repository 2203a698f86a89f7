/* SPDX-License-Identifier: BSD-3-Clause
 * Block order of a persistent neighbour alltoall on a periodic dimension of one and of two
 * processes. Reference: MPI 4.1, section 8.6; mpi-forum/mpi-issues #153, open-mpi/ompi #14416,
 * pmodels/mpich #7945. Bare hosts: fails on Open MPI 4.1.4 and 5.0.7 (wrong block order, 2 ranks),
 * passes on MPICH 4.0.2 and 4.2.1. */
#include "periodic.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    check_ring(1, ALLTOALL);
    if (ranks >= 2) check_ring(2, ALLTOALL);
    return finish();
}
