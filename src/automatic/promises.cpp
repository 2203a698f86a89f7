// SPDX-License-Identifier: BSD-3-Clause
//
// Making promises and keeping them.
#include "automatic/promises.hpp"

#include "base/closed.hpp"
#include "host/host.hpp"

#include <utility>

namespace mpix::automatic {

using progress::Operation;

namespace {

// That of the promise that was kept last: the call that has completed it still looks at it, also
// where the communicator is gone.
std::shared_ptr<Promises>& latest_home = *new std::shared_ptr<Promises>; // never destroyed

} // namespace

Carrier::Carrier() { host::check(host::make_carrier(&request)); }

Carrier::~Carrier() {
    if (!base::is_closed()) HOST(Request_free)(&request);
}

void PendingCall::prepare(const Invocation& call, const progress::Places& before,
                          const char* solver) {
    call_ = call;
    data_.emplace(call_, before, copies_);
    data_->prepare();
    if (data_->is_received_copied()) references_.keep_type(call_.recv.type);
    solver_ = solver;
    next = nullptr;
    promise_->promise();
}

void PendingCall::conclude(int code) noexcept {
    if (code == MPI_SUCCESS) code = code_of([this] { data_->conclude(); });
    promise_->fulfil(code, {});
}

std::unique_ptr<Operation>
Promises::take(const std::shared_ptr<Promises>& from,
               const std::shared_ptr<const progress::ErrorCommunicator>& error_communicator) {
    Promises& home = *from;
    if (!home.idle_.empty()) {
        std::unique_ptr<Operation> taken = std::move(home.idle_.back());
        home.idle_.pop_back();
        PendingCall::of(*taken).home_ = from;
        return taken;
    }
    home.idle_.reserve(home.made_ + 1);
    auto call = std::make_shared<PendingCall>();
    auto made =
        std::make_unique<Operation>(progress::About{.name = "a nonblocking collective",
                                                    .error_communicator = error_communicator,
                                                    .is_nonblocking = true,
                                                    .attached = call});
    call->promise_ = made.get();
    call->home_ = from;
    ++home.made_;
    return made;
}

void Promises::keep(std::unique_ptr<Operation> promise) noexcept {
    PendingCall& call = PendingCall::of(*promise);
    call.references_ = {};
    latest_home = std::move(call.home_);
    latest_home->idle_.push_back(std::move(promise));
}

void Promises::end() { latest_home.reset(); }

} // namespace mpix::automatic
