// SPDX-License-Identifier: BSD-3-Clause
//
// mpix-bench-init: what an init costs, its agreement and the free of its request included, on a
// communicator that has had one before. Microseconds, minimum and median of batches.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "mpix/mpix.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace {

constexpr int batches = 200, inits = 50; // in a batch
constexpr MPI_Comm world() { return MPI_COMM_WORLD; }

double one[64], other[64];
std::vector<int> counts, places;

using Init = int (*)(MPI_Request*);

constexpr std::array<std::pair<const char*, Init>, 9> rows{{
    {"barrier", [](MPI_Request* r) { return MPI_Barrier_init(world(), MPI_INFO_NULL, r); }},
    {"bcast",
     [](MPI_Request* r) {
         return MPI_Bcast_init(one, 1, MPI_DOUBLE, 0, world(), MPI_INFO_NULL, r);
     }},
    {"allreduce",
     [](MPI_Request* r) {
         return MPI_Allreduce_init(one, other, 1, MPI_DOUBLE, MPI_SUM, world(), MPI_INFO_NULL, r);
     }},
    {"reduce",
     [](MPI_Request* r) {
         return MPI_Reduce_init(one, other, 1, MPI_DOUBLE, MPI_SUM, 0, world(), MPI_INFO_NULL, r);
     }},
    {"allgather",
     [](MPI_Request* r) {
         return MPI_Allgather_init(one, 1, MPI_DOUBLE, other, 1, MPI_DOUBLE, world(), MPI_INFO_NULL,
                                   r);
     }},
    {"alltoall",
     [](MPI_Request* r) {
         return MPI_Alltoall_init(one, 1, MPI_DOUBLE, other, 1, MPI_DOUBLE, world(), MPI_INFO_NULL,
                                  r);
     }},
    {"alltoallv",
     [](MPI_Request* r) {
         return MPI_Alltoallv_init(one, counts.data(), places.data(), MPI_DOUBLE, other,
                                   counts.data(), places.data(), MPI_DOUBLE, world(), MPI_INFO_NULL,
                                   r);
     }},
    {"gatherv",
     [](MPI_Request* r) {
         return MPI_Gatherv_init(one, 1, MPI_DOUBLE, other, counts.data(), places.data(),
                                 MPI_DOUBLE, 0, world(), MPI_INFO_NULL, r);
     }},
    {"reduce_scatter",
     [](MPI_Request* r) {
         return MPI_Reduce_scatter_init(one, other, counts.data(), MPI_DOUBLE, MPI_SUM, world(),
                                        MPI_INFO_NULL, r);
     }},
}};

double batch(Init init) {
    const double start = MPI_Wtime();
    for (int i = 0; i < inits; ++i) {
        MPI_Request request = MPI_REQUEST_NULL;
        init(&request);
        MPI_Request_free(&request);
    }
    return (MPI_Wtime() - start) / inits * 1e6;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(world(), &rank);
    MPI_Comm_size(world(), &ranks);
    if (ranks > 64) MPI_Abort(world(), 1); // the buffers
    counts.assign(static_cast<std::size_t>(ranks), 1);
    for (int i = 0; i < ranks; ++i) places.push_back(i);
    if (rank == 0)
        std::printf("%-15s %8s %8s  us, %d ranks\n", "init and free", "min", "median", ranks);
    for (const auto& [name, init] : rows) {
        batch(init); // the first makes the shadow communicator
        std::vector<double> times;
        for (int i = 0; i < batches; ++i) times.push_back(batch(init));
        std::sort(times.begin(), times.end());
        if (rank == 0) std::printf("%-15s %8.2f %8.2f\n", name, times.front(), times[batches / 2]);
    }
    MPI_Finalize();
    return 0;
}
