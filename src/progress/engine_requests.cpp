// SPDX-License-Identifier: BSD-3-Clause
//
// The pending requests of the host, in one array.
#include "base/busy.hpp"
#include "progress/engine.hpp"
#include "progress/fragmented_round.hpp"
#include "progress/operation.hpp"

#include <utility>

namespace mpix::progress {

using plan::StepId;

void Engine::hold(Operation& operation, StepId id, MPI_Request request) {
    requests_.push_back(request);
    owners_.push_back({&operation, id});
    count_pending();
}

// True if something completed.
bool Engine::test(bool may_yield) {
    const base::Busy busy(is_busy_);
    const host::KeepCore keep_core(!may_yield);
    has_asked_ = false;
    int count = 0;
    int code = test_new(&count);
    if (count == 0)
        code = host::here().test_some(static_cast<int>(requests_.size()), requests_.data(), &count,
                                      indices_.data(), statuses_.data());
    if (count > 0) finished(count, code);
    return count > 0;
}

// Of a sender that is ahead the messages are there already.
int Engine::test_new(int* count) {
    const std::size_t first = std::exchange(new_requests_, requests_.size());
    if (first == requests_.size()) return MPI_SUCCESS;
    const int code =
        host::here().test_new(static_cast<int>(requests_.size() - first), &requests_[first], count,
                              indices_.data(), statuses_.data());
    for (int i = 0; i < *count; ++i)
        indices_[static_cast<std::size_t>(i)] += static_cast<int>(first);
    return code;
}

void Engine::finished(int count, int code) {
    completed_.clear();
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(indices_[static_cast<std::size_t>(i)]);
        const Owner owner = owners_[at];
        if (code == MPI_ERR_IN_STATUS)
            owner.operation->note(statuses_[static_cast<std::size_t>(i)].MPI_ERROR);
        else
            owner.operation->note(code);
        // Open MPI has freed a persistent receive that failed.
        if (code != MPI_SUCCESS && requests_[at] == MPI_REQUEST_NULL)
            owner.operation->renew(owner.step);
        const MPI_Status& status = statuses_[static_cast<std::size_t>(i)];
        const bool is_announcement =
            code == MPI_SUCCESS && owner.operation->is_announcement(owner.step, status);
        (is_announcement ? announced_ : completed_).push_back(owner);
    }
    release_finished(count);
    if (!announced_.empty()) [[unlikely]]
        expect_fragments();
    // What follows may hold new requests, and cannot complete another of completed_.
    for (const Owner& owner : completed_) {
        owner.operation->received(owner.step);
        owner.operation->done(owner.step);
        advance(*owner.operation);
        owner.operation->ring();
    }
}

// Closes the gaps in requests_ and owners_.
void Engine::release_finished(int count) {
    if (static_cast<std::size_t>(count) == requests_.size()) {
        requests_.clear();
        owners_.clear();
        new_requests_ = 0;
        return count_pending();
    }
    for (int i = 0; i < count; ++i)
        owners_[static_cast<std::size_t>(indices_[static_cast<std::size_t>(i)])].operation =
            nullptr;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < owners_.size(); ++i) {
        if (!owners_[i].operation) continue;
        owners_[kept] = owners_[i];
        requests_[kept++] = requests_[i];
    }
    owners_.resize(kept);
    requests_.resize(kept);
    new_requests_ = kept;
    count_pending();
}

} // namespace mpix::progress
