// SPDX-License-Identifier: BSD-3-Clause
//
// What all plans on one communicator share: the shadow communicator that carries their messages,
// separated by tags. It hangs on the program's communicator as an attribute and lives until the
// last plan on it is gone, even if the program frees its communicator first.
#pragma once

#include "host/host.hpp"

#include <memory>

namespace mpix::run {

// A communicator of ours with the same ranks, or the same two groups, as the program's. Freed with
// its last user; freeing is local on both hosts.
class Shadow {
  public:
    // Collective over `of`; its error handler is called by the host if it is the program's.
    explicit Shadow(MPI_Comm of, bool is_programs = false);
    ~Shadow();
    Shadow(const Shadow&) = delete;
    Shadow& operator=(const Shadow&) = delete;

    MPI_Comm comm = MPI_COMM_NULL;
};

struct Tags {
    std::shared_ptr<Shadow> shadow;
    int first = 0;
};

class Context {
  public:
    // The context of a communicator. Collective where it is the first plan on it.
    static std::shared_ptr<Context> of(MPI_Comm comm);

    explicit Context(MPI_Comm comm);

    // The next `lanes` tags, the same on all ranks because inits are collective.
    Tags take_tags(int lanes);

    // Where errors are raised: the program's communicator while it lives.
    MPI_Comm errors_to() const { return comm_ == MPI_COMM_NULL ? MPI_COMM_WORLD : comm_; }
    void forget_comm() { comm_ = MPI_COMM_NULL; }

    MPI_Comm shadow() const { return shadow_->comm; }

    int rank = 0;
    int ranks = 1;
    bool is_inter = false;

  private:
    MPI_Comm comm_;
    std::shared_ptr<Shadow> shadow_;
    int next_tag_ = 0;
};

// Waits for a host request; plans move meanwhile. Returns the host's error code.
int wait_for(MPI_Request& request);

} // namespace mpix::run
