// SPDX-License-Identifier: BSD-3-Clause
//
// What a message to another node costs. Two ranks on different nodes measure it over the host, once
// a process; where nothing measured may decide, it is guessed by what the nodes have.
#pragma once

#include "host/symbols.hpp"

#include <array>
#include <cstddef>

namespace mpix::comm {

// Microseconds, and microseconds a byte.
struct NetworkCosts {
    bool is_there = false; // else the model's own constants are as good
    double latency = 0;    // of a short message, from one to the other
    double overhead = 0;   // of posting it
    double taking = 0;     // of taking one more that has come
    double per_byte = 0;
    double streams = 0;    // side by side, each as fast as one
    double rendezvous = 0; // of messages of `eager` bytes and more, beside that
    double eager = 1 << 16;
};

// What is mostly found where each node has so many cards that need no kernel: without one it is kin
// of Ethernet.
NetworkCosts usual_network(int fast_cards);

// What this process has learnt of the network.
NetworkCosts known_network();
void learn_network(const NetworkCosts& costs);
// Says it once, where plans are printed.
void tell(const NetworkCosts& costs);

// One of the two leads, the other answers until that has enough, in 20 milliseconds at most beside
// the making of their connection. Plans move meanwhile. Throws host::Failure.
using NetworkMessage = std::array<std::byte, std::size_t{512} << 10>; // out and in
NetworkCosts lead_network(MPI_Comm comm, int other, NetworkMessage& room);
void answer_network(MPI_Comm comm, int other, NetworkMessage& room);
// Leads to nothing: the other answers no more.
void skip_network(MPI_Comm comm, int other, NetworkMessage& room);

} // namespace mpix::comm
