// SPDX-License-Identifier: BSD-3-Clause
//
// The requests of ours in an array of the program. The host may be given the whole array: to it
// our carriers are inactive.
#pragma once

#include "intercept/handles.hpp"
#include "run/engine.hpp"

#include <boost/container/small_vector.hpp>

namespace mpix::intercept {

using run::Operation;
using State = run::Operation::State;

// False where the host alone must answer: no plan is alive, or the arguments are its to refuse.
inline bool may_be_ours(int count, const MPI_Request requests[]) {
    return handles().any() && count > 0 && requests;
}

struct Member {
    int index;
    Operation* operation;
};

class Batch {
  public:
    Batch(int count, const MPI_Request requests[]);

    bool empty() const { return members_.empty(); }
    bool has_others() const { return others_; } // requests that are not ours
    auto begin() const { return members_.begin(); }
    auto end() const { return members_.end(); }
    std::size_t size() const { return members_.size(); }
    const Member& operator[](std::size_t i) const { return members_[i]; }

    // Moves all plans and tells whether none of these is still active.
    bool progress_all_done() const;
    bool any_started() const; // active or complete

  private:
    boost::container::small_vector<Member, 32> members_;
    bool others_ = false;
};

// Completes one of ours: empty status with MPI_ERROR left alone, and the error code.
int finish(Operation& operation, MPI_Status* status);

} // namespace mpix::intercept
