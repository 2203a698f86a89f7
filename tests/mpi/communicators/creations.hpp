// SPDX-License-Identifier: BSD-3-Clause
// The table of calls that make communicators of one, with arguments that differ by what is drawn.
// A row makes as many as it says on every member, some of them null.
#pragma once

#include <random>

#include "communicators/identities.hpp"

namespace mpitest {

// Drawn alike on every rank.
class Draw {
  public:
    explicit Draw(unsigned seed) : engine_(seed) { engine_.discard(5); }
    int below(int bound) { return static_cast<int>(engine_() % static_cast<unsigned>(bound)); }

  private:
    std::minstd_rand engine_;
};

using Made = std::vector<MPI_Comm>;

struct Creation {
    const char* name;
    std::size_t made;
    void (*make)(MPI_Comm of, Draw& draw, Made& made);
};

inline MPI_Group group_of(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &group);
    return group;
}

inline MPI_Group some_of(MPI_Comm comm, const std::vector<int>& ranks) {
    MPI_Group all = group_of(comm), some = MPI_GROUP_NULL;
    MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
    MPI_Group_free(&all);
    return some;
}

// ---- of one group or two ----

inline void dup(MPI_Comm of, Draw&, Made& made) { CHECK_MPI(MPI_Comm_dup(of, &made[0])); }

