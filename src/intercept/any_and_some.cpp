// SPDX-License-Identifier: BSD-3-Clause
//
// Waiting and testing for any or some of an array. The first to be looked at changes from call to
// call, between our requests and between us and the host, so that nobody starves.
#include "intercept/batch.hpp"
#include "intercept/completion.hpp"
#include "intercept/quick.hpp"
#include "progress/backoff.hpp"

#include <atomic>

namespace mpix::intercept {

using progress::engine;
using Guard = progress::Engine::Guard;

namespace {

unsigned next_turn() {
    static constinit std::atomic<unsigned> turn{0};
    return turn.fetch_add(1, std::memory_order_relaxed); // a mere counter: it orders nothing
}

// One array of requests and where the outcome goes.
struct Any {
    int count;
    MPI_Request* requests;
    int* index;
    MPI_Status* status;
    const unsigned turn;
    const bool ours_first;
    Batch batch{count, requests};

    // Both set *index and return true if a request completed or failed.
    bool try_ours(int& code);
    bool try_host(int& code);
    // True if the call is over; *index is MPI_UNDEFINED if nothing was active.
    bool attempt(int& code);

    bool host_is_idle = false;
};

bool Any::try_ours(int& code) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Completable& one = batch[(i + turn) % batch.size()];
        if (one.state() != State::complete) continue;
        *index = one.index;
        code = one.finish(status);
        if (code != MPI_SUCCESS) one.raise(code);
        return true;
    }
    return false;
}

bool Any::try_host(int& code) {
    if (!batch.has_others()) {
        host_is_idle = true;
        return false;
    }
    int flag = 0, found = MPI_UNDEFINED;
    code = HOST(Testany)(count, batch.lend(), &found, &flag, status);
    batch.give_back();
    host_is_idle = flag && found == MPI_UNDEFINED;
    if (code == MPI_SUCCESS && (!flag || host_is_idle)) return false;
    *index = found;
    return true;
}

bool Any::attempt(int& code) {
    batch.progress_each();
    code = MPI_SUCCESS;
    if (ours_first ? try_ours(code) || try_host(code) : try_host(code) || try_ours(code))
        return true;
    if (!host_is_idle || batch.any_started()) return false;
    *index = MPI_UNDEFINED;
    host::clear(status);
    return true;
}

// The same where all are persistent messages of the host's, which is seen on the way: each is asked
// for until one is complete. Where another request comes first the host has to, too.
class AnyMessage {
  public:
    AnyMessage(int count, MPI_Request requests[], int* index, MPI_Status* status, unsigned turn)
        : count_(count), requests_(requests), index_(index), status_(status),
          turn_(turn % static_cast<unsigned>(count)) {}

    enum class Found : std::uint8_t { one, nothing, nothing_active, something_else };
    // One look. Sets *index where the call is over.
    Found look(int& code);

  private:
    Record* record_at(int at) const { return record_to_complete(requests_[at]); }

    const int count_;
    MPI_Request* const requests_;
    int* const index_;
    MPI_Status* const status_;
    const unsigned turn_;
};

AnyMessage::Found AnyMessage::look(int& code) {
    if (engine().has_pending()) {
        const Guard guard(engine());
        engine().progress();
    }
    bool any_active = false;
    for (int i = 0; i < count_; ++i) {
        const int at =
            static_cast<int>((static_cast<unsigned>(i) + turn_) % static_cast<unsigned>(count_));
        Record* const message = record_at(at);
        if (!message) return Found::something_else;
        message->poll();
        if (message->state() == State::complete) {
            *index_ = at;
            code = raised(*message, message->finish(status_));
            return Found::one;
        }
        any_active = any_active || message->state() == State::active;
    }
    if (any_active) return Found::nothing;
    *index_ = MPI_UNDEFINED;
    host::clear(status_);
    return Found::nothing_active;
}

struct Some {
    int count;
    MPI_Request* requests;
    int* outcount;
    int* indices;
    MPI_Status* statuses;
    Batch batch{count, requests};

