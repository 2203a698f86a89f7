// SPDX-License-Identifier: BSD-3-Clause
//
// The host's inits, and the records.
#include "intercept/point_to_point.hpp"

#include "intercept/errors.hpp"
#include "intercept/passing.hpp"
#include "progress/engine.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <span>

namespace mpix::intercept {

constinit base::Immortal<HandleTable<Record>> the_records;

namespace {

using Guard = progress::Engine::Guard;

constinit std::size_t members_ever = 0; // of bundles, that are not freed

void count_records() {
    records_to_complete.store(Record::all_are_completed_here() ? records().count() : members_ever,
                              std::memory_order_relaxed);
}

int init(Mode mode, void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
         MPI_Request* request) {
    switch (mode) {
    case Mode::bsend: return HOST(Bsend_init)(buffer, count, type, peer, tag, comm, request);
    case Mode::ssend: return HOST(Ssend_init)(buffer, count, type, peer, tag, comm, request);
    case Mode::rsend: return HOST(Rsend_init)(buffer, count, type, peer, tag, comm, request);
    case Mode::recv: return HOST(Recv_init)(buffer, count, type, peer, tag, comm, request);
    default: return HOST(Send_init)(buffer, count, type, peer, tag, comm, request);
    }
}

// Counts beyond int are elements of one large type. The host keeps that as long as it needs it.
int init_any(Mode mode, void* buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
             MPI_Comm comm, MPI_Request* request) {
    if (count <= INT_MAX) { // a negative one is the host's to refuse
        const int narrow = count < 0 ? -1 : static_cast<int>(count);
        return init(mode, buffer, narrow, type, peer, tag, comm, request);
    }
    MPI_Aint lb = 0, extent = 0;
    const int code = HOST(Type_get_extent)(type, &lb, &extent);
    if (code != MPI_SUCCESS) return code;
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(count, std::max<std::int64_t>(1, std::abs(extent)), &bytes))
        return raise(comm, MPI_ERR_COUNT, "count is " + std::to_string(count) + ", too many bytes");
    MPI_Datatype large = host::large_type(count, type, extent);
    const int made = init(mode, buffer, 1, large, peer, tag, comm, request);
    HOST(Type_free)(&large);
    return made;
}

void rename(MPI_Request before, MPI_Request after) {
    const Guard guard(progress::engine());
    Record* record = records().find(before);
    if (!record) return;
    record->rename(after);
    records().insert(after, records().remove(before));
}

// It is active for the program, if not for the host.
void note_start(Record& record, MPI_Request now) {
    if (record.is_completed_here()) record.start();
    if (const MPI_Request before = record.request(); before != now) [[unlikely]]
        rename(before, now);
}

const char* init_of(Mode mode) {
    switch (mode) {
    case Mode::bsend: return "MPI_Bsend_init";
    case Mode::ssend: return "MPI_Ssend_init";
    case Mode::rsend: return "MPI_Rsend_init";
    case Mode::recv: return "MPI_Recv_init";
    default: return "MPI_Send_init";
    }
}

MessageTrace traced(const Envelope& message) {
    if (!progress::trace().is_on()) return {};
    MPI_Count size = 0;
    HOST(Type_size_x)(message.type, &size);
    return {init_of(message.mode), message.mode == Mode::recv,
            message.count * size,  message.peer,
            message.tag,           message.comm};
}

int startall_told_by_host(std::span<MPI_Request> requests) {
    const boost::container::small_vector<MPI_Request, 64> before(requests.begin(), requests.end());
    const int code = HOST(Startall)(static_cast<int>(requests.size()), requests.data());
    for (std::size_t i = 0; code == MPI_SUCCESS && i < requests.size(); ++i)
        if (before[i] != requests[i]) rename(before[i], requests[i]);
    return code;
}

bool may_start(const Record* record) {
    return !record || !record->is_completed_here() || !record->is_active();
}

int refuse_start(const Record& record, const char* call) {
    return raise(record.errors_to(), MPI_ERR_REQUEST, std::string(call) + ": request is active");
}

} // namespace

Record::Record(MPI_Request request, Envelope to)
    : envelope(std::move(to)), request_(request), trace_(traced(envelope)),
      is_completed_here_(all_are_completed_here()) {}

bool Record::all_are_completed_here() {
    static const bool are = host::here().loses_completions() || progress::trace().is_on();
    return are;
}

void Record::take(int code, bool is_raised) {
    trace_.complete();
    state_ = State::complete;
    code_ = code;
    is_raised_ = is_raised;
}

void Record::poll() {
    if (state_ != State::active) return;
    int flag = 0;
    const bool is_raised = host::here().test_keeping(&request_, &flag, &status_);
    if (flag) take(status_.MPI_ERROR, is_raised);
}

void ActiveRecords::add(Record& record) {
    records_.push_back(&record);
    requests_.push_back(record.request_);
    statuses_.emplace_back();
}

bool ActiveRecords::poll() {
    if (records_.empty()) return true;
    if (!host::here().testall_keeps()) {
        for (Record* record : records_) record->poll();
        return std::ranges::all_of(records_, [](const Record* record) {
            return record->state() != Record::State::active;
        });
    }
    int flag = 0;
    const int code = HOST(Testall)(static_cast<int>(requests_.size()), requests_.data(), &flag,
                                   statuses_.data());
    if (!flag && code == MPI_SUCCESS) return false;
    for (std::size_t i = 0; i < records_.size(); ++i) {
        if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) statuses_[i].MPI_ERROR = code;
        records_[i]->status_ = statuses_[i];
        records_[i]->take(statuses_[i].MPI_ERROR, false);
    }
    records_.clear();
    return true;
}

