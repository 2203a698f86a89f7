// SPDX-License-Identifier: BSD-3-Clause
//
// One call of a plain collective: what it has in common with those of the other ranks, which finds
// its plan, and where the data of this rank are.
#pragma once

#include "automatic/plan_cache.hpp"
#include "host/symbols.hpp"

#include <cstddef>
#include <cstdint>

namespace mpix::automatic {

// Counts or displacements of the program, in one of the widths that MPI has for them.
struct Numbers {
    const void* at = nullptr;
    bool are_wide = false;

    Numbers() = default;
    explicit Numbers(const int* numbers) : at(numbers) {}
    template<class Wide> // MPI_Count, MPI_Aint
    explicit Numbers(const Wide* numbers) : at(numbers), are_wide(true) {
        static_assert(sizeof(Wide) == sizeof(std::int64_t));
    }

    std::int64_t operator[](std::size_t i) const {
        return are_wide ? static_cast<const std::int64_t*>(at)[i] : static_cast<const int*>(at)[i];
    }
};

// A buffer of the program.
struct Region {
    std::byte* buffer = nullptr;
    std::int64_t count = 0; // elements, of all blocks
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::int64_t bytes = 0; // of data
    bool is_there = false;
    bool is_dense = false;      // one run of bytes
    bool is_predefined = false; // its type: the handle says what it is
    // Otherwise blocks may lie anywhere: each a number of elements, at so many extents.
    std::size_t blocks = 0;
    Numbers counts, displacements;
};

// The arguments as the program gave them, where there are no arrays among them. A call of one
// buffer has it twice.
struct RawArguments {
    const void* send;
    const void* recv;
    std::int64_t count;
    MPI_Datatype type;
    std::int64_t recv_count = 0;
    MPI_Datatype recv_type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
    int root = 0;

    bool is_like(const RawArguments& other) const {
        return count == other.count && type == other.type && recv_count == other.recv_count &&
               recv_type == other.recv_type && op == other.op && root == other.root;
    }
};

struct Invocation {
    Key key;
    bool order_shows = false;
    MPI_Op op = MPI_OP_NULL;
    MPI_Datatype element = MPI_DATATYPE_NULL; // of a reduction
    std::int64_t element_size = 1;
    Numbers counts; // of ranks, that are not alike
    std::size_t ranks = 0;
    Region send, recv;
    bool sends_copy = false;     // what is sent stands in what is received into
    bool keeps_received = false; // what is received into is read, or not all of it is written
    bool drops_received = false; // nobody wants what is received

    // Whether the buffers of the program are taken as they are, and handles tell all about them.
    bool is_simple() const {
        const auto is_plain = [](const Region& region) {
            return !region.is_there || (region.is_dense && region.is_predefined);
        };
        return !sends_copy && !drops_received && is_plain(send) && is_plain(recv);
    }
};

} // namespace mpix::automatic
