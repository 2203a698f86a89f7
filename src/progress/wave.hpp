// SPDX-License-Identifier: BSD-3-Clause
//
// A wave: a round whose steps all begin at once, and are messages of the host, short messages on
// queues, and what is done when it has begun. Here stands what of it is under way. The host moves
// its messages whoever calls it, and what comes on a queue waits there: the engine need not ask for
// either.
#pragma once

#include "progress/pending_requests.hpp"

namespace mpix::progress {

struct Wave {
    void reserve(std::size_t steps) {
        requests.reserve(steps);
        on_queues.reserve(steps);
    }
    void clear() {
        requests.clear();
        on_queues.clear();
    }
    bool empty() const { return requests.empty() && on_queues.empty(); }
    std::size_t size() const { return requests.size() + on_queues.size(); }

    PendingRequests<plan::StepId> requests;
    std::vector<plan::StepId> on_queues;
};

} // namespace mpix::progress
