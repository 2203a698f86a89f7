// SPDX-License-Identifier: BSD-3-Clause
// Who gives the core away while a plan is waited for: Open MPI where messages of several ranks go
// both ways, because it alone knows whether one has moved; in a sum, whose messages wait for each
// other, the library. MPICH yields through the library in any case. Run with MPIX_YIELD=1 and the
// transport of the host.
#include "common/plans.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string_view>

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

TEST_CASE("Open MPI yields in an exchange with several ranks") {
    int ranks = size_of(), periodic = 1;
    MPI_Comm ring = MPI_COMM_NULL;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring));
    double out[2] = {}, in[2] = {};
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Neighbor_alltoall_init(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, ring, MPI_INFO_NULL,
                                         &request));
    const Yields yields = yields_of(request);
    CHECK((yields.host > 0) == is_open_mpi());
    // That a message was found is no reason to: only looks that find something twice, and not all,
    // are followed by one.
    if (is_open_mpi()) CHECK(100 * yields.library < rounds * ranks);
    MPI_Comm_free(&ring);
}

TEST_CASE("the library yields in a sum") {
    double in = 1, out = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &request));
    const Yields yields = yields_of(request);
    CHECK(yields.host == 0);
    CHECK(yields.library > 0);
}
