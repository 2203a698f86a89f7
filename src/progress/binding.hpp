// SPDX-License-Identifier: BSD-3-Clause
//
// Where the rooms of a problem lie in this process, and of what they are made. The translation
// from MPI arguments makes both together.
#pragma once

#include "datatype/layout.hpp"
#include "host/reduction.hpp"

#include <optional>

namespace mpix::progress {

// A block of a user buffer that is not dense.
struct TypedBlock {
    std::byte* address = nullptr;
    std::int64_t count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::int64_t size = 0; // of an element: bytes of data, and from one to the next
    std::int64_t extent = 0;
    std::optional<datatype::FlatType> flat; // all elements, if they could be flattened
};

// Other buffers than the program gave at first; none: as it was.
struct Places {
    std::optional<std::byte*> send = {}, recv = {};

    friend bool operator==(const Places&, const Places&) = default;
};

struct Binding {
    std::byte* send = nullptr;
    std::byte* recv = nullptr;
    std::vector<TypedBlock> send_blocks;
    std::vector<TypedBlock> recv_blocks;
    // Reductions: what send, recv and scratch consist of. Otherwise they are bytes.
    MPI_Datatype element_type = MPI_BYTE;
    std::optional<datatype::Layout> element;
    host::Reduction reduction;
    bool over_host = false; // on every rank alike: no message takes the node's memory
    bool moves = false;     // from round to round: receives of the host are made in each

    // Whether a run of a room's bytes is a run of memory.
    bool is_dense() const { return !element || element->dense; }

    std::int64_t grain() const { return element ? element->size : 1; }
    // How far so many bytes of data reach in memory that has their elements, which may have none.
    std::int64_t extent_of(std::int64_t bytes) const {
        return bytes == 0 || is_dense() ? bytes : bytes / grain() * element->extent;
    }
    // Memory for so many bytes of data, with room for all that a user's function may touch around
    // an element: from its lower bound to its upper, data or not, aligned as a program's array is.
    // The data begin `shift` before it.
    struct Extent {
        std::int64_t bytes, shift;
    };
    Extent extent_with_room(std::int64_t bytes) const;

    void move(const Places& to);
    Places places() const { return {send, recv}; }
};

// Which buffers of the program an operation has on this rank.
struct Buffers {
    enum class Given : std::uint8_t { nothing, address, in_place };

    Given send = Given::nothing, recv = Given::nothing;
    bool are_one = false; // a broadcast's, which is `recv`, and sent where it stands
};

} // namespace mpix::progress
