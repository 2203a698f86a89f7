// SPDX-License-Identifier: BSD-3-Clause
// The C++ twin, compiled with whatever C++ interface the host's mpi.h brings: Open MPI's library
// calls MPI before main.
#include <mpi.h>

#include <cstdio>
#include <vector>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define MPI_Allreduce_init MPIX_Allreduce_init
#endif

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0, wrong = 0, any = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<double> in(1000), out(1000);
    MPI_Request request;
    MPI_Allreduce_init(in.data(), out.data(), 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &request);
    for (int round = 0; round < 40; round++) {
        in.assign(in.size(), round + rank);
        MPI_Start(&request);
        if (round % 2 == 0) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            int done = 0;
            while (done == 0) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        }
        for (const double value : out) wrong += value != round * ranks + ranks * (ranks - 1) / 2;
    }
    MPI_Request_free(&request);
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (any != 0 && rank == 0) std::printf("wrong: %d\n", any);
    MPI_Finalize();
    return any != 0 ? 1 : 0;
}
