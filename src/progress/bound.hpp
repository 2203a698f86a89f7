// SPDX-License-Identifier: BSD-3-Clause
//
// What an operation has for each step of its plan. A quick start or completion reads the beginning.
#pragma once

#include "host/host.hpp"
#include "plan/plan.hpp"

#include <cstddef>
#include <cstdint>

namespace mpix::shmem {
class Sender;
class Receiver;
} // namespace mpix::shmem

namespace mpix::progress {

// A step with addresses and handles. Counts are of `type`.
struct Bound {
    // Messages of a step that go ahead of its receiver. A host keeps what has come too early in one
    // list, and looks through it for each message: what several have sent takes a time that grows
    // with its length.
    static constexpr std::uint8_t most_ahead = 128;

    std::byte* from = nullptr;
    std::byte* to = nullptr;
    shmem::Sender* out = nullptr; // within the node: the message's queue
    shmem::Receiver* in = nullptr;
    std::int64_t bytes = 0;
    int count = 0;
    int tag = 0;
    int peer = -1;
    plan::Action action = plan::Action::copy;
    bool is_synchronous = false; // send
    bool is_asked = false;       // a message of the host's that waits for its receiver
    bool is_direct = false;      // sent by whoever marks its last partition
    bool is_dense_copy = false;  // one, from place to place
    bool is_put = false;         // synchronous, on a queue: it waits only for the peer to take it
    // Messages of the host's until one that waits for its receiver; 0: none does.
    std::uint8_t ahead = 0;
    MPI_Datatype type = MPI_BYTE;
    MPI_Request receive = MPI_REQUEST_NULL; // persistent, made once
    std::byte* stage = nullptr;             // combine

    std::byte* received_at() const { return action == plan::Action::combine ? stage : to; }
};

} // namespace mpix::progress
