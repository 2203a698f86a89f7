// SPDX-License-Identifier: BSD-3-Clause
// Communicators that come from a session have numbers and a control communicator too, without
// MPI_COMM_WORLD or beside it: with an argument MPI_Init and MPI_Finalize are inside.
#include "comm/communicator_id.hpp"

#include <cstdio>
#include <set>
#include <string>

using mpix::comm::CommunicatorId;

namespace {

int wrong = 0;
std::set<std::uint64_t> seen;

void expect(bool condition, const std::string& what) {
    if (condition) return;
    std::fprintf(stderr, "wrong: %s\n", what.c_str());
    wrong = 1;
}

// All members agree on a number that is new, and a message to the next on it arrives.
void check(MPI_Comm comm, const std::string& name) {
    const auto identity = CommunicatorId::of(comm);
    const std::uint64_t mine = identity ? identity->number() : 0;
    std::uint64_t least = 0, most = 0;
    int is_inter = 0, rank = 0, peers = 0, told = -1;
    MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, comm);
    MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, comm);
    expect(mine != 0 && least == mine && most == mine, name + ": agreement");
    expect(seen.insert(mine).second, name + ": a number of its own");
    MPI_Comm_test_inter(comm, &is_inter);
    MPI_Comm_rank(comm, &rank);
    is_inter ? MPI_Comm_remote_size(comm, &peers) : MPI_Comm_size(comm, &peers);
    if (!identity || rank >= peers) return;
    // Of two groups those of the same rank.
    const int to = is_inter ? rank : (rank + 1) % peers;
    const int from = is_inter ? rank : (rank + peers - 1) % peers;
    MPI_Sendrecv(&rank, 1, MPI_INT, identity->control_rank(to), 0, &told, 1, MPI_INT,
                 identity->control_rank(from), 0, identity->control(), MPI_STATUS_IGNORE);
    expect(told == from, name + ": message");
}

void use(MPI_Session session) {
    MPI_Group group = MPI_GROUP_NULL, side = MPI_GROUP_NULL, other = MPI_GROUP_NULL;
    MPI_Comm base, twin, copy, half, joined, from_groups;
    int ranks = 0, rank = 0;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    for (MPI_Comm* comm : {&base, &twin})
        MPI_Comm_create_from_group(group, "org.mpix.identity", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                   comm);
    check(base, "from a group");
    check(twin, "from the same group");
    MPI_Comm_dup(twin, &copy);
    check(copy, "copy");
    MPI_Comm_rank(base, &rank);
    MPI_Comm_size(base, &ranks);
    MPI_Comm_split(base, rank % 2, 0, &half);
    check(half, "half");
    if (ranks > 1) {
        MPI_Intercomm_create(half, 0, twin, rank % 2 ? 0 : 1, 0, &joined);
        check(joined, "joined");
        MPI_Comm_free(&joined);
        MPI_Comm_group(half, &side);
        MPI_Group_difference(group, side, &other);
        MPI_Intercomm_create_from_groups(side, 0, other, 0, "org.mpix.two", MPI_INFO_NULL,
                                         MPI_ERRORS_RETURN, &from_groups);
        check(from_groups, "from two groups");
        MPI_Comm_free(&from_groups);
        MPI_Group_free(&other);
        MPI_Group_free(&side);
    }
    for (MPI_Comm* comm : {&half, &copy, &twin, &base}) MPI_Comm_free(comm);
    MPI_Group_free(&group);
}

} // namespace

int main(int argc, char**) {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    if (argc > 1) {
        MPI_Init(nullptr, nullptr);
        check(MPI_COMM_WORLD, "world");
    }
    use(session);
    if (argc > 1) MPI_Finalize();
    MPI_Session_finalize(&session);
    return wrong;
}
