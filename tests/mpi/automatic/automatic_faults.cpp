// SPDX-License-Identifier: BSD-3-Clause
// Plain collectives on plans where memory is missing on one rank: the call is an error there and
// works when it is made again, or the host does it on all ranks. No other rank waits for ever.
#include "automatic/planned.hpp"
#include "common/faults.hpp"

#include <algorithm>
#include <functional>

using namespace mpitest;

namespace {

// The second is planned; with MPIX_RACE=2 the race of three ways, that settle first, is over too.
constexpr int calls = 80;

void sweep_memory(const std::function<void()>& scenario) {
    CHECK(sweep(Fault::allocation, 0, 1, scenario) >= 0);
    CHECK(sweep(Fault::allocation, size_of() - 1, 3, scenario) >= 0);
}

int sum_of(int ranks) { return ranks * (ranks + 1) / 2; }

void add_up(MPI_Comm comm, int count) {
    const int ranks = size_of(comm);
    std::vector<int> in(static_cast<std::size_t>(count), rank_of(comm) + 1), out(in.size(), -1);
    insist([&] { return MPI_Allreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, comm); });
    CHECK(std::count(out.begin(), out.end(), sum_of(ranks)) == count);
}

// How many plans there are before the race is over.
int race() {
    const Planned planned;
    int plans = -1;
    for (int call = 0; call < calls; call++) {
        add_up(planned.comm, 1000);
        if (call == 2) plans = planned.plans();
    }
    return plans;
}

} // namespace

TEST_CASE("a plan and its race, on all ranks or none") {
    CHECK(race() == (size_of() > 1));
    int without_plan = 0;
    sweep_memory([&] {
        const int plans = race();
        int most = -1, least = -1;
        MPI_Allreduce(&plans, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allreduce(&plans, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        CHECK(most == least);
        without_plan += most == 0;
    });
    CHECK(without_plan > 0);
}

TEST_CASE("on ranks that have not met") {
    sweep_memory([] {
        MPI_Comm turned = MPI_COMM_NULL;
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_of(), &turned));
        CHECK_MPI(MPIX_Auto_set(turned, 1));
        for (int call = 0; call < 4; call++) add_up(turned, 3);
        CHECK_MPI(MPI_Comm_free(&turned));
    });
}

TEST_CASE("blocks with gaps between them, which are copied") {
    const int ranks = size_of(), me = rank_of();
    const auto n = static_cast<std::size_t>(ranks);
    std::vector<int> in(n, me + 1), out(20 * n), counts(n), places(n);
    for (std::size_t r = 0; r < n; r++) {
        counts[r] = static_cast<int>(r) + 1;
        places[r] = 20 * static_cast<int>(r);
    }
    const std::vector<int> all(static_cast<std::size_t>(sum_of(ranks)), me + 1);
    sweep_memory([&] {
        const Planned planned;
        for (int call = 0; call < 4; call++) {
            std::fill(out.begin(), out.end(), -1);
            insist([&] {
                return MPI_Allgatherv(in.data(), me + 1, MPI_INT, out.data(), counts.data(),
                                      places.data(), MPI_INT, planned.comm);
            });
            CHECK(out[0] == 1);
            CHECK(out[1] == -1);
            CHECK(out[20 * (n - 1) + n - 1] == ranks);
            std::vector<int> sums(n, -1);
            insist([&] {
                return MPI_Reduce_scatter(all.data(), sums.data(), counts.data(), MPI_INT, MPI_SUM,
                                          planned.comm);
            });
            CHECK(std::count(sums.begin(), sums.end(), sum_of(ranks)) == me + 1);
        }
    });
}

TEST_CASE("neighbourhoods, of which the ranks tell each other") {
    sweep_memory([] {
        const int ranks = size_of(), is_periodic = 1;
        MPI_Comm ring = MPI_COMM_NULL;
        CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &is_periodic, 0, &ring));
        {
            const Info named("mpix_auto", "neighbor_allgather");
            CHECK_MPI(MPI_Comm_set_info(ring, named));
        }
        const int me = rank_of(ring);
        for (int call = 0; call < 5; call++) {
            int of[2] = {-1, -1};
            insist([&] { return MPI_Neighbor_allgather(&me, 1, MPI_INT, of, 1, MPI_INT, ring); });
            CHECK(of[0] == (me + ranks - 1) % ranks);
            CHECK(of[1] == (me + 1) % ranks);
        }
        CHECK_MPI(MPI_Comm_free(&ring));
    });
}

// The plan is made in the next blocking call.
TEST_CASE("nonblocking calls") {
    sweep_memory([] {
        const Planned planned;
        const int one = rank_of() + 1;
        for (int call = 0; call < 4; call++) {
            int sum = -1;
            MPI_Request request = MPI_REQUEST_NULL;
            insist(
                [&] {
                    return MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, planned.comm, &request);
                },
                &request);
            insist([&] { return MPI_Wait(&request, MPI_STATUS_IGNORE); });
            CHECK(sum == sum_of(size_of()));
            if (call == 1) insist([&] { return MPI_Barrier(planned.comm); });
        }
    });
}
