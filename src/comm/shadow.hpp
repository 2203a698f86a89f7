// SPDX-License-Identifier: BSD-3-Clause
//
// Communicators of ours with the ranks of one of the program's, and entering the host together.
#pragma once

#include "comm/race_results.hpp"
#include "host/host.hpp"

#include <cstdint>
#include <memory>

namespace mpix::comm {

// A communicator of ours with the same ranks, or the same two groups, as the program's. Freed with
// its last user; freeing is local on both hosts.
class Shadow {
  public:
    Shadow() = default; // room for one
    explicit Shadow(MPI_Comm made) { take(made); }
    ~Shadow();
    Shadow(const Shadow&) = delete;
    Shadow& operator=(const Shadow&) = delete;
    void take(MPI_Comm made);

    MPI_Comm comm = MPI_COMM_NULL;
    RaceResults::Place place; // of an operation that is the host's, or may be yet
};

// What ranks tell each other before they enter the host together.
struct Gathering {
    bool is_ready = true;
    std::uint64_t name = 0; // of what is known of them; 0 when it is not the same for all
};

// Returns when every rank of `comm` has entered; plans move meanwhile. After it a blocking host
// call among the same ranks cannot wait for a rank that waits for us. `all` becomes what is true of
// all. It takes no memory. Collective.
int gather_ranks(MPI_Comm comm, Gathering& all);

// Collective over `of`. Throws on all ranks where one has no memory.
std::shared_ptr<Shadow> make_shadow(MPI_Comm of);

// The same where all ranks have entered and have memory. An error code: the host calls the error
// handler of `of`.
int split_shadow(MPI_Comm of, Shadow& shadow);

} // namespace mpix::comm
