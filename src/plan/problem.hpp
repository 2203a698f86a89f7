// SPDX-License-Identifier: BSD-3-Clause
//
// A problem: what a bound operation has to do, as plain values. It knows no MPI and no address:
// data are places in buffers, measured in packed bytes.
// Shape holds what every rank knows alike. A solver is chosen by the shape and by nothing else,
// because ranks that choose differently deadlock.
#pragma once

#include "plan/edges.hpp"
#include "plan/nodes.hpp"
#include "plan/progression.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace mpix::plan {

using Bytes = std::int64_t;

enum class Kind : std::uint8_t {
    barrier,
    bcast,
    gather,
    scatter,
    allgather,
    alltoall,
    reduce,
    allreduce,
    reduce_scatter,
    scan,
    exscan,
    neighbor,
    group_reduce,
};

std::string_view name(Kind kind);

// Whether whoever sends waits for others too, and cannot be ahead of them, but in odd cases: else
// there are ranks that only send.
bool is_mutual(Kind kind);
// Whether messages of several that only send come together in one rank.
bool converges(Kind kind);

// The buffers a plan can name. In send, recv and scratch an offset counts packed bytes. The
// *_blocks buffers are user buffers that are not dense: there an offset is the number of a block,
// and a copy out of it packs that block, a copy into it unpacks it. Nothing is a buffer without
// memory, for what has to be told and has no data: its places order the steps that have to do with
// them, which move no bytes.
enum class Buffer : std::uint8_t { send, recv, scratch, send_blocks, recv_blocks, nothing };
inline constexpr std::size_t rooms = 6;

constexpr bool is_blocks(Buffer buffer) {
    return buffer == Buffer::send_blocks || buffer == Buffer::recv_blocks;
}

struct Place {
    Buffer buffer = Buffer::send;
    Bytes offset = 0;
    Bytes bytes = 0;

    // The part of this place that begins `skip` bytes in.
    Place part(Bytes skip, Bytes length) const { return {buffer, offset + skip, length}; }
    friend bool operator==(const Place&, const Place&) = default;
};

// A place moved within its buffer. To no other there is a way: what comes of it is not that one.
constexpr Place moved(const Place& place, Bytes distance) {
    return {place.buffer, place.offset + distance, place.bytes};
}
constexpr Bytes distance_from(const Place& place, const Place& to) {
    return to.offset - place.offset;
}

using Blocks = Progression<Place>;
using Sizes = Progression<Bytes>;

// What the order in which a reduction combines may depend on.
enum class Order : std::uint8_t {
    free,     // on anything: no order shows in the result
    repeated, // on nothing that is measured: every run has the same bits
    fixed,    // on the number of ranks alone: docs/reproducibility.md has the order
};

struct Shape {
    Kind kind = Kind::barrier;
    int ranks = 1;
    int root = 0;
    bool commutative = true; // the reduction may combine ranks in any order; not a fixed one
    bool regular = true;     // every block has the same size
    bool one_node = false;   // all ranks share memory, and messages go through it
    bool alike = false;      // neighbor: each rank sends the same along all edges
    Locality locality = Locality::network; // what they all share
    Nodes nodes = {};       // the parts of that which they are in, if those are several
    Crossing crossing = {}; // neighbor, alltoall: what they send from node to node, if known
    Bytes grain = 1;        // no element is split: places are cut at multiples of this
    Bytes total = 0;        // bytes of the whole vector, or of all blocks of the rank with most
    Bytes largest = 0;      // bytes of the largest block on any rank
    // One of many that are under way at once, as their partitions become ready: of few messages,
    // and a rank waits for none whose share it does not get.
    bool is_piece = false;
    Order order = Order::free;
};

// What the places mean, by kind. In place is said by a send place that equals a receive place.
//   bcast           root: send[0]; others: recv[0]
//   gather          send[0]; root: recv[r] for each rank r
//   scatter         root: send[r]; recv[0]
//   allgather       send[0]; recv[r]
//   alltoall        send[r], recv[r]
//   reduce          send[0]; root: recv[0]
//   allreduce, scan, exscan   send[0], recv[0]
//   reduce_scatter  send[r]: the segments of one vector, consecutive; recv[0]
//   neighbor        send[i] goes to destinations[i], recv[i] comes from sources[i]; the k-th edge
//                   to a rank matches the k-th edge from it
//   group_reduce    between two groups: send[i] goes to destinations[i]; what comes from all
//                   sources, in their order, is combined in recv[0], if there are any
struct Problem {
    Shape shape;
    int rank = 0;
    Blocks send;
    Blocks recv;
    Sizes sizes; // gather, scatter, allgather, reduce_scatter: block r, on every rank
    std::vector<int> destinations;
    std::vector<int> sources;
    std::vector<Edges> mates; // of each rank of this node, where the shape has what crosses
};

} // namespace mpix::plan