// Both are under way at once and complete in an order of each rank's own. Not on Open MPI 4.1,
// which hangs or fails then, of two groups and where ranks have made different numbers of
// communicators.
inline void idup(MPI_Comm of, Draw& draw, Made& made) {
    MPI_Request requests[2];
    const auto begin = [&](std::size_t which) {
#if MPI_VERSION >= 4
        if (draw.below(2) == 0) {
            CHECK_MPI(MPI_Comm_idup_with_info(of, MPI_INFO_NULL, &made[which], &requests[which]));
            return;
        }
#else
        draw.below(2);
#endif
        CHECK_MPI(MPI_Comm_idup(of, &made[which], &requests[which]));
    };
    begin(0);
    if (open_mpi_version() > 0) CHECK_MPI(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    begin(1);
    if (rank_of(of) % 2 == 0) std::swap(requests[0], requests[1]);
    for (MPI_Request& request : requests) CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

inline void split(MPI_Comm of, Draw& draw, Made& made) {
    // On an intercommunicator the two processes of a rank have one colour: no piece has one side.
    const int me = rank_of(of), colours = draw.below(3) + 1, shift = draw.below(3);
    const int colour = (me + shift) % (colours + 1) - 1;
    CHECK_MPI(MPI_Comm_split(of, colour < 0 ? MPI_UNDEFINED : colour, -me, &made[0]));
}

// ---- of one group ----

inline void dup_with_info(MPI_Comm of, Draw&, Made& made) {
    CHECK_MPI(MPI_Comm_dup_with_info(of, MPI_INFO_NULL, &made[0]));
}

inline void split_type(MPI_Comm of, Draw& draw, Made& made) {
    const bool takes_part = rank_of(of) % 3 != draw.below(4);
    const int split_type = takes_part ? int{MPI_COMM_TYPE_SHARED} : int{MPI_UNDEFINED};
    CHECK_MPI(MPI_Comm_split_type(of, split_type, 0, MPI_INFO_NULL, &made[0]));
}

// Those of even rank and those of odd rank; perhaps one of them is left out.
inline void create(MPI_Comm of, Draw& draw, Made& made) {
    const int ranks = size_of(of), left_out = draw.below(ranks + 1);
    std::vector<int> chosen;
    for (int r = rank_of(of) % 2; r < ranks; r += 2)
        if (r != left_out) chosen.push_back(r);
    MPI_Group group = some_of(of, chosen);
    CHECK_MPI(MPI_Comm_create(of, group, &made[0]));
    MPI_Group_free(&group);
}

// Each rank with the next and with the one before, twice by the same tag. Even ranks begin with the
// next, odd ones with the one before.
inline void create_groups(MPI_Comm of, Draw& draw, Made& made) {
    const int me = rank_of(of), tag = draw.below(3);
    for (std::size_t i = 0; i < 4; i++) {
        const int first = (me % 2 == 0) == (i % 2 == 0) ? me : me - 1;
        if (first < 0 || first + 1 >= size_of(of)) continue;
        MPI_Group group = some_of(of, {first + 1, first});
        MPI_Comm& pair = made[2 * (i / 2) + static_cast<std::size_t>(first % 2)];
        CHECK_MPI(MPI_Comm_create_group(of, group, tag, &pair));
        MPI_Group_free(&group);
    }
}

inline void cart(MPI_Comm of, Draw& draw, Made& made) {
    const int ranks = size_of(of), rows = ranks >= 4 ? 2 : 1;
    const int dims[2] = {rows, ranks / rows}, periods[2] = {0, 1};
    const int remains[2] = {draw.below(2), draw.below(2)};
    CHECK_MPI(MPI_Cart_create(of, 2, dims, periods, draw.below(2), &made[0]));
    if (made[0] != MPI_COMM_NULL) CHECK_MPI(MPI_Cart_sub(made[0], remains, &made[1]));
}

// A ring, perhaps without the last.
inline void graph(MPI_Comm of, Draw& draw, Made& made) {
    const int ranks = std::max(1, size_of(of) - draw.below(2));
    std::vector<int> ends, edges;
    for (int r = 0; r < ranks; r++) {
        ends.push_back(2 * r + 2);
        edges.push_back((r + ranks - 1) % ranks);
        edges.push_back((r + 1) % ranks);
    }
    CHECK_MPI(MPI_Graph_create(of, ranks, ends.data(), edges.data(), 0, &made[0]));
}

inline void dist_graph(MPI_Comm of, Draw& draw, Made& made) {
    const int me = rank_of(of), ranks = size_of(of), degree = 1;
    const int next = (me + 1) % ranks, before = (me + ranks - 1) % ranks;
    if (draw.below(2) == 0)
        CHECK_MPI(MPI_Dist_graph_create(of, 1, &me, &degree, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                        0, &made[0]));
    else
        CHECK_MPI(MPI_Dist_graph_create_adjacent(of, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made[0]));
}

// Two groups, joined twice; the tag matters to the leaders alone, which are the last of each.
inline void join(MPI_Comm of, Draw& draw, Made& made) {
    const int me = rank_of(of), ranks = size_of(of);
    if (ranks < 2) return;
    const int cut = 1 + draw.below(ranks - 1), is_high = me >= cut;
    MPI_Comm half = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(of, is_high, 0, &half));
    const int last = size_of(half) - 1, leader = is_high ? cut - 1 : ranks - 1;
    for (MPI_Comm& joined : made) {
        const int tag = rank_of(half) == last ? 7 : me;
        CHECK_MPI(MPI_Intercomm_create(half, last, of, leader, tag, &joined));
    }
    free_comm(half);
}

// ---- of two groups ----

// In the order that they have: of others Open MPI 4.1 tells the other side wrongly.
inline void create_of_two(MPI_Comm of, Draw& draw, Made& made) {
    const int ranks = size_of(of), left_out = draw.below(4);
    std::vector<int> chosen;
    for (int r = 0; r < ranks; r++)
        if (r != left_out || ranks == 1) chosen.push_back(r);
    MPI_Group group = some_of(of, chosen);
    CHECK_MPI(MPI_Comm_create(of, group, &made[0]));
    MPI_Group_free(&group);
}

inline void merge(MPI_Comm of, Draw&, Made& made) {
    CHECK_MPI(MPI_Intercomm_merge(of, members(of, false)[0] < members(of, true)[0], &made[0]));
}

inline const std::vector<Creation> creations_of_one = {
    {"dup", 1, dup},
    {"idup", 2, idup},
    {"split", 1, split},
    {"dup_with_info", 1, dup_with_info},
    {"split_type", 1, split_type},
    {"create", 1, create},
    {"create_group", 4, create_groups},
    {"cart", 2, cart},
    {"graph", 1, graph},
    {"dist_graph", 1, dist_graph},
    {"intercomm", 2, join},
};

inline const std::vector<Creation> creations_of_two = {
    {"dup of two", 1, dup},     {"idup of two", 2, idup},
    {"merge", 1, merge},        {"create of two", 1, create_of_two},
    {"split of two", 1, split},
};

} // namespace mpitest
