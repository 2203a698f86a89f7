// SPDX-License-Identifier: BSD-3-Clause
//
// The operations: one row each says how it is called, how large its buffers are in blocks, and
// where each received block must have come from. Knows nothing of time.
#pragma once

#include "bench/common/ranks.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace mpix::bench {

// The four ways to run one operation on one set of buffers; empty where the host has none.
struct Calls {
    std::function<int()> blocking;
    std::function<int(MPI_Request*)> nonblocking;
    std::function<int(MPI_Request*)> host_init;
    std::function<int(MPI_Info, MPI_Request*)> mpix_init;
    std::function<int()> mpix_plain; // the blocking one
    std::function<int(MPI_Request*)> mpix_nonblocking;
};

struct Buffers {
    void* send;
    void* receive;
    MPI_Datatype type;
    int count; // elements in a block
    // Equal blocks in the order of ranks, an entry each and for all neighbours; in elements, in
    // bytes.
    const int* counts;
    const int* places;
    const int* byte_places;
    const MPI_Aint* wide_places;
    const MPI_Datatype* types;
};

struct Place {
    int rank;
    int ranks;
};

// A received block: block `block` of the send buffers of `summed` ranks from `rank` on, added up.
struct Source {
    int rank;
    int summed;
    int block;
};

struct Operation {
    std::string_view name;
    bool has_data;
    bool one_buffer; // sent and received in the same place
    int (*blocks_sent)(Place);
    int (*blocks_received)(Place);
    Source (*source)(Place, int block);
    Calls (*calls)(const HostLibrary&, MPI_Comm, const Buffers&);

    // What it is called on: a neighbourhood needs the ring or the stencil.
    MPI_Comm comm(const Ranks& ranks) const {
        if (name.starts_with("stencil_")) return ranks.stencil();
        return name.starts_with("neighbor_") ? ranks.ring() : ranks.comm();
    }
};

std::span<const Operation> operations();
const Operation* find_operation(std::string_view name);
std::string title(const Operation& operation, std::size_t bytes); // "allreduce 4K"

} // namespace mpix::bench
