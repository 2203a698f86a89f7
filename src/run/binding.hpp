// SPDX-License-Identifier: BSD-3-Clause
//
// Where the rooms of a problem lie in this process, and of what they are made. The translation
// from MPI arguments makes both together.
#pragma once

#include "host/reduction.hpp"
#include "plan/problem.hpp"
#include "run/agreement.hpp"
#include "run/arguments.hpp"
#include "run/layout.hpp"

#include <optional>

namespace mpix::run {

// A block of a user buffer that is not dense.
struct TypedBlock {
    std::byte* address = nullptr;
    std::int64_t count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::int64_t size = 0; // of an element: bytes of data, and from one to the next
    std::int64_t extent = 0;
    std::optional<FlatType> flat; // all elements, if they could be flattened
};

// Other buffers than the program gave at first; none: as it was.
struct Places {
    std::optional<std::byte*> send = {}, recv = {};
};

struct Binding {
    std::byte* send = nullptr;
    std::byte* recv = nullptr;
    std::vector<TypedBlock> send_blocks;
    std::vector<TypedBlock> recv_blocks;
    // Reductions: what send, recv and scratch consist of. Otherwise they are bytes.
    MPI_Datatype element_type = MPI_BYTE;
    std::optional<Layout> element;
    host::Reduction reduction;
    bool over_host = false; // on every rank alike: no message takes the node's memory

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

    static Buffers of(const Arguments& arguments);

    Given send = Given::nothing, recv = Given::nothing;
    bool are_one = false; // a broadcast's, which is `recv`, and sent where it stands
};

struct Translation {
    plan::Problem problem;
    Binding binding;
    // On every rank alike:
    Wish wish = no_wish;
    std::int64_t widest = 0; // count or displacement that delegation would hand to the host
    bool on_device = false;  // a buffer is: only the host can move it
};

// Translates checked arguments. Where ranks know different parts (gatherv, scatterv) they exchange
// sizes; then they agree on the shape. Collective.
Translation translate(Context& context, const Arguments& arguments);

// One edge of a neighbourhood collective as seen from this process.
struct Edge {
    int rank;
    std::size_t block; // its block in the buffer
};

// In an order in which the k-th edge to a rank matches the k-th edge from it. Edges to
// MPI_PROC_NULL are left out.
struct Neighborhood {
    std::vector<Edge> sources;
    std::vector<Edge> destinations;
    std::size_t indegree = 0; // with those to MPI_PROC_NULL
    std::size_t outdegree = 0;
};

// The neighbourhood of a communicator with a topology. Local. Throws where there is none.
Neighborhood neighborhood(MPI_Comm comm);

// The places of the first `blocks` blocks of a side. All are in the dense room, or all are in the
// table of the typed one.
std::vector<plan::Place> places(const Side& side, std::size_t blocks, plan::Room dense,
                                plan::Room typed, std::vector<TypedBlock>& table, Layouts& layouts);

// Makes the rooms consist of elements of `type`. Returns the grain.
plan::Bytes bind_element(Binding& binding, MPI_Datatype type, MPI_Op op);

// Not flattened.
TypedBlock typed_block(const Side& side, std::size_t block);

} // namespace mpix::run
