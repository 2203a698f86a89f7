// SPDX-License-Identifier: BSD-3-Clause
//
// Looking up and polling our requests of an array.
#include "intercept/batch.hpp"

#include "intercept/channels.hpp"
#include "intercept/nonblocking.hpp"
#include "progress/waiting.hpp"

#include <algorithm>

namespace mpix::intercept {

using progress::engine;
using Guard = progress::Engine::Guard;

State Completable::state() const {
    if (record) return record->state();
    const Guard guard(engine());
    return operation->state();
}

void Completable::tell(MPI_Status* status) const {
    if (record) return record->tell(status);
    const Guard guard(engine());
    operation->tell(status);
}

int Completable::finish(MPI_Status* status) const {
    if (record) return record->finish(status);
    const Guard guard(engine());
    if (status != MPI_STATUS_IGNORE) operation->tell(status);
    if (operation->is_nonblocking()) return conclude_call(*operation, place);
    if (operation->is_promise()) [[unlikely]]
        return conclude(*operation, place);
    return operation->state() == State::inactive ? MPI_SUCCESS : operation->finish();
}

progress::Manner Completable::manner() const {
    if (record) return progress::Manner::of_host;
    const Guard guard(engine()); // another thread may bind it
    return progress::manner_of(*operation);
}

int Completable::raise(int code) const {
    return record && record->is_raised() ? code : host::raise(errors_to(), code);
}

Completable completable(MPI_Request* request, int index) {
    const Guard guard(engine());
    Operation* operation = handles().find(*request);
    if (operation && operation->is_idle()) engine().begin_idle(*operation);
    return {index, operation, operation ? nullptr : record_to_complete(*request), request};
}

bool has_ours(int count, const MPI_Request requests[]) {
    const Guard guard(engine());
    if (engine().has_pending()) return true;
    const std::span all(requests, static_cast<std::size_t>(count));
    if (handles().holds_any(all)) return true;
    return completes_records() && std::ranges::any_of(all, [](MPI_Request request) {
               return record_to_complete(request) != nullptr;
           });
}

bool holds_operation(int count, const MPI_Request requests[]) {
    if (!handles().any() || count <= 0 || !requests) return false;
    const Guard guard(engine());
    return handles().holds_any(std::span(requests, static_cast<std::size_t>(count)));
}

Batch::Batch(int count, MPI_Request requests[]) : count_(count), requests_(requests) {
    const Guard guard(engine());
    for (int i = 0; i < count; ++i) {
        const Completable found = completable(&requests[i], i);
        if (found.operation || found.record)
            ours_.push_back(found);
        else
            others_ = true; // null ones too: the host writes their statuses
        has_records_ = has_records_ || found.record;
        if (found.record && found.record->state() == State::active) active_.add(*found.record);
    }
}

bool Batch::has_active_operation() const {
    return std::ranges::any_of(ours_, [](const Completable& m) {
        return m.operation && m.operation->state() == State::active;
    });
}

bool Batch::progress_all_done() {
    {
        const Guard guard(engine());
        if (active_.empty() || has_active_operation())
            engine().progress_with_host();
        else if (engine().has_pending())
            engine().progress(); // to poll the others moves the host's messages
        if (has_active_operation()) return false;
    }
    return active_.poll();
}

void Batch::progress_each() const {
    {
        const Guard guard(engine());
        engine().progress_with_host();
    }
    if (!has_records_) return;
    for (const Completable& m : ours_)
        if (m.record) m.record->poll();
}

progress::Manner Batch::manner() const {
    const progress::Manner first = begin() == end() ? progress::Manner::of_host : begin()->manner();
    const bool are_alike =
        std::all_of(begin(), end(), [&](const Completable& m) { return m.manner() == first; });
    return are_alike ? first : progress::Manner::ours;
}

bool Batch::any_started() const {
    return std::any_of(begin(), end(),
                       [](const Completable& m) { return m.state() != State::inactive; });
}

MPI_Request* Batch::lend() {
    if (!has_records_) return requests_;
    lent_.assign(requests_, requests_ + count_);
    for (const Completable& m : ours_)
        if (m.record) lent_[static_cast<std::size_t>(m.index)] = MPI_REQUEST_NULL;
    return lent_.data();
}

void Batch::give_back() {
    if (!has_records_) return;
    auto m = ours_.begin();
    for (int i = 0; i < count_; ++i) {
        if (m != ours_.end() && m->index == i)
            ++m;
        else
            requests_[i] = lent_[static_cast<std::size_t>(i)];
    }
}

} // namespace mpix::intercept
