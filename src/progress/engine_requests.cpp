// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of the host, and the pending ones in one array.
#include "base/busy.hpp"
#include "progress/engine.hpp"
#include "progress/fragmented_round.hpp"
#include "progress/operation.hpp"

namespace mpix::progress {

using plan::StepId;

namespace {

// Whether it is as far ahead as it may be.
bool count_ahead(Bound& bound) {
    if (bound.ahead == 0 || --bound.ahead > 0) return false;
    bound.ahead = Bound::most_ahead;
    return true;
}

// Null where it is done already.
MPI_Request request_of(Operation& operation, int code, MPI_Request request) {
    operation.note(code);
    return code == MPI_SUCCESS ? request : MPI_REQUEST_NULL;
}

} // namespace

MPI_Request Engine::post_send(Operation& operation, Bound& bound) {
    const bool waits = bound.is_synchronous || count_ahead(bound);
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = waits ? HOST(Issend)(bound.from, bound.count, bound.type, bound.peer,
                                          bound.tag, operation.comm(), &request)
                           : HOST(Isend)(bound.from, bound.count, bound.type, bound.peer, bound.tag,
                                         operation.comm(), &request);
    // To test one that waits moves all others: what is to be posted still would come late.
    if (code != MPI_SUCCESS || waits || bound.is_asked) return request_of(operation, code, request);
    const int tested = host::here().test_at_once(&request);
    if (request == MPI_REQUEST_NULL) operation.note(tested); // else it is under way
    return request;
}

MPI_Request Engine::post_receive(Operation& operation, const Bound& bound) {
    MPI_Request request = bound.receive;
    const int code = request != MPI_REQUEST_NULL ? HOST(Start)(&request)
                                                 : operation.post_receive(bound, &request);
    return request_of(operation, code, request);
}

MPI_Request Engine::post_delegate(Operation& operation) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = operation.start_delegate(&request);
    return request_of(operation, code, request);
}

// True if there is none: the step is done.
bool Engine::hold(Operation& operation, StepId id, MPI_Request request) {
    if (request == MPI_REQUEST_NULL) return true;
    requests_.hold({&operation, id}, request);
    count_pending();
    return false;
}

// True if something completed.
bool Engine::test(bool yields_first) {
    const base::Busy busy(is_busy_);
    const host::KeepCore keep_core;
    has_asked_ = false;
    if (!look_for(requests_, yields_first)) return false;
    finish_found();
    return true;
}

void Engine::note_outcome(const Owner& of, MPI_Request request, int code,
                          const MPI_Status& status) {
    if (code == MPI_SUCCESS) return;
    of.operation->note(code == MPI_ERR_IN_STATUS ? status.MPI_ERROR : code);
    // Open MPI has freed a persistent receive that failed.
    if (request == MPI_REQUEST_NULL) of.operation->renew(of.step);
}

void Engine::finish_found() {
    completed_.clear();
    found_.each([this](std::size_t at, const MPI_Status& status) {
        const Owner& owner = requests_.owner(at);
        note_outcome(owner, requests_.request(at), found_.code, status);
        const bool is_announcement =
            found_.code == MPI_SUCCESS && owner.operation->is_announcement(owner.step, status);
        (is_announcement ? announced_ : completed_).push_back(owner);
    });
    requests_.release(found_);
    count_pending();
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

} // namespace mpix::progress
