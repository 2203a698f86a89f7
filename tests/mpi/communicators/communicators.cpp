// SPDX-License-Identifier: BSD-3-Clause
// Communicators that have plans are duplicated, compared and freed as if they had none, and the
// plans do not mind.
#include "common/plans.hpp"

#include <algorithm>
#include <array>
#include <optional>

using namespace mpitest;

namespace {

int compare(MPI_Comm one, MPI_Comm other) {
    int result = -1;
    CHECK_MPI(MPI_Comm_compare(one, other, &result));
    return result;
}

// That a process may have at a time.
const int host_communicators = mpich_version() > 0 ? 2'046 : 65'532;

using End = int (*)(MPI_Comm*);
constexpr End ends[] = {[](MPI_Comm* comm) { return MPI_Comm_free(comm); },
                        [](MPI_Comm* comm) { return MPI_Comm_disconnect(comm); }};

} // namespace

TEST_CASE("a duplicate of a communicator with plans is congruent and independent") {
    MPI_Comm comm = duplicate();
    Sum before(comm);
    if (rank_of() % 2 == 0) before.start(7); // active on some ranks while all duplicate
    MPI_Comm copy = duplicate(comm), second_copy = duplicate(copy);
    if (rank_of() % 2 != 0) before.start(7);
    CHECK(compare(comm, copy) == MPI_CONGRUENT);
    CHECK(compare(copy, second_copy) == MPI_CONGRUENT);
    CHECK(compare(comm, comm) == MPI_IDENT);
    Sum on_copy(copy), on_second(second_copy), after(comm);
    before.wait();
    for (int round = 0; round < 5; round++) {
        std::array sums{&before, &on_copy, &on_second, &after};
        if (rank_of() % 2 == 0) std::reverse(sums.begin(), sums.end());
        int value = round;
        for (Sum* sum : {&before, &on_copy, &on_second, &after})
            if (rank_of() % 2 != 0) sum->start(++value * 10);
        value = round + 4;
        for (Sum* sum : {&after, &on_second, &on_copy, &before})
            if (rank_of() % 2 == 0) sum->start(value-- * 10);
        for (Sum* sum : sums) sum->wait();
    }
    free_comm(comm);
    on_copy.run(2);
    free_comm(copy);
    on_second.run(2);
    before.run(2);
    free_comm(second_copy);
}

TEST_CASE("a communicator may be freed or disconnected before its plans and after") {
    for (const End end : ends)
        for (const int plans_freed_before : {0, 1, 2}) {
            INFO("plans freed before: " << plans_freed_before);
            MPI_Comm comm = duplicate();
            Sum sums[2] = {Sum(comm), Sum(comm)};
            for (Sum& sum : sums) sum.run(2);
            for (int i = 0; i < plans_freed_before; i++) free_request(sums[i].request);
            CHECK_MPI(end(&comm));
            CHECK(comm == MPI_COMM_NULL);
            for (int i = plans_freed_before; i < 2; i++) sums[i].run(2);
        }
}

TEST_CASE("a communicator may be freed while its plan is active") {
    MPI_Comm comm = duplicate();
    Sum sum(comm);
    for (int round = 0; round < 2; round++) {
        sum.start(round);
        if (round == 0) free_comm(comm);
        sum.wait();
    }
}

TEST_CASE("communicators of overlapping groups have plans at once") {
    const int me = rank_of(), ranks = size_of();
    MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &all));
    MPI_Comm reversed = MPI_COMM_NULL, node = MPI_COMM_NULL, tail = MPI_COMM_NULL,
             created = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed));
    CHECK_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    int range[1][3] = {{ranks / 2, ranks - 1, 1}};
    CHECK_MPI(MPI_Group_range_incl(all, 1, range, &some));
    CHECK_MPI(MPI_Comm_create(MPI_COMM_WORLD, some, &created));
    if (me >= ranks / 2) CHECK_MPI(MPI_Comm_create_group(MPI_COMM_WORLD, some, 3, &tail));
    int told = 0;
    MPI_Request bcast = MPI_REQUEST_NULL;
    {
        Sum sums[2] = {Sum(reversed), Sum(node)};
        std::optional<Sum> on_tail, on_created;
        if (tail != MPI_COMM_NULL) on_tail.emplace(tail);
        if (created != MPI_COMM_NULL) on_created.emplace(created);
        CHECK_MPI(MPI_Bcast_init(&told, 1, MPI_INT, 0, reversed, MPI_INFO_NULL, &bcast));
        for (MPI_Comm* comm : {&reversed, &node, &tail, &created})
            if (*comm != MPI_COMM_NULL) free_comm(*comm);
        for (int round = 0; round < 5; round++) {
            told = me == ranks - 1 ? round : -1; // rank 0 of the reversed order
            for (Sum& sum : sums) sum.start(round);
            if (on_tail) on_tail->start(round * 10);
            CHECK_MPI(MPI_Start(&bcast));
            if (on_created) on_created->start(round * 100);
            CHECK_MPI(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
            CHECK(told == round);
            if (on_created) on_created->wait();
            if (on_tail) on_tail->wait();
            for (Sum& sum : sums) sum.wait();
        }
    }
    free_request(bcast);
    for (MPI_Group* group : {&all, &some}) CHECK_MPI(MPI_Group_free(group));
}

TEST_CASE("a communicator that gets the handle of a freed one has plans of its own") {
    MPI_Comm comm = duplicate();
    const MPI_Comm old_handle = comm;
    Sum old_sum(comm);
    old_sum.run(1);
    free_comm(comm);
    std::vector<MPI_Comm> others;
    // The ranks make the same number, until it was the same handle somewhere.
    for (int is_same = 0; others.size() < 8 && !is_same;) {
        others.push_back(duplicate());
        is_same = others.back() == old_handle;
        CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, &is_same, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    }
    Sum new_sum(others.back());
    for (int round = 0; round < 5; round++) {
        if (rank_of() % 2 == 0) old_sum.start(round);
        new_sum.start(round * 10);
        if (rank_of() % 2 != 0) old_sum.start(round);
        new_sum.wait();
        old_sum.wait();
    }
    for (MPI_Comm& other : others) free_comm(other);
    old_sum.run(1);
    new_sum.run(1);
}

TEST_CASE("communicators with plans, made and freed again and again, leave none behind") {
    // More than MPICH has, but not on many ranks, where it takes long for each.
    const bool exhausts = host_communicators < 10'000 && size_of() <= 2;
    const int times = exhausts ? host_communicators + 50 : 60;
    Sum first(MPI_COMM_WORLD);
    for (int i = 0; i < times; i++) {
        MPI_Comm comm = duplicate();
        Sum sum(comm);
        sum.start(i);
        if (i % 3 == 0) free_comm(comm);
        sum.wait();
        if (i % 3 == 1) free_request(sum.request);
        if (i % 3 != 0) free_comm(comm);
        if (i % 100 == 0) first.run(1);
    }
    first.run(2);
}
