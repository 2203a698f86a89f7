// SPDX-License-Identifier: BSD-3-Clause
// Ranks that have met on one communicator need not find each other again on the next one.
#include "common/host_messages.h"
#include "common/plans.hpp"

#include <optional>

using namespace mpitest;

namespace {

// What the first init on a communicator sends, beside what any later one does. The plan is right.
int sends_of_meeting(MPI_Comm comm) {
    int begin = host_sends();
    Sum first(comm);
    const int of_first = host_sends() - begin;
    begin = host_sends();
    Sum next(comm);
    const int of_next = host_sends() - begin;
    first.start(1);
    next.run(3);
    first.wait();
    return of_first - of_next;
}

int rounds_of_exchange(int ranks) {
    int rounds = 0;
    for (int distance = 1; distance < ranks; distance *= 2) rounds++;
    return rounds;
}

MPI_Comm split(MPI_Comm comm, int color, int key) {
    MPI_Comm part = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(comm, color, key, &part));
    return part;
}

} // namespace

TEST_CASE("on a communicator of known ranks no more than one exchange is needed") {
    MPI_Comm comm = duplicate();
    sends_of_meeting(comm);
    const int exchange = rounds_of_exchange(size_of());
    MPI_Comm copy = duplicate(comm), copy_of_copy = duplicate(copy);
    CHECK(sends_of_meeting(copy) <= exchange);
    free_comm(comm);
    MPI_Comm congruent = split(MPI_COMM_WORLD, 0, rank_of());
    CHECK(sends_of_meeting(congruent) <= exchange);
    CHECK(sends_of_meeting(copy_of_copy) <= exchange);
    free_comm(copy_of_copy);
    free_comm(congruent);
    free_comm(copy);
}

TEST_CASE("ranks in another order find each other anew") {
    MPI_Comm comm = duplicate();
    sends_of_meeting(comm);
    MPI_Comm backwards = split(comm, 0, -rank_of());
    const int first = sends_of_meeting(backwards);
    MPI_Comm copy = duplicate(backwards);
    const int again = sends_of_meeting(copy);
    CHECK(again <= rounds_of_exchange(size_of()));
    if (size_of() > 1) CHECK(first > again);
    free_comm(copy);
    free_comm(backwards);
    free_comm(comm);
}

TEST_CASE("what is known is forgotten by one rank after the other") {
    for (int round = 0; round < 30; round++) {
        MPI_Comm comm = duplicate(), part = split(comm, rank_of() % 2, round % 2 * rank_of());
        std::optional<Sum> of_part, of_all;
        if (round % 3 == 0) of_all.emplace(comm);
        of_part.emplace(part);
        if (round % 3 == 1) of_all.emplace(comm);
        if (rank_of() % 2 == 0) free_comm(part);
        if (of_all) of_all->run(2);
        if (rank_of() % 2 != 0) free_comm(part);
        of_part->run(2);
        if (rank_of() % 3 == 0) of_part.reset();
        free_comm(comm);
        if (of_all) of_all->run(1);
    }
}

TEST_CASE("groups that are known by the dozen are right") {
    std::optional<Sum> sums[24];
    MPI_Comm comms[24];
    for (int i = 0; i < 24; i++) {
        const bool in_order = i % 3 != 0;
        comms[i] = split(MPI_COMM_WORLD, 0, in_order ? rank_of() : (rank_of() + i) % size_of());
        sums[i].emplace(comms[i]);
    }
    for (int i = 0; i < 24; i++) {
        sums[i]->run(2);
        sums[i].reset();
        free_comm(comms[i]);
    }
}