    bool attempt(int& code); // true if the call is over

  private:
    int take_host(int& code);
    int take_ours(int from, const Completable*& failed);
};

// The number of the host's that completed, or MPI_UNDEFINED, which is negative.
int Some::take_host(int& code) {
    if (!batch.has_others()) return MPI_UNDEFINED;
    int found = 0;
    code = HOST(Testsome)(count, batch.lend(), &found, indices, statuses);
    batch.give_back();
    for (int i = 0; statuses != MPI_STATUSES_IGNORE && code == MPI_SUCCESS && i < found; ++i)
        statuses[i].MPI_ERROR = MPI_SUCCESS; // MPICH 4.0 lets them be
    return found;
}

int Some::take_ours(int from, const Completable*& failed) {
    for (const Completable& one : batch) {
        if (one.state() != State::complete) continue;
        MPI_Status* status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[from];
        const int code = one.finish(status);
        if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = code;
        if (code != MPI_SUCCESS && !failed) failed = &one;
        indices[from++] = one.index;
    }
    return from;
}

bool Some::attempt(int& code) {
    batch.progress_each();
    code = MPI_SUCCESS;
    const int theirs = take_host(code);
    const bool host_is_idle = theirs == MPI_UNDEFINED;
    if (host_is_idle && !batch.any_started()) {
        *outcount = MPI_UNDEFINED;
        return true;
    }
    const Completable* failed = nullptr;
    *outcount = take_ours(host_is_idle ? 0 : theirs, failed);
    if (failed && code == MPI_SUCCESS) code = failed->raise(MPI_ERR_IN_STATUS);
    return *outcount > 0 || code != MPI_SUCCESS;
}

} // namespace

int waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
    int code = MPI_SUCCESS;
    const unsigned turn = next_turn();
    const bool are_messages = may_be_messages(count, requests);
    if (are_messages) {
        AnyMessage any(count, requests, index, status, turn);
        progress::Backoff backoff(progress::Manner::of_host);
        AnyMessage::Found found;
        while ((found = any.look(code)) == AnyMessage::Found::nothing) backoff.pause();
        if (found != AnyMessage::Found::something_else) return code;
    }
    if (!may_be_ours(count, requests)) return HOST(Waitany)(count, requests, index, status);
    Any any{count, requests, index, status, turn, !are_messages && turn % 2 == 0};
    progress::Backoff backoff(any.batch.manner());
    while (!any.attempt(code)) backoff.pause();
    return code;
}

int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
    int code = MPI_SUCCESS;
    const unsigned turn = next_turn();
    const bool are_messages = may_be_messages(count, requests);
    if (are_messages) {
        const AnyMessage::Found found = AnyMessage(count, requests, index, status, turn).look(code);
        *flag = found != AnyMessage::Found::nothing;
        if (!*flag) *index = MPI_UNDEFINED;
        if (found != AnyMessage::Found::something_else) return code;
    }
    engine().ask_host_next();
    Any any{count, requests, index, status, turn, !are_messages && turn % 2 == 0};
    *flag = any.attempt(code);
    if (!*flag) *index = MPI_UNDEFINED;
    return code;
}

int waitsome(int incount, MPI_Request requests[], int* outcount, int indices[],
             MPI_Status statuses[]) {
    if (!may_be_ours(incount, requests))
        return HOST(Waitsome)(incount, requests, outcount, indices, statuses);
    Some some{incount, requests, outcount, indices, statuses};
    progress::Backoff backoff(some.batch.manner());
    int code = MPI_SUCCESS;
    while (!some.attempt(code)) backoff.pause();
    return code;
}

int testsome(int incount, MPI_Request requests[], int* outcount, int indices[],
             MPI_Status statuses[]) {
    if (!may_be_ours(incount, requests))
        return HOST(Testsome)(incount, requests, outcount, indices, statuses);
    engine().ask_host_next();
    Some some{incount, requests, outcount, indices, statuses};
    int code = MPI_SUCCESS;
    some.attempt(code);
    return code;
}

} // namespace mpix::intercept
