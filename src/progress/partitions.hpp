// SPDX-License-Identifier: BSD-3-Clause
//
// The partitions of an operation that has any: what the program marks, what has come, and who has a
// request for one of them.
#pragma once

#include "progress/numbering.hpp"
#include "progress/receive_partitions.hpp"
#include "progress/send_partitions.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace mpix::progress {

class Operation;

struct Partitions : shmem::OnLines {
    Partitions(Numbering of_send, Numbering of_recv)
        : send_numbers(std::move(of_send)), recv_numbers(std::move(of_recv)),
          send(static_cast<std::size_t>(send_numbers.partitions())),
          recv(static_cast<std::size_t>(recv_numbers.partitions())) {}

    const Numbering send_numbers, recv_numbers;
    SendPartitions send;
    ReceivePartitions recv;

    // Requests for one receive partition each.
    struct Follower {
        std::size_t partition;
        Operation* request;
    };
    std::vector<Follower> followers;
};

} // namespace mpix::progress
