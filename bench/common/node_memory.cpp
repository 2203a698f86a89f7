// SPDX-License-Identifier: BSD-3-Clause
//
// mpix-bench-memory: what requests take of a node whose ranks share memory, and how long the first
// init on a new communicator takes beside the making of that. Sizes are means over the ranks, times
// are medians of the slowest rank's.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpix/mpix.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr int requests = 20, rounds = 9;
constexpr int most_elements = 1024;

int rank = 0, ranks = 0;

double mean(double value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return value / ranks;
}

// A page that several processes map counts for each by its share.
double proportional_kb() {
    std::ifstream smaps("/proc/self/smaps_rollup");
    for (std::string word; smaps >> word;)
        if (double kb = 0; word == "Pss:" && smaps >> kb) return kb;
    return 0;
}

double address_gb() {
    double pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * 4096 / (1 << 30);
}

struct Buffers {
    std::vector<double> out, in;
    Buffers()
        : out(static_cast<std::size_t>(std::max(most_elements, ranks)), 1.0), in(out.size()) {}
};

using Init = int (*)(Buffers&, MPI_Comm, MPI_Request*);

template<int elements>
int allreduce(Buffers& of, MPI_Comm comm, MPI_Request* request) {
    return MPI_Allreduce_init(of.out.data(), of.in.data(), elements, MPI_DOUBLE, MPI_SUM, comm,
                              MPI_INFO_NULL, request);
}

int alltoall(Buffers& of, MPI_Comm comm, MPI_Request* request) {
    return MPI_Alltoall_init(of.out.data(), 1, MPI_DOUBLE, of.in.data(), 1, MPI_DOUBLE, comm,
                             MPI_INFO_NULL, request);
}

template<int elements>
int bcast(Buffers& of, MPI_Comm comm, MPI_Request* request) {
    return MPI_Bcast_init(of.in.data(), elements, MPI_DOUBLE, 0, comm, MPI_INFO_NULL, request);
}

constexpr std::array<std::pair<const char*, Init>, 5> kinds{{
    {"allreduce 8 B", allreduce<1>},
    {"allreduce 8 KiB", allreduce<most_elements>},
    {"bcast 8 B", bcast<1>},
    {"bcast 8 KiB", bcast<most_elements>},
    {"alltoall 8 B", alltoall},
}};

void make(Init init, Buffers& buffers, std::vector<MPI_Request>& made) {
    made.push_back(MPI_REQUEST_NULL);
    init(buffers, MPI_COMM_WORLD, &made.back());
    MPI_Start(&made.back());
    MPI_Wait(&made.back(), MPI_STATUS_IGNORE);
}

// They stay until all are measured: what one has freed the next would take. As many come before
// those that are measured: with the first ones the host makes what it keeps.
void measure_memory() {
    Buffers buffers;
    std::vector<MPI_Request> made;
    for (const auto& [name, init] : kinds) {
        for (int i = 0; i < requests; ++i) make(init, buffers, made);
        MPI_Barrier(MPI_COMM_WORLD);
        const double before = proportional_kb();
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < requests; ++i) make(init, buffers, made);
        MPI_Barrier(MPI_COMM_WORLD);
        const double each = mean((proportional_kb() - before) / requests);
        if (rank == 0) std::printf("%-28s %10.2f kB a rank and request\n", name, each);
    }
    for (MPI_Request& request : made) MPI_Request_free(&request);
}

template<class Work>
double time_ms(Work work) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    work();
    double passed = 1e3 * (MPI_Wtime() - began);
    MPI_Allreduce(MPI_IN_PLACE, &passed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return passed;
}

double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

// Of as many communicators as there are rounds, which all live together.
template<class Make>
void measure_first(const char* name, Make make_comm) {
    Buffers buffers;
    std::array<MPI_Comm, rounds> comms;
    std::vector<double> making, first, next;
    for (MPI_Comm& comm : comms) {
        std::array<MPI_Request, 2> made;
        making.push_back(time_ms([&] { make_comm(&comm); }));
        first.push_back(time_ms([&] { allreduce<1>(buffers, comm, &made[0]); }));
        next.push_back(time_ms([&] { allreduce<1>(buffers, comm, &made[1]); }));
        for (MPI_Request& request : made) MPI_Request_free(&request);
    }
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
    if (rank == 0)
        std::printf("%-28s %10.3f ms, first init %10.3f ms: %5.2f, next %10.3f ms\n", name,
                    median(making), median(first), median(first) / median(making), median(next));
}

void measure_first_of_all() {
    Buffers buffers;
    MPI_Request request = MPI_REQUEST_NULL;
    const double before = address_gb();
    const double passed = time_ms([&] { allreduce<1>(buffers, MPI_COMM_WORLD, &request); });
    const double addresses = mean(address_gb() - before) / ranks;
    MPI_Request_free(&request);
    if (rank != 0) return;
    std::printf("%-28s %10.3f ms, %d ranks\n", "first init of all", passed, ranks);
    std::printf("%-28s %10.3f GB a rank\n", "addresses", addresses);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    measure_first_of_all();
    measure_memory();
    measure_first("duplicate", [](MPI_Comm* comm) { MPI_Comm_dup(MPI_COMM_WORLD, comm); });
    measure_first("half, split off",
                  [](MPI_Comm* comm) { MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, comm); });
    // Each has other ranks than those before it.
    int turn = 0;
    measure_first("other ranks each time", [&](MPI_Comm* comm) {
        ++turn;
        MPI_Comm_split(MPI_COMM_WORLD, (rank + turn) % 32 / 16, rank, comm);
    });
    MPI_Finalize();
    return 0;
}
