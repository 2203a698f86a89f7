// SPDX-License-Identifier: BSD-3-Clause
//
// Requests of the host that are under way, each with what it is for, in the order in which one call
// asks for them all.
#pragma once

#include "host/host.hpp"
#include "plan/plan.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace mpix::progress {

// What a look has found done: places among those that were asked for.
struct FoundRequests {
    void resize(std::size_t room) {
        statuses.resize(room);
        indices.resize(room); // the last: it tells how much room there is
    }
    std::size_t room() const { return indices.size(); }
    std::span<const int> places() const {
        return {indices.data(), static_cast<std::size_t>(count)};
    }

    // visit(place, status)
    template<class Visit>
    void each(Visit visit) const {
        const MPI_Status* status = statuses.data();
        for (const int place : places()) visit(static_cast<std::size_t>(place), *status++);
    }

    int count = 0;
    int code = MPI_SUCCESS;
    std::vector<int> indices;
    std::vector<MPI_Status> statuses; // why it failed
};

template<class Owner>
class PendingRequests {
  public:
    void reserve(std::size_t room) {
        requests_.reserve(room);
        owners_.reserve(room);
    }
    void hold(const Owner& owner, MPI_Request request) {
        requests_.push_back(request);
        owners_.push_back(owner);
    }
    void clear() {
        requests_.clear();
        owners_.clear();
        first_new_ = 0;
    }

    bool empty() const { return requests_.empty(); }
    std::size_t size() const { return requests_.size(); }
    MPI_Request request(std::size_t at) const { return requests_[at]; }
    const Owner& owner(std::size_t at) const { return owners_[at]; }

    // False if none is done. Else release() has to follow.
    bool look(FoundRequests& found);
    void release(const FoundRequests& found);

  private:
    void look_at_new(FoundRequests& found);

    std::vector<MPI_Request> requests_;
    std::vector<Owner> owners_; // at the same index
    std::size_t first_new_ = 0; // from here on nobody has looked at them
};

template<class Owner>
bool PendingRequests<Owner>::look(FoundRequests& found) {
    found.count = 0;
    if (first_new_ < requests_.size()) look_at_new(found);
    if (found.count == 0)
        found.code =
            host::here().test_some(static_cast<int>(requests_.size()), requests_.data(),
                                   &found.count, found.indices.data(), found.statuses.data());
    return found.count > 0;
}

// Of a sender that is ahead the messages are there already.
template<class Owner>
void PendingRequests<Owner>::look_at_new(FoundRequests& found) {
    const std::size_t first = std::exchange(first_new_, requests_.size());
    found.code =
        host::here().test_new(static_cast<int>(requests_.size() - first), &requests_[first],
                              &found.count, found.indices.data(), found.statuses.data());
    for (int i = 0; i < found.count; ++i)
        found.indices[static_cast<std::size_t>(i)] += static_cast<int>(first);
}

template<class Owner>
void PendingRequests<Owner>::release(const FoundRequests& found) {
    if (found.places().size() == requests_.size()) return clear();
    for (const int at : found.places())
        requests_[static_cast<std::size_t>(at)] = MPI_REQUEST_NULL; // persistent ones are not yet
    std::size_t kept = 0;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        if (requests_[i] == MPI_REQUEST_NULL) continue;
        owners_[kept] = owners_[i];
        requests_[kept++] = requests_[i];
    }
    owners_.resize(kept);
    requests_.resize(kept);
    first_new_ = kept;
}

} // namespace mpix::progress
