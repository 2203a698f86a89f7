// SPDX-License-Identifier: BSD-3-Clause
//
// The partitions of an operation that has any: what the program marks, what has come, and who has a
// request for one of them.
#pragma once

#include "run/arrivals.hpp"
#include "run/gates.hpp"
#include "run/numbering.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace mpix::run {

class Operation;

struct Partitions : node::OnLines {
    Partitions(Numbering of_send, Numbering of_recv)
        : send(std::move(of_send)), recv(std::move(of_recv)),
          gates(static_cast<std::size_t>(send.partitions())),
          arrivals(static_cast<std::size_t>(recv.partitions())) {}

    const Numbering send, recv;
    Gates gates;
    Arrivals arrivals;

    // Requests for one receive partition each.
    struct Follower {
        std::size_t partition;
        Operation* request;
    };
    std::vector<Follower> followers;
};

} // namespace mpix::run
