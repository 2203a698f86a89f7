// SPDX-License-Identifier: BSD-3-Clause
//
// Single requests, and arrays that complete as a whole. Waiting never calls a blocking host
// function once a plan is alive: it tests, moves the plans, and yields.
#include "intercept/completion.hpp"

#include "automatic/promises.hpp"
#include "channel/generalized.hpp"
#include "intercept/batch.hpp"
#include "intercept/bundles.hpp"
#include "intercept/errors.hpp"
#include "intercept/message_array.hpp"
#include "intercept/point_to_point.hpp"
#include "intercept/quick.hpp"
#include "progress/waiting.hpp"

namespace mpix::intercept {

using progress::engine;

namespace {

using Guard = progress::Engine::Guard;

void progress() {
    const Guard guard(engine());
    engine().progress();
}

// Moves all plans, and tells whether this one of ours is done.
bool progress_done(const Completable& one) {
    const Guard guard(engine());
    engine().progress_with_host();
    return one.operation->state() != State::active;
}

// The same of messages, of which to ask moves those of the host.
bool progress_done(Record& message) {
    if (engine().has_pending()) progress();
    message.poll();
    return message.state() != State::active;
}
bool progress_done(MessageArray& messages) {
    if (engine().has_pending()) progress();
    return messages.poll();
}

// Most have come when they are waited for.
template<class Messages>
void wait_for(Messages& messages) {
    if (progress_done(messages)) return;
    progress::Backoff backoff(progress::Manner::of_host);
    do backoff.pause();
    while (!progress_done(messages));
}

Record* message_at(const MPI_Request* request) {
    return request && !holds_operation(1, request) ? record_to_complete(*request) : nullptr;
}

int finish(const Completable& one, MPI_Status* status) {
    const int code = one.finish(status);
    return code == MPI_SUCCESS ? code : one.raise(code);
}

// What is idle stays so.
Operation* lookup(MPI_Request request) {
    const Guard guard(engine());
    return handles().find(request);
}

int misuse(const Operation& operation, const char* call, const char* what) {
    return raise(operation.errors_to(), MPI_ERR_REQUEST,
                 std::string(call) + ": request of " + operation.name() + what);
}

int refuse(const Operation& operation, const char* call) {
    if (operation.slots() == 1) return misuse(operation, call, " is active");
    const std::string slack = std::to_string(operation.slots());
    return misuse(operation, call, (" is active " + slack + " times, its slackness").c_str());
}

// Null if it is not ours, or if it is started already.
Operation* find_to_start(MPI_Request request, bool& is_started) {
    const Guard guard(engine());
    Operation* const operation = handles().find(request);
    is_started = operation && operation->is_plain() && operation->start_quickly();
    return operation;
}

int start_called(MPI_Request* request, const char* call) {
    if (request && handles().any()) {
        bool is_started = false;
        Operation* const operation = find_to_start(*request, is_started);
        if (is_started) return MPI_SUCCESS;
        if (operation) return intercept::start(*operation, call);
    }
    return start_host(request);
}

// A request that needs no engine, while it is one: its oldest round may be begun by the engine in
// one of our turns, and completed where it is a member of a bundle.
struct Quick {
    explicit Quick(MPI_Request request) {
        if (!Operation::any_quick()) return;
        const Guard guard(engine());
        Operation* const found = handles().find(request);
        if (found && found->is_quick()) operation = found;
    }
    // One look; true if it is complete.
    bool attempt(MPI_Status* status, int& code) {
        const Guard guard(engine());
        is_lost = !operation->is_quick();
        return !is_lost && complete_quickly(*operation, status, code);
    }
    Operation* operation = nullptr;
    bool is_lost = false; // and another way has to be gone
};

// Between two turns of the engine, while nothing else is under way.
constexpr int quick_looks = 32;

// False if it is lost. What fails is raised by the caller.
bool wait_for(Quick& quick, MPI_Status* status, int& code) {
    progress::Backoff backoff;
    while (true) {
        for (int look = engine().has_pending() ? quick_looks - 1 : 0; look < quick_looks; ++look) {
            if (quick.attempt(status, code)) return true;
            if (quick.is_lost) return false;
        }
        {
            const Guard guard(engine());
            engine().progress_with_host();
        }
        backoff.pause();
    }
}

// False if it is lost.
bool test_for(Quick& quick, int* flag, MPI_Status* status, int& code) {
    *flag = quick.attempt(status, code);
    if (*flag || quick.is_lost) return !quick.is_lost;
    engine().ask_host_next();
    {
        const Guard guard(engine());
        engine().progress_with_host();
    }
    *flag = quick.attempt(status, code);
    return !quick.is_lost;
}

// Our part of a completed array. Where nothing has failed every MPI_ERROR is MPI_SUCCESS, as hosts
// have it, though the standard does not ask for that.
int finish_all(int count, const Batch& batch, MPI_Status statuses[], int host_code) {
    const bool are_told = statuses != MPI_STATUSES_IGNORE;
    const Completable* failed = nullptr;
    for (int i = 0; are_told && host_code == MPI_SUCCESS && i < count; ++i)
        statuses[i].MPI_ERROR = MPI_SUCCESS;
    for (const Completable& one : batch) {
        MPI_Status* const status = are_told ? &statuses[one.index] : MPI_STATUS_IGNORE;
        const int code = one.finish(status);
        if (are_told) status->MPI_ERROR = code;
        if (code != MPI_SUCCESS && !failed) failed = &one;
    }
    if (!failed || host_code != MPI_SUCCESS) return host_code;
    return failed->raise(MPI_ERR_IN_STATUS);
}

} // namespace

int start(Operation& operation, const char* call) {
    if (!operation.checked_arrays().empty()) [[unlikely]]
        if (const char* array = base::changed_array(operation.checked_arrays()))
            return raise(operation.errors_to(), MPI_ERR_ARG,
                         std::string(call) + ": " + array + " of " + operation.name() +
                             " changed since the init");
    Fault fault;
    {
        const Guard guard(engine());
        if (!operation.starts_alone()) [[unlikely]] {
            fault = start_bundled(operation);
            if (fault.error_class == MPI_SUCCESS) return MPI_SUCCESS;
        } else if (operation.may_start()) {
            engine().start(operation);
            return MPI_SUCCESS;
        }
    }
    if (fault.error_class == MPI_SUCCESS) return refuse(operation, call);
    return raise(operation.errors_to(), fault.error_class,
                 std::string(call) + ": request of " + operation.name() + fault.text);
}

int start(MPI_Request* request) { return start_called(request, "MPI_Start"); }

int startall(int count, MPI_Request requests[]) {
    if (!holds_operation(count, requests)) return startall_host(count, requests);
    for (int i = 0; i < count; ++i)
        if (const int code = start_called(&requests[i], "MPI_Startall"); code != MPI_SUCCESS)
            return code;
    return MPI_SUCCESS;
}

int wait(Record& message, MPI_Status* status) {
    wait_for(message);
    return raised(message, message.finish(status));
}

int wait(MPI_Request* request, MPI_Status* status) {
    int code = MPI_SUCCESS;
    if (request)
        if (Quick quick(*request); quick.operation && wait_for(quick, status, code))
            return raised(*quick.operation, code);
    if (Record* const message = message_at(request)) return wait(*message, status);
    if (!may_be_ours(1, request)) return HOST(Wait)(request, status);
    if (const Completable found = completable(request); found.operation) {
        progress::Backoff backoff(found.manner());
        while (!progress_done(found)) backoff.pause();
        return finish(found, status);
    }
    progress::Backoff backoff(progress::Manner::of_host);
    while (true) {
        int flag = 0;
        code = HOST(Test)(request, &flag, status);
        if (code != MPI_SUCCESS || flag) return code;
        progress();
        backoff.pause();
    }
}

int wait(Operation& operation, MPI_Status* status) {
    progress::Backoff backoff(progress::manner_of(operation));
    while (true) {
        engine().progress_with_host();
        if (operation.state() != State::active) break;
        backoff.pause();
    }
    return raised(operation, finish(operation, status));
}

int wait_for_wave(Operation& operation, MPI_Status* status) {
    progress::wait_for_wave(operation);
    return raised(operation, finish(operation, status));
}

int test(MPI_Request* request, int* flag, MPI_Status* status) {
    int code = MPI_SUCCESS;
    if (request && flag)
        if (Quick quick(*request); quick.operation && test_for(quick, flag, status, code))
            return raised(*quick.operation, code);
    if (Operation* const operation = flag ? find_plain(request) : nullptr;
        operation && operation->is_in_wave()) {
        engine().ask_host_next();
        *flag = engine().progress_and_look_at(*operation);
        return *flag ? raised(*operation, finish(*operation, status)) : MPI_SUCCESS;
    }
    if (Record* const message = message_at(request)) {
        *flag = progress_done(*message);
        return *flag ? raised(*message, message->finish(status)) : MPI_SUCCESS;
    }
    if (!may_be_ours(1, request)) return HOST(Test)(request, flag, status);
    engine().ask_host_next();
    const Completable found = completable(request);
    if (!found.operation) {
        progress();
        return HOST(Test)(request, flag, status);
    }
    *flag = progress_done(found);
    return *flag ? finish(found, status) : MPI_SUCCESS;
}

int waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    if (MessageArray messages(count, requests, statuses); messages) {
        wait_for(messages);
        return messages.finish();
    }
    if (!may_be_ours(count, requests)) return HOST(Waitall)(count, requests, statuses);
    Batch batch(count, requests);
    progress::Backoff backoff(batch.manner());
    while (!batch.progress_all_done()) backoff.pause();
    int code = MPI_SUCCESS, flag = !batch.has_others();
    while (!flag) {
        code = HOST(Testall)(count, batch.lend(), &flag, statuses);
        batch.give_back();
        if (code != MPI_SUCCESS || flag) break;
        progress();
        backoff.pause();
    }
    return finish_all(count, batch, statuses, code);
}

