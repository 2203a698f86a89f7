// SPDX-License-Identifier: BSD-3-Clause
// Two groups and an intercommunicator, the roots that a collective on it may have, and buffers of
// elements with and without gaps. What must arrive is computed, not asked of the host.
#pragma once

#include <set>

#include "common/check.hpp"

namespace mpitest {

// The first ranks and the rest, joined.
class Groups {
  public:
    explicit Groups(int first_size) {
        is_first = rank_of() < first_size;
        CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, is_first ? 0 : 1, 0, &local_));
        CHECK_MPI(MPI_Intercomm_create(local_, 0, MPI_COMM_WORLD, is_first ? first_size : 0, 9,
                                       &between));
        CHECK_MPI(MPI_Comm_remote_size(between, &remote));
        me = rank_of(between);
        here = size_of(between);
    }
    Groups(const Groups&) = delete;
    Groups& operator=(const Groups&) = delete;
    ~Groups() {
        if (between != MPI_COMM_NULL) CHECK_MPI(MPI_Comm_free(&between));
        CHECK_MPI(MPI_Comm_free(&local_));
    }
    int number() const { return is_first ? 0 : 1; }
    int other() const { return is_first ? 1 : 0; }

    MPI_Comm between = MPI_COMM_NULL;
    bool is_first = false;
    int me = 0, here = 0, remote = 0;

  private:
    MPI_Comm local_ = MPI_COMM_NULL;
};

// A root as this rank must name it.
struct Root {
    Root(const Groups& groups, int group, bool is_last) {
        in_my_group = group == groups.number();
        rank = is_last ? (in_my_group ? groups.here : groups.remote) - 1 : 0;
        is_me = in_my_group && rank == groups.me;
        argument = is_me ? MPI_ROOT : in_my_group ? MPI_PROC_NULL : rank;
    }
    int rank = 0, argument = 0;
    bool in_my_group = false, is_me = false;
};

// Halves, and one rank against all others; nothing where there is but one rank.
template<class Body>
void for_all_groups(Body body) {
    const int ranks = size_of();
    if (ranks == 1) return;
    for (const int first_size : std::set{1, ranks / 2}) {
        INFO("groups of " << first_size << " and " << ranks - first_size);
        const Groups groups(first_size);
        body(groups);
    }
}

template<class Body>
void for_all_roots(const Groups& groups, Body body) {
    for (const int group : {0, 1})
        for (const bool is_last : {false, true}) {
            INFO((is_last ? "last" : "first") << " rank of group " << group << " is root");
            body(Root(groups, group, is_last));
        }
}

// An element is two ints, `second` apart, in a space of `step` ints.
struct Kind {
    MPI_Datatype type;
    std::size_t second, step;
};

struct Kinds {
    Type plain_type{vector_of(1, 2, 2)};
    Type gaps_type{resized(vector_of(2, 1, 2), 0, 4 * sizeof(int))};
    Kind plain{plain_type, 1, 2}, gaps{gaps_type, 2, 4};
};

constexpr int untouched = -77;

class Cells {
  public:
    Cells(Kind kind, int cells)
        : kind_(kind), ints_(static_cast<std::size_t>(cells) * kind.step + 1, untouched) {}

    void clear() { ints_.assign(ints_.size(), untouched); }
    void put(int cell, int value, int second_value) {
        const std::size_t at = static_cast<std::size_t>(cell) * kind_.step;
        ints_[at] = value;
        ints_[at + kind_.second] = second_value;
    }
    void put(int cell, int value) { put(cell, value, value + 1); }
    int* data() { return ints_.data(); }
    const std::vector<int>& ints() const { return ints_; }
    MPI_Datatype type() const { return kind_.type; }

  private:
    Kind kind_;
    std::vector<int> ints_;
};

// Starts, waits and compares, in three rounds, and frees. `fill` writes what is sent and what must
// have arrived.
template<class Fill>
void run_rounds(MPI_Request& request, Cells& out, Fill fill) {
    for (int round = 0; round < 3; round++) {
        INFO("round " << round);
        out.clear();
        Cells expected = out;
        fill(round, expected);
        start_and_wait(request);
        CHECK(difference(expected.ints(), out.ints()) == "");
    }
    free_request(request);
}

// Runs the body with and without data, with gaps on either side.
template<class Body>
void for_all_data(const Groups& groups, Body body) {
    const Kinds kinds;
    for (const int count : {3, 0})
        for (const bool first_has_gaps : {true, false}) {
            INFO("count " << count << ", gaps in group " << (first_has_gaps ? 0 : 1));
            const bool has_gaps = groups.is_first == first_has_gaps;
            body(has_gaps ? kinds.gaps : kinds.plain, count);
        }
}

} // namespace mpitest
