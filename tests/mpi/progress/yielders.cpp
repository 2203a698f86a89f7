// SPDX-License-Identifier: BSD-3-Clause
// When the core is given away, and by whom: by the library, before the first poll of who waits
// right after the start; after it where time has passed since, in which the message may have come.
// Open MPI's persistent messages it yields for itself. Run with MPIX_YIELD=1 and the transport of
// the host.
#include "common/plans.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string_view>
#include <vector>

using namespace mpitest;

namespace {

constexpr int rounds = 500;

bool counts = false;
int yields_of_host = 0, yields_of_library = 0;

void count(const void* caller) {
    Dl_info from{};
    if (!counts || !dladdr(caller, &from) || !from.dli_fname) return;
    const bool is_library =
        std::string_view(from.dli_fname).find("libmpix") != std::string_view::npos;
    ++(is_library ? yields_of_library : yields_of_host);
}

// All ranks' together, of all rounds.
struct Yields {
    int host, library;
};

Yields yields_of(MPI_Request& request) {
    yields_of_host = yields_of_library = 0;
    for (int round = 0; round < rounds; ++round) {
        MPI_Start(&request);
        counts = true;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        counts = false;
    }
    int mine[] = {yields_of_host, yields_of_library}, all[2] = {};
    CHECK_MPI(MPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    free_request(request);
    return {all[0], all[1]};
}

// For longer than the kernel lets another rank keep the core.
void compute() {
    const double begun = MPI_Wtime();
    while (MPI_Wtime() < begun + 0.02) {}
}

bool is_open_mpi() {
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(version, &length);
    return std::string_view(version).starts_with("Open MPI");
}

} // namespace

// Before that of the C library.
extern "C" [[gnu::visibility("default")]] int sched_yield() noexcept {
    count(__builtin_return_address(0));
    return static_cast<int>(syscall(SYS_sched_yield));
}

TEST_CASE("the library yields in a sum and in an exchange") {
    const int ranks = size_of();
    double in = 1, out = 0;
    std::vector<double> to(static_cast<std::size_t>(ranks)), from(to.size());
    MPI_Request sum = MPI_REQUEST_NULL, exchange = MPI_REQUEST_NULL;
    CHECK_MPI(
        MPI_Allreduce_init(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sum));
    CHECK_MPI(MPI_Alltoall_init(to.data(), 1, MPI_DOUBLE, from.data(), 1, MPI_DOUBLE,
                                MPI_COMM_WORLD, MPI_INFO_NULL, &exchange));
    for (MPI_Request* const request : {&sum, &exchange}) {
        const Yields yields = yields_of(*request);
        CHECK(yields.host == 0);
        CHECK(yields.library > 0);
    }
}

TEST_CASE("who has computed since the start polls first, who has not gives the core away first") {
    MPI_Comm pair = MPI_COMM_NULL; // so that a single message is waited for
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, rank_of() / 2, 0, &pair));
    int in = rank_of(), out[2] = {-1, -1};
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allgather_init(&in, 1, MPI_INT, out, 1, MPI_INT, pair, MPI_INFO_NULL, &request));
    constexpr int tries = 20;
    const auto tries_with_yields = [&](bool computes_before, bool computes_since) {
        int found = 0;
        for (int i = 0; i < tries; ++i) {
            MPI_Barrier(pair);
            if (computes_before) compute();
            MPI_Start(&request);
            if (computes_since) compute();
            yields_of_library = 0;
            counts = true;
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            counts = false;
            found += yields_of_library > 0;
        }
        return found;
    };
    // What it waits for has come, in both, but where the other had no core to send on. Open MPI may
    // find it as it sends.
    const bool is_alone = size_of() % 2 == 1 && rank_of() == size_of() - 1;
    const int since = tries_with_yields(false, true);
    if (!is_alone) CHECK(2 * since < tries);
    const bool is_second = rank_of() % 2 == 1;
    const int before = tries_with_yields(is_second, false);
    if (is_second) CHECK(before > since);
    free_request(request);
    MPI_Comm_free(&pair);
}

TEST_CASE("who waits for persistent messages gives the core away as the host does") {
    const int ranks = size_of(), me = rank_of();
    double in = 0, out = 1;
    MPI_Request both[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    CHECK_MPI(MPI_Recv_init(&in, 1, MPI_DOUBLE, (me + ranks - 1) % ranks, 0, MPI_COMM_WORLD, both));
    CHECK_MPI(MPI_Send_init(&out, 1, MPI_DOUBLE, (me + 1) % ranks, 0, MPI_COMM_WORLD, both + 1));
    yields_of_host = yields_of_library = 0;
    for (int round = 0; round < rounds; ++round) {
        CHECK_MPI(MPI_Startall(2, both));
        counts = true;
        CHECK_MPI(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
        counts = false;
    }
    int mine[] = {yields_of_host, yields_of_library}, all[2] = {};
    CHECK_MPI(MPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK((all[0] > 0) == is_open_mpi());
    CHECK((all[1] > 0) == !is_open_mpi());
    free_request(both[0]);
    free_request(both[1]);
}