int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
    if (MessageArray messages(count, requests, statuses); messages && flag) {
        *flag = progress_done(messages);
        return *flag ? messages.finish() : MPI_SUCCESS;
    }
    if (!may_be_ours(count, requests)) return HOST(Testall)(count, requests, flag, statuses);
    engine().ask_host_next();
    Batch batch(count, requests);
    *flag = 0;
    if (!batch.progress_all_done()) return MPI_SUCCESS;
    int code = MPI_SUCCESS;
    *flag = 1;
    if (batch.has_others()) {
        code = HOST(Testall)(count, batch.lend(), flag, statuses);
        batch.give_back();
    }
    if (code == MPI_SUCCESS && !*flag) return code;
    return finish_all(count, batch, statuses, code);
}

int request_free(MPI_Request* request) {
    const Operation* operation = may_be_ours(1, request) ? lookup(*request) : nullptr;
    if (!operation) {
        if (request && is_member(*request))
            return raise(record_to_complete(*request)->errors_to(), MPI_ERR_REQUEST,
                         "MPI_Request_free: request is a member of a bundle");
        if (request) forget_record(*request);
        return HOST(Request_free)(request);
    }
    if (operation->is_nonblocking())
        return misuse(*operation, "MPI_Request_free", " cannot be freed");
    if (operation->is_channel() || operation->is_promise())
        return misuse(*operation, "MPI_Request_free", ": a channel is unbound, not freed");
    std::unique_ptr<Operation> removed;
    const char* fault = " is active";
    {
        // Out of the table before the host can use the handle again.
        const Guard guard(engine());
        if (operation->is_member())
            fault = " is a member of a bundle";
        else if (operation->state() == State::inactive || operation->is_follower())
            removed = remove_request(*request);
    }
    if (!removed) return misuse(*operation, "MPI_Request_free", fault);
    const int freed = channel::free(*removed);
    const int code = HOST(Request_free)(request);
    return freed == MPI_SUCCESS ? code : host::raise(removed->errors_to(), freed);
}

int cancel(MPI_Request* request) {
    Operation* operation = may_be_ours(1, request) ? lookup(*request) : nullptr;
    if (!operation) {
        const Record* record = request ? record_to_complete(*request) : nullptr;
        if (record && record->state() == State::complete) return MPI_SUCCESS; // too late
        return HOST(Cancel)(request);
    }
    {
        const Guard guard(engine());
        if (channel::cancel(*operation)) return MPI_SUCCESS;
    }
    return misuse(*operation, "MPI_Cancel", " cannot be cancelled");
}

const char* plan_name(MPI_Request request) noexcept {
    const Operation* operation = handles().any() ? lookup(request) : nullptr;
    if (operation && operation->is_nonblocking())
        return automatic::PendingCall::of(*operation).solver();
    return operation ? operation->solver().data() : nullptr; // of a literal: it ends with 0
}

} // namespace mpix::intercept
