// SPDX-License-Identifier: BSD-3-Clause
//
// Into the table of requests, and out of it.
#include "intercept/nonblocking.hpp"

#include "automatic/nonblocking.hpp"
#include "automatic/run.hpp"
#include "intercept/handles.hpp"
#include "progress/engine.hpp"

namespace mpix::intercept {

int begin_call(automatic::CommunicatorPlans& on, const automatic::Invocation& call,
               MPI_Request* request) {
    automatic::Prepared prepared = automatic::prepare(on, call);
    if (!prepared.promise) return automatic::left_to_host;
    const progress::Engine::Guard guard(progress::engine());
    progress::Operation& promise = *prepared.promise;
    automatic::PendingCall& pending = automatic::PendingCall::of(promise);
    handles().insert(pending.request(), std::move(prepared.promise));
    prepared.planned->begin(pending);
    *request = pending.request();
    return MPI_SUCCESS;
}

int conclude_call(progress::Operation& call, MPI_Request* place) {
    const int code = call.finish();
    automatic::Promises::keep(remove_request(*place));
    *place = MPI_REQUEST_NULL;
    return code;
}

} // namespace mpix::intercept
