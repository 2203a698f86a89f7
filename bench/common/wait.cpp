// SPDX-License-Identifier: BSD-3-Clause
//
// mpix-bench-wait: what waiting costs in a plain MPI program, which is not linked with the library:
// run it bare, and with the library preloaded. Microseconds a call, minimum and median of batches.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

namespace {

const char* const usage =
    R"(usage: mpirun -n RANKS mpix-bench-wait

Times what waiting costs in a plain MPI program: an allreduce and an exchange round the ring of 8 bytes,
and a barrier, which a program waits for in its host. It is not linked with the library: run it
bare, and with the library preloaded, which makes waiting yield where ranks outnumber cores.

    mpirun -n 4 mpix-bench-wait
    mpix-run -n 4 mpix-bench-wait

Prints microseconds a call, the minimum and the median of 20 batches. Returns 0; 2 for a wrong
command line.
)";

constexpr int batches = 20;
constexpr int least_calls = 16;        // in a batch; fewer may find that all has come already
constexpr double batch_seconds = 0.02; // at least: a rank's turn on a core takes milliseconds

int rank = 0, ranks = 0;
double out = 1, in = 0;

using Call = void (*)();

constexpr std::array<std::pair<const char*, Call>, 3> rows{{
    {"Allreduce 8 B", [] { MPI_Allreduce(&out, &in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }},
    {"Barrier", [] { MPI_Barrier(MPI_COMM_WORLD); }},
    {"Sendrecv 8 B",
     [] { // round the ring
         MPI_Sendrecv(&out, 1, MPI_DOUBLE, (rank + 1) % ranks, 0, &in, 1, MPI_DOUBLE,
                      (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
     }},
}};

double batch(Call call, int calls) {
    const double start = MPI_Wtime();
    for (int i = 0; i < calls; ++i) call();
    return MPI_Wtime() - start;
}

// The ranks must agree on it: rank 0 decides.
int calls_in_batch(Call call) {
    for (int calls = least_calls;; calls *= 2) {
        double seconds = batch(call, calls);
        MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (seconds > batch_seconds) return calls;
    }
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1) {
        const bool wants_help = std::strcmp(argv[1], "--help") == 0;
        if (rank == 0) std::fputs(usage, wants_help ? stdout : stderr);
        MPI_Finalize();
        return wants_help ? 0 : 2;
    }
    if (rank == 0) std::printf("%-15s %8s %8s  us, %d ranks\n", "", "min", "median", ranks);
    for (const auto& [name, call] : rows) {
        const int calls = calls_in_batch(call);
        std::vector<double> times;
        for (int i = 0; i < batches; ++i) times.push_back(batch(call, calls) / calls * 1e6);
        std::sort(times.begin(), times.end());
        if (rank == 0) std::printf("%-15s %8.2f %8.2f\n", name, times.front(), times[batches / 2]);
    }
    MPI_Finalize();
    return 0;
}
