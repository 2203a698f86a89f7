// SPDX-License-Identifier: BSD-3-Clause
// One operation on one rank: its buffers, its handles, what is expected of it.
#pragma once

#include "calls.hpp"
#include "completion.hpp"
#include "handles.hpp"
#include "oracle.hpp"

#include <optional>

namespace fuzz {

class Live {
  public:
    Live(const Program& program, int number, int member, MPI_Comm comm);

    // `slots` are its requests: [0] of a collective or a send, [1] of a receive.
    void initialise(Slot* slots, bool frees_early, bool keeps_arrays);
    bool starts_by_call() const; // not by MPI_Start
    void prepare(int round, Slot* slots);
    void start_by_call(Slot* slots);
    void check(bool spoil);
    void release(Slot* slots);
    // Holds the host's blocking collective against the oracle.
    static void check_blocking(const Program& program, int number, int member, MPI_Comm comm);

  private:
    Call call(const Arguments& arguments, Memory& send, Memory& recv) const;
    int root() const;
    void initialise_message(Slot* slots);
    int initialise_send(MPI_Request* request) const;
    int initialise_receive(MPI_Request* request);
    void start_message(Slot* slots);
    int peer(int member) const;
    void check_settled(const char* when);
    void complain(const std::string& what) const;

    const Program& program_;
    int number_, member_;
    const Operation& operation_;
    const Arguments& arguments_;
    MPI_Comm comm_;
    Oracle oracle_;
    Memory send_, recv_;
    std::optional<Bytes> settled_; // what the receive buffer held when the last round was over
    Handles handles_;
    std::shared_ptr<void> arrays_;
    Incoming incoming_{};
    int round_ = -1;
};

} // namespace fuzz
