// SPDX-License-Identifier: BSD-3-Clause
// Communicators as the processes of the world know them together: each of a list is on every
// process, perhaps as MPI_COMM_NULL, and perhaps another communicator on others. And what must hold
// of their identities.
#pragma once

#include "comm/communicator_id.hpp"

#include <algorithm>
#include <map>

#include "common/plans.hpp"

namespace mpitest {

using Numbers = std::vector<std::uint64_t>;

inline std::uint64_t number_of(MPI_Comm comm) {
    const auto identity = mpix::comm::CommunicatorId::of(comm);
    return identity ? identity->number() : 0;
}

inline bool is_inter(MPI_Comm comm) {
    int flag = 0;
    MPI_Comm_test_inter(comm, &flag);
    return flag != 0;
}

// The ranks in the world of the members of one group.
inline std::vector<int> members(MPI_Comm comm, bool remote) {
    MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    remote ? MPI_Comm_remote_group(comm, &group) : MPI_Comm_group(comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int size = 0;
    MPI_Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size)), found(ranks);
    for (int i = 0; i < size; i++) ranks[static_cast<std::size_t>(i)] = i;
    MPI_Group_translate_ranks(group, size, ranks.data(), world, found.data());
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return found;
}

// The least rank of the world that belongs to it, on either side.
inline int first_of(MPI_Comm comm) {
    std::vector<int> all = members(comm, false);
    if (is_inter(comm))
        for (const int rank : members(comm, true)) all.push_back(rank);
    return *std::min_element(all.begin(), all.end());
}

// All members have the same number: on an intercommunicator each side is told the other's.
inline void check_agreement(MPI_Comm comm) {
    const std::uint64_t mine = number_of(comm);
    std::uint64_t least = 0, most = 0;
    CHECK(mine != 0);
    CHECK_MPI(MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, comm));
    CHECK_MPI(MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, comm));
    CHECK((mine == least && mine == most));
}

// Two processes have the same number where they have the same communicator, and nowhere else.
// Collective over the world.
inline void check_pieces(MPI_Comm comm) {
    const auto ranks = static_cast<std::size_t>(size_of());
    const bool is_null = comm == MPI_COMM_NULL;
    const std::uint64_t mine[2] = {is_null ? 0 : number_of(comm),
                                   is_null ? ~std::uint64_t{0}
                                           : static_cast<std::uint64_t>(first_of(comm))};
    std::vector<std::uint64_t> all(2 * ranks);
    MPI_Allgather(mine, 2, MPI_UINT64_T, all.data(), 2, MPI_UINT64_T, MPI_COMM_WORLD);
    for (std::size_t r = 0; r < ranks; r++)
        CHECK((all[2 * r] == mine[0]) == (all[2 * r + 1] == mine[1]));
}

// The control communicator is numbered as the world is.
inline void check_post(MPI_Comm comm) {
    const auto identity = mpix::comm::CommunicatorId::of(comm);
    if (!identity) return;
    const std::vector<int> peers = members(comm, is_inter(comm));
    std::vector<int> found;
    for (std::size_t i = 0; i < peers.size(); i++)
        found.push_back(identity->control_rank(static_cast<int>(i)));
    CHECK(difference(peers, found) == "");
    CHECK(identity->errors_to() == comm);
}

// All that were ever made on this process.
class Seen {
  public:
    // Collective over the world.
    void add(MPI_Comm comm, const std::string& how) {
        INFO(how);
        check_pieces(comm);
        if (comm == MPI_COMM_NULL) return;
        check_agreement(comm);
        check_post(comm);
        const auto [before, is_new] = how_.emplace(number_of(comm), how);
        INFO("the same number: " << before->second);
        CHECK(is_new);
    }

  private:
    std::map<std::uint64_t, std::string> how_;
};

} // namespace mpitest
