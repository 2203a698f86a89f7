// SPDX-License-Identifier: BSD-3-Clause
//
// A round whose steps all begin at once and are the host's messages, or done when they have begun:
// what it waits for is no more than these requests. The host moves them whoever calls it, so that
// they stand here, and not with those that the engine tests in every turn.
#pragma once

#include "host/host.hpp"
#include "plan/plan.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace mpix::progress {

class HostRound {
  public:
    explicit HostRound(std::size_t messages) {
        requests_.reserve(messages);
        steps_.reserve(messages);
    }

    void begin() {
        forget();
        is_new_ = true;
    }
    void hold(plan::StepId id, MPI_Request request) {
        requests_.push_back(request);
        steps_.push_back(id);
    }
    void forget() {
        requests_.clear();
        steps_.clear();
    }
    // Those that are done are no more; the others may have other places then.
    void release(std::span<const int> done);

    std::size_t pending() const { return requests_.size(); }
    MPI_Request* requests() { return requests_.data(); }
    plan::StepId step(std::size_t at) const { return steps_[at]; }
    // Whether nobody has looked at them yet.
    bool take_new() { return std::exchange(is_new_, false); }

  private:
    std::vector<MPI_Request> requests_; // pending, with their steps at the same index
    std::vector<plan::StepId> steps_;
    bool is_new_ = false;
};

inline void HostRound::release(std::span<const int> done) {
    if (done.size() == requests_.size()) return forget();
    for (const int at : done) steps_[static_cast<std::size_t>(at)] = -1;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (steps_[i] < 0) continue;
        steps_[kept] = steps_[i];
        requests_[kept++] = requests_[i];
    }
    steps_.resize(kept);
    requests_.resize(kept);
}

} // namespace mpix::progress