void Record::tell(MPI_Status* status) const {
    if (state_ != State::complete) return host::clear(status);
    if (status == MPI_STATUS_IGNORE) return;
    const int error = status->MPI_ERROR;
    *status = status_;
    status->MPI_ERROR = error;
}

int Record::finish(MPI_Status* status) {
    tell(status);
    if (state_ != State::complete) return MPI_SUCCESS;
    state_ = State::inactive;
    return code_;
}

const std::shared_ptr<progress::Bundles>& Record::bundles() {
    if (bundles_) return bundles_;
    if (is_active()) state_ = State::active;
    bundles_ = std::make_shared<progress::Bundles>();
    is_completed_here_ = true;
    ++members_ever;
    count_records();
    return bundles_;
}

// Until then the host alone knows. Of an inactive request it tells an empty status.
bool Record::is_active_elsewhere() const {
    if (bundles_ && bundles_->any_active()) return true;
    if (is_completed_here_) return state_ != State::inactive;
    int flag = 0;
    MPI_Status status{};
    HOST(Request_get_status)(request_, &flag, &status);
    return !flag || status.MPI_SOURCE != MPI_ANY_SOURCE;
}

int Record::duplicate(MPI_Request* made) const {
    const auto& [mode, buffer, count, type, peer, tag, comm, retained] = envelope;
    return comm == MPI_COMM_NULL ? MPI_ERR_COMM
                                 : init_any(mode, buffer, count, type, peer, tag, comm, made);
}

Record* record_to_complete(MPI_Request request) {
    if (!completes_records()) return nullptr;
    Record* const record = find_record(request);
    return record && record->is_completed_here() ? record : nullptr;
}

Record* find_record(MPI_Request request) {
    const Guard guard(progress::engine());
    return records().find(request);
}

void find_records(std::span<const MPI_Request> requests, Record* found[]) {
    const Guard guard(progress::engine());
    for (const MPI_Request request : requests) *found++ = records().find(request);
}

bool find_alone(std::span<const MPI_Request> requests, Record* found[]) {
    const Guard guard(progress::engine());
    return std::ranges::all_of(requests, [&found](MPI_Request request) {
        Record* const record = records().find(request);
        *found++ = record;
        return record && record->completes_alone();
    });
}

bool is_member(MPI_Request request) {
    const Record* const record = record_to_complete(request);
    return record && record->is_member();
}

int bind(Mode mode, void* buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
         MPI_Comm comm, MPI_Request* request) {
    if (is_disabled()) return init_any(mode, buffer, count, type, peer, tag, comm, request);
    MPI_Request made = MPI_REQUEST_NULL;
    const int code =
        init_any(mode, buffer, count, type, peer, tag, comm, request ? &made : nullptr);
    if (code != MPI_SUCCESS) return code;
    try {
        auto record = std::make_unique<Record>(made, Envelope{mode, buffer, count, type, peer, tag,
                                                              comm, datatype::HandleReferences()});
        record->envelope.references.keep_type(type); // only a type that the host has accepted
        const Guard guard(progress::engine());
        records().insert(made, std::move(record));
        count_records();
    } catch (...) {
        HOST(Request_free)(&made);
        throw;
    }
    *request = made;
    return code;
}

int start(Record& record, MPI_Request* request) {
    if (!may_start(&record)) return refuse_start(record, "MPI_Start");
    const int code = HOST(Start)(request);
    if (code == MPI_SUCCESS) note_start(record, *request);
    return code;
}

int start_host(MPI_Request* request) {
    if (!request || !records().any()) return HOST(Start)(request);
    if (completes_records())
        if (Record* const record = find_record(*request)) return start(*record, request);
    const MPI_Request before = *request;
    const int code = HOST(Start)(request);
    if (code == MPI_SUCCESS && *request != before) rename(before, *request);
    return code;
}

int startall_host(int count, MPI_Request requests[]) {
    if (count <= 0 || !requests || !records().any()) return HOST(Startall)(count, requests);
    const std::span all(requests, static_cast<std::size_t>(count));
    if (!completes_records()) return startall_told_by_host(all);
    boost::container::small_vector<Record*, 32> started(all.size(), boost::container::default_init);
    find_records(all, started.data());
    for (const Record* record : started)
        if (!may_start(record)) return refuse_start(*record, "MPI_Startall");
    const int code = HOST(Startall)(count, requests);
    for (std::size_t i = 0; code == MPI_SUCCESS && i < all.size(); ++i)
        if (started[i]) note_start(*started[i], requests[i]);
    return code;
}

void forget_record(MPI_Request request) {
    if (!records().any()) return;
    std::unique_ptr<Record> record; // its datatype is freed without the guard
    const Guard guard(progress::engine());
    record = records().remove(request);
    if (record && record->was_member()) --members_ever;
    count_records();
}

void forget_records() {
    records().take_all();
    members_ever = 0;
    count_records();
}

void forget_comm(MPI_Comm comm) {
    if (!records().any()) return;
    const Guard guard(progress::engine());
    records().for_each([comm](Record& record) {
        if (record.envelope.comm == comm) record.envelope.comm = MPI_COMM_NULL;
    });
}

} // namespace mpix::intercept
