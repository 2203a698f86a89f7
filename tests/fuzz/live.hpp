// SPDX-License-Identifier: BSD-3-Clause
// One operation on one rank: its buffers, its handles, what is expected of it.
#pragma once

#include "calls.hpp"
#include "completion.hpp"
#include "ends.hpp"
#include "handles.hpp"
#include "parted.hpp"
#include "ring.hpp"

#include <optional>

namespace fuzz {

class Live {
  public:
    Live(const Program& program, int number, int member, MPI_Comm comm);

    // `slots` are its requests: [0] of a collective or a send, [1] of a receive.
    void initialise(Slot* slots, bool frees_early, bool keeps_arrays);
    bool starts_by_call() const; // not by MPI_Start
    void rebind(Slot* slots);    // if it is inactive and can be
    void prepare(int round, Slot* slots);
    void start_by_call(Slot* slots);
    void mark(const std::vector<int>& numbers, std::uint64_t seed, Slot* slots);
    int member() const { return member_; }
    void ask(std::uint64_t seed, Slot* slots); // for a partition, if it has any
    void prepare_buffers(Slot* slots);         // waits until all members have started
    // How many rounds have begun when this one has.
    int started(int round) const;
    // So many rounds are complete.
    void check(int completed, bool spoil);
    void release(Slot* slots);
    // Holds the host's blocking collective against the oracle.
    static void check_blocking(const Program& program, int number, int member, MPI_Comm comm);

  private:
    Call call(const Arguments& arguments, Memory& send, Memory& recv) const;
    int root() const;
    Slot* partitioned(Slot* slots, bool receives) const;
    Memory after(int round) const; // what the receive buffer holds when the round is over
    void check(int round, int place, bool spoil);
    void initialise_message(Slot* slots, bool frees_early);
    void initialise_receiver(Slot& slot);
    int initialise_end(int end, MPI_Request* request);
    int initialise_send(MPI_Request* request);
    int initialise_receive(MPI_Request* request);
    int source() const; // of a receive; also MPI_ANY_SOURCE
    int tag() const;
    long increment(bool sends) const; // from one start to the next: elements, and bytes
    Offset stride(bool sends) const;
    void start_message(Slot* slots);
    int peer(int member) const;
    void check_settled(int place, const char* when);
    void check_left() const; // the buffers from before the last rebinding
    void complain(int round, const std::string& what) const;

    const Program& program_;
    int number_, member_;
    const Operation& operation_;
    const Arguments& arguments_;
    MPI_Comm comm_;
    Oracle oracle_;
    Ring send_, recv_;
    // What each receive buffer held when its last round was over.
    std::vector<std::optional<Memory>> settled_;
    Handles handles_;
    std::shared_ptr<void> arrays_;
    Incoming incoming_{};
    std::optional<Parted> parted_;
    MPI_Info joining_ = MPI_INFO_NULL; // until it is initialised
    std::optional<Memory> coming_;     // after(), where it is asked for
    Ends channel_;
    std::vector<int> rounds_; // that have begun
    int checked_ = 0;         // of these
};

} // namespace fuzz
