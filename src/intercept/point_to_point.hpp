// SPDX-License-Identifier: BSD-3-Clause
//
// Persistent sends and receives. The host runs them; what they are bound to is recorded, for the
// operations that can be made of them. Where the host frees a request whose message failed, or
// loses a status, which the standard does not allow, they are completed here; and in a trace.
#pragma once

#include "datatype/handle_references.hpp"
#include "intercept/handle_table.hpp"
#include "intercept/message_trace.hpp"
#include "progress/operation.hpp"

#include <boost/container/small_vector.hpp>

namespace mpix::intercept {

enum class Mode : unsigned char { send, bsend, ssend, rsend, recv };

// What a request is bound to. The datatype is kept; the communicator may be gone: then it is null.
struct Envelope {
    Mode mode;
    void* buffer;
    MPI_Count count;
    MPI_Datatype type;
    int peer;
    int tag;
    MPI_Comm comm;
    datatype::HandleReferences references;
};

// A recorded request. Complete means that the host has completed it and the program does not know.
class Record {
  public:
    using State = progress::Operation::State;

    Record(MPI_Request request, Envelope to);

    // Where the host loses something, or it is told when they are complete. The same from the first
    // on.
    static bool all_are_completed_here();

    State state() const { return state_; }
    // Whether the error handler knows what finish() returns.
    bool is_raised() const { return is_raised_; }
    MPI_Comm errors_to() const {
        return envelope.comm == MPI_COMM_NULL ? MPI_COMM_WORLD : envelope.comm;
    }
    void rename(MPI_Request request) { request_ = request; }
    MPI_Request request() const { return request_; }
    void start() {
        state_ = State::active;
        trace_.start();
    }
    void end() {
        if (state_ == State::active) trace_.complete();
        state_ = State::inactive;
    }

    // Asks the host for it, if it is active.
    void poll();

    // Makes it inactive if it is complete. Status, with MPI_ERROR left alone, and error code.
    int finish(MPI_Status* status);
    void tell(MPI_Status* status) const;

    // The bundles that have it as a member. Once it has been one it is completed here, so that it
    // is known whether it is active.
    const std::shared_ptr<progress::Bundles>& bundles();
    bool is_member() const { return bundles_ && !bundles_->all.empty(); }
    bool was_member() const { return bundles_ != nullptr; }
    bool is_completed_here() const { return is_completed_here_; }
    // So, it was never a member, and is not known to be complete.
    bool completes_alone() const {
        return is_completed_here_ && !bundles_ && state_ != State::complete;
    }
    bool is_active() const { // or a member of an active bundle
        return is_completed_here_ && !bundles_ ? state_ != State::inactive : is_active_elsewhere();
    }
    int duplicate(MPI_Request* made) const;

    Envelope envelope;

  private:
    friend class ActiveRecords;

    void take(int code, bool is_raised);
    bool is_active_elsewhere() const;

    MPI_Request request_;
    MessageTrace trace_;
    State state_ = State::inactive;
    MPI_Status status_{};
    int code_ = MPI_SUCCESS;
    bool is_raised_ = false;
    bool is_completed_here_;
    std::shared_ptr<progress::Bundles> bundles_;
};

// Those of an array of the program that are active, for as long as they are waited for together.
class ActiveRecords {
  public:
    void add(Record& record);
    bool empty() const { return records_.empty(); }
    // Asks the host for all at once, where that keeps them. True if none is active any more.
    bool poll();

  private:
    boost::container::small_vector<Record*, 16> records_;
    boost::container::small_vector<MPI_Request, 16> requests_;
    boost::container::small_vector<MPI_Status, 16> statuses_;
};

// How many requests there are that are completed here. Relaxed: as HandleTable::any.
inline constinit std::atomic<std::size_t> records_to_complete{0};
inline bool completes_records() { return records_to_complete.load(std::memory_order_relaxed) != 0; }

// The record, if it is completed here; else null.
Record* record_to_complete(MPI_Request request);

extern base::Immortal<HandleTable<Record>> the_records;
inline HandleTable<Record>& records() { return the_records.value; }

// Null if nothing is known of it.
Record* find_record(MPI_Request request);
// The same of several at once.
void find_records(std::span<const MPI_Request> requests, Record* found[]);
// False, and who knows how many are found, unless all have one that completes alone.
bool find_alone(std::span<const MPI_Request> requests, Record* found[]);
bool is_member(MPI_Request request); // that has a record

int bind(Mode mode, void* buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
         MPI_Comm comm, MPI_Request* request);

// The inits, each for MPI_X_init and MPI_X_init_c.
template<Mode mode>
constexpr auto binder = [](const void* buffer, MPI_Count count, MPI_Datatype type, int peer,
                           int tag, MPI_Comm comm, MPI_Request* request) {
    return bind(mode, const_cast<void*>(buffer), count, type, peer, tag, comm, request);
};
inline constexpr auto bind_send = binder<Mode::send>;
inline constexpr auto bind_bsend = binder<Mode::bsend>;
inline constexpr auto bind_ssend = binder<Mode::ssend>;
inline constexpr auto bind_rsend = binder<Mode::rsend>;
inline constexpr auto bind_recv = binder<Mode::recv>;

// The host's Start and Startall. They may change handles: the records follow.
int start_host(MPI_Request* request);
int start(Record& record, MPI_Request* request);
int startall_host(int count, MPI_Request requests[]);

// The handle ends: its record too.
void forget_record(MPI_Request request);
void forget_records();

// The program frees a communicator.
void forget_comm(MPI_Comm comm);

} // namespace mpix::intercept
