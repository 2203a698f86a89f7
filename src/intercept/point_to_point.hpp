// SPDX-License-Identifier: BSD-3-Clause
//
// Persistent sends and receives. The host runs them; what they are bound to is recorded, for the
// operations that can be made of them. Where the host frees a request whose message failed, which
// the standard does not allow, they are completed here, so that it stays.
#pragma once

#include "intercept/handle_table.hpp"
#include "run/operation.hpp"
#include "run/retained.hpp"

#include <span>

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
    run::Retained retained;
};

// A recorded request. Complete means that the host has completed it and the program does not know.
class Record {
  public:
    using State = run::Operation::State;

    Record(MPI_Request request, Envelope to) : envelope(std::move(to)), request_(request) {}

    State state() const { return state_; }
    MPI_Comm errors_to() const {
        return envelope.comm == MPI_COMM_NULL ? MPI_COMM_WORLD : envelope.comm;
    }
    void rename(MPI_Request request) { request_ = request; }
    void start() { state_ = State::active; }
    // For hosts that complete their requests themselves: since then it may be active.
    void note_start() { was_started_ = true; }
    bool was_started() const { return was_started_; }

    // Asks the host for what is active, about each by itself or about all at once.
    void poll();
    static void poll_all(std::span<Record* const> records);

    // Makes it inactive if it is complete. Status, with MPI_ERROR left alone, and error code.
    int finish(MPI_Status* status);
    void tell(MPI_Status* status) const;

    Envelope envelope;

  private:
    void take(const MPI_Status& status, int code);

    MPI_Request request_;
    State state_ = State::inactive;
    bool was_started_ = false;
    MPI_Status status_{};
    int code_ = MPI_SUCCESS;
};

// How many requests there are that are completed here. Relaxed: as HandleTable::any.
inline constinit std::atomic<std::size_t> records_to_complete{0};
inline bool completes_records() { return records_to_complete.load(std::memory_order_relaxed) != 0; }

// Null if nothing is known of it.
const Record* find_record(MPI_Request request);

// Whether it is active, as far as the host tells: not when its message is done and the program has
// not waited for it.
bool is_under_way(MPI_Request request);

// The record, if it is completed here; else null.
Record* record_to_complete(MPI_Request request);

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
int startall_host(int count, MPI_Request requests[]);

// The handle ends: its record too.
void forget_record(MPI_Request request);
void forget_records();

// The program frees a communicator.
void forget_comm(MPI_Comm comm);

} // namespace mpix::intercept
