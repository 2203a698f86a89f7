// SPDX-License-Identifier: BSD-3-Clause
// Ranks that have met on one communicator need not meet again on the next one.
#include "common/host_messages.h"
#include "common/plans.hpp"

#include <optional>

using namespace mpitest;

namespace {

struct Meeting {
    int sends = 0, collectives = 0;
    bool operator==(const Meeting&) const = default;
};

// What the first init on a communicator takes beside what any later one does. The plan is right.
Meeting meeting(MPI_Comm comm) {
    const int sends = host_sends(), collectives = host_collectives();
    Sum first(comm);
    const int more_sends = host_sends(), more_collectives = host_collectives();
    Sum next(comm);
    const Meeting of_first{2 * more_sends - sends - host_sends(),
                           2 * more_collectives - collectives - host_collectives()};
    first.start(1);
    next.run(3);
    first.wait();
    return of_first;
}

constexpr Meeting none{}, gathering{.sends = 0, .collectives = 1};

MPI_Comm split(MPI_Comm comm, int color, int key) {
    MPI_Comm part = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(comm, color, key, &part));
    return part;
}

} // namespace

TEST_CASE("the ranks of MPI_COMM_WORLD meet once") {
    MPI_Comm comm = duplicate();
    meeting(comm);
    MPI_Comm copy = duplicate(comm), copy_of_copy = duplicate(copy);
    CHECK(meeting(copy) == none);
    free_comm(comm);
    MPI_Comm congruent = split(MPI_COMM_WORLD, 0, rank_of());
    CHECK(meeting(congruent) == none);
    CHECK(meeting(copy_of_copy) == none);
    free_comm(copy_of_copy);
    free_comm(congruent);
    free_comm(copy);
    MPI_Comm later = duplicate();
    CHECK(meeting(later) == none);
    free_comm(later);
}

TEST_CASE("ranks in another order meet anew, and then gather to ask whether all know the others") {
    MPI_Comm comm = duplicate();
    meeting(comm);
    MPI_Comm backwards = split(comm, 0, -rank_of());
    const Meeting first = meeting(backwards);
    MPI_Comm copy = duplicate(backwards);
    CHECK(meeting(copy) == (size_of() > 1 ? gathering : none));
    if (size_of() > 1) CHECK(first.sends > 0);
    free_comm(copy);
    free_comm(backwards);
    free_comm(comm);
}

TEST_CASE("plans of several communicators take turns") {
    MPI_Comm comms[3];
    for (MPI_Comm& comm : comms) comm = duplicate();
    std::optional<Sum> sums[3][4];
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) sums[c][i].emplace(comms[c]);
    free_comm(comms[1]);
    for (int i = 0; i < 4; i++)
        for (auto& of_comm : sums) of_comm[i]->start(i);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 4; i++) sums[(c + rank_of()) % 3][i]->wait();
    if (rank_of() % 2) sums[0][0].reset();
    sums[2][3]->run(5);
    free_comm(comms[0]);
    free_comm(comms[2]);
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
