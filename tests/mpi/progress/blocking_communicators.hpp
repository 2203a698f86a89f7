// SPDX-License-Identifier: BSD-3-Clause
// The table of calls that make and end communicators, those that join processes included.
#pragma once

#include <numeric>

#include "progress/blocking_calls.hpp"

namespace mpitest {

inline int after(const Scene& s) { return (s.me + 1) % s.ranks; }
inline int before(const Scene& s) { return (s.me + s.ranks - 1) % s.ranks; }

inline void create_from_group(Scene& s, bool by_group) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm_group(s.comm, &group);
    CHECK_MPI(by_group ? MPI_Comm_create_group(s.comm, group, s.tag, &s.made)
                       : MPI_Comm_create(s.comm, group, &s.made));
    MPI_Group_free(&group);
}

// A ring as a graph: each process has the one before and the one after it.
inline void create_graph(Scene& s) {
    std::vector<int> ends, edges;
    for (int rank = 0; rank < s.ranks; rank++) {
        ends.push_back(2 * rank + 2);
        edges.push_back((rank + s.ranks - 1) % s.ranks);
        edges.push_back((rank + 1) % s.ranks);
    }
    CHECK_MPI(MPI_Graph_create(s.comm, s.ranks, ends.data(), edges.data(), 0, &s.made));
}

inline void join_halves(Scene& s) {
    const MPI_Comm half = relays().comm(s.middle, Form::half);
    const int leader = s.me < s.ranks / 2 ? s.ranks / 2 : 0;
    CHECK_MPI(MPI_Intercomm_create(half, 0, s.comm, leader, s.tag, &s.made));
}

inline void duplicate(Scene& s) { CHECK_MPI(MPI_Comm_dup(s.comm, &s.made)); }
inline void halve(Scene& s) { relays().comm(s.middle, Form::half); }

inline void merge(Scene& s) {
    MPI_Comm merged = MPI_COMM_NULL;
    CHECK_MPI(MPI_Intercomm_merge(s.made, s.me < s.ranks / 2 ? 0 : 1, &merged));
    MPI_Comm_free(&s.made);
    s.made = merged;
}

inline const std::vector<BlockingCall> blocking_communicators = {
    {"MPI_Comm_dup", duplicate, nullptr, nullptr, free_made},
    {"MPI_Comm_dup_with_info",
     [](Scene& s) { CHECK_MPI(MPI_Comm_dup_with_info(s.comm, MPI_INFO_NULL, &s.made)); }, nullptr,
     nullptr, free_made},
    {"MPI_Comm_idup and MPI_Wait",
     [](Scene& s) {
         CHECK_MPI(MPI_Comm_idup(s.comm, &s.made, &s.requests[0]));
         CHECK_MPI(MPI_Wait(&s.requests[0], MPI_STATUS_IGNORE));
     },
     nullptr, nullptr, free_made},
    {"MPI_Comm_split", [](Scene& s) { CHECK_MPI(MPI_Comm_split(s.comm, s.me % 2, 0, &s.made)); },
     nullptr, nullptr, free_made},
    {"MPI_Comm_split_type",
     [](Scene& s) {
         CHECK_MPI(MPI_Comm_split_type(s.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &s.made));
     },
     nullptr, nullptr, free_made},
    {"MPI_Comm_create", [](Scene& s) { create_from_group(s, false); }, nullptr, nullptr, free_made},
    {"MPI_Comm_create_group", [](Scene& s) { create_from_group(s, true); }, nullptr, nullptr,
     free_made},
    {"MPI_Cart_create",
     [](Scene& s) {
         const int periodic = 0;
         CHECK_MPI(MPI_Cart_create(s.comm, 1, &s.ranks, &periodic, 0, &s.made));
     },
     nullptr, nullptr, free_made},
    {"MPI_Cart_sub",
     [](Scene& s) {
         const int remains = 1;
         CHECK_MPI(MPI_Cart_sub(relays().comm(s.middle, Form::ring), &remains, &s.made));
     },
     nullptr, [](Scene& s) { relays().comm(s.middle, Form::ring); }, free_made},
    {"MPI_Graph_create", create_graph, nullptr, nullptr, free_made},
    {"MPI_Dist_graph_create",
     [](Scene& s) {
         const int degree = 1, to = after(s);
         CHECK_MPI(MPI_Dist_graph_create(s.comm, 1, &s.me, &degree, &to, MPI_UNWEIGHTED,
                                         MPI_INFO_NULL, 0, &s.made));
     },
     nullptr, nullptr, free_made},
    {"MPI_Dist_graph_create_adjacent",
     [](Scene& s) {
         const int from = before(s), to = after(s);
         CHECK_MPI(MPI_Dist_graph_create_adjacent(s.comm, 1, &from, MPI_UNWEIGHTED, 1, &to,
                                                  MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &s.made));
     },
     nullptr, nullptr, free_made},
    {"MPI_Intercomm_create", join_halves, nullptr, halve, free_made},
    {"MPI_Intercomm_merge", merge, nullptr, join_halves, free_made},
    {"MPI_Comm_free", free_made, nullptr, duplicate},
    {"MPI_Comm_disconnect", [](Scene& s) { CHECK_MPI(MPI_Comm_disconnect(&s.made)); }, nullptr,
     duplicate},
};

// ---- processes that join: the name of the port stands in the mail ----

inline char* port() { return reinterpret_cast<char*>(mail()); }

inline void open_port(Scene& s, int opener) {
    if (s.me == opener) CHECK_MPI(MPI_Open_port(MPI_INFO_NULL, port()));
    MPI_Bcast(port(), MPI_MAX_PORT_NAME, MPI_CHAR, opener, s.comm);
}

inline void close_port(Scene& s, int opener) {
    if (s.made != MPI_COMM_NULL) CHECK_MPI(MPI_Comm_disconnect(&s.made));
    if (s.me == opener) CHECK_MPI(MPI_Close_port(port()));
}

inline void accept(Scene& s) {
    CHECK_MPI(MPI_Comm_accept(port(), MPI_INFO_NULL, 0, MPI_COMM_SELF, &s.made));
}

inline void connect(Scene& s) {
    CHECK_MPI(MPI_Comm_connect(port(), MPI_INFO_NULL, 0, MPI_COMM_SELF, &s.made));
}

inline const std::vector<BlockingCall> blocking_processes = {
    {"MPI_Comm_accept", accept, connect, [](Scene& s) { open_port(s, s.blocked); },
     [](Scene& s) { close_port(s, s.blocked); }},
    {"MPI_Comm_connect", connect, accept, [](Scene& s) { open_port(s, s.partner); },
     [](Scene& s) { close_port(s, s.partner); }},
};

} // namespace mpitest
