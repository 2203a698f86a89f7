/* SPDX-License-Identifier: BSD-3-Clause
 * The group of a grid has the processes of the grid. Reference: MPI 4.1, section 7.3.2. To
 * MPICH 5.0 it has those of the communicator which the grid was made of, and MPI_Comm_compare then
 * takes the two for congruent. Bare hosts: fails on MPICH 5.0.2 (2 ranks and more), passes on
 * MPICH 4.0.2 and 4.2.1, and on Open MPI 4.1.4, 5.0.7 and 6.0.0rc2. */
#include "common.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int one = 1, periodic = 0;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &one, &periodic, 0, &grid);
    if (grid != MPI_COMM_NULL) {
        int members = 0, result = -1;
        MPI_Group group;
        MPI_Comm_group(grid, &group);
        MPI_Group_size(group, &members);
        MPI_Comm_compare(grid, MPI_COMM_WORLD, &result);
        expect(members == 1, "members of the group", members);
        expect((result == MPI_CONGRUENT) == (ranks == 1), "what Comm_compare says", result);
        MPI_Group_free(&group);
        MPI_Comm_free(&grid);
    }
    return finish();
}
