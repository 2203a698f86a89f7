// SPDX-License-Identifier: BSD-3-Clause
//
// A function a kind, as the table of operations has them.
#include "partition/segments.hpp"

#include "collective/neighborhood.hpp"
#include "collective/translation.hpp"
#include "comm/context.hpp"
#include "datatype/layout.hpp"
#include "host/failure.hpp"

#include <algorithm>

namespace mpix::partition {
namespace {

using collective::Side;
using plan::Buffer;
using plan::Bytes;
using plan::Collective;
using plan::Kind;
using plan::Place;
using plan::Segment;

std::int64_t extent_of(MPI_Datatype type) { return datatype::Bounds(type).extent; }

// The side with a block for each partition.
Side with_partitions_as_blocks(const Side& side, std::size_t blocks) {
    Side parted;
    parted.buffer = side.buffer;
    parted.in_bytes = side.in_bytes;
    std::size_t partitions = 0;
    for (std::size_t i = 0; i < blocks; ++i)
        partitions += static_cast<std::size_t>(side.part_count(i));
    parted.counts.reserve(partitions);
    parted.displacements.reserve(partitions);
    parted.types.reserve(partitions);
    for (std::size_t i = 0; i < blocks; ++i) {
        const int parts = side.part_count(i);
        const std::int64_t count = side.count(i) / parts;
        const std::int64_t first = side.displacements.empty()
                                       ? static_cast<std::int64_t>(i) * side.count(i)
                                       : side.displacements[i];
        const std::int64_t step = side.in_bytes ? count * extent_of(side.type(i)) : count;
        for (int p = 0; p < parts; ++p) {
            parted.counts.push_back(count);
            parted.displacements.push_back(first + p * step);
            parted.types.push_back(side.type(i));
        }
    }
    return parted;
}

class Movement {
  public:
    Movement(const Context& context, const Arguments& arguments, Binding& binding)
        : args_(arguments), binding_(binding), n_(context.ranks), rank_(context.rank) {}

    Segments run();

  private:
    using Blocks = std::vector<std::vector<Place>>; // the partitions of each

    bool is_root() const { return rank_ == args_.root; }
    static Blocks by_block(const std::vector<Place>& all, const Side& side, std::size_t blocks);
    Blocks send_blocks(const Side& side, std::size_t blocks) {
        return by_block(
            partition_places(side, blocks, Buffer::send, Buffer::send_blocks, binding_.send_blocks),
            side, blocks);
    }
    Blocks recv_blocks(std::size_t blocks) {
        return by_block(partition_places(args_.recv, blocks, Buffer::recv, Buffer::recv_blocks,
                                         binding_.recv_blocks),
                        args_.recv, blocks);
    }
    std::vector<int> ranks_from_here(bool with_self) const {
        std::vector<int> ranks;
        for (int distance = with_self ? 0 : 1; distance < n_; ++distance)
            ranks.push_back((rank_ + distance) % n_);
        return ranks;
    }
    void send_one(const std::vector<Place>& partitions, std::vector<int> peers,
                  int peer = Numbering::all) {
        out_.send_numbers = Numbering::of_one(static_cast<int>(partitions.size()), peer);
        out_.send.push_back({.peers = std::move(peers), .partitions = partitions});
    }
    void receive_one(const std::vector<Place>& partitions, int peer) {
        out_.recv_numbers = Numbering::of_one(static_cast<int>(partitions.size()), peer);
        out_.recv.push_back({.peers = {peer}, .partitions = partitions});
    }
    static Numbering number(const std::vector<Segment>& segments) {
        std::vector<int> partitions;
        partitions.reserve(segments.size());
        for (const Segment& segment : segments)
            partitions.push_back(static_cast<int>(segment.partitions.size()));
        return Numbering::of_segments(partitions);
    }
    void bcast();
    void gather();
    void scatter();
    void allgather();
    void alltoall();
    void neighbor();

    const Arguments& args_;
    Binding& binding_;
    const int n_, rank_;
    Segments out_;
};

Movement::Blocks Movement::by_block(const std::vector<Place>& all, const Side& side,
                                    std::size_t blocks) {
    Blocks found(blocks);
    auto next = all.begin();
    for (std::size_t i = 0; i < blocks; ++i) {
        const auto end = next + side.part_count(i);
        found[i].assign(next, end);
        next = end;
    }
    return found;
}

// The one buffer is `recv` in the arguments; the root reads it.
void Movement::bcast() {
    if (!is_root()) return receive_one(recv_blocks(1)[0], args_.root);
    binding_.send = args_.recv.buffer;
    send_one(send_blocks(args_.recv, 1)[0], ranks_from_here(false), args_.root);
}

// In place stands for the block of this rank on the other side, with its partitions.
void Movement::gather() {
    if (!args_.send.in_place) send_one(send_blocks(args_.send, 1)[0], {args_.root}, args_.root);
    if (!is_root()) return;
    const Blocks blocks = recv_blocks(static_cast<std::size_t>(n_));
    if (args_.send.in_place) send_one(blocks[static_cast<std::size_t>(rank_)], {}, rank_);
    for (int r = 0; r < n_; ++r) {
        Segment& segment = out_.recv.emplace_back();
        segment.partitions = blocks[static_cast<std::size_t>(r)];
        if (r != rank_ || !args_.send.in_place) segment.peers = {r};
    }
    out_.recv_numbers = number(out_.recv);
}

void Movement::scatter() {
    if (is_root()) {
        const Blocks blocks = send_blocks(args_.send, static_cast<std::size_t>(n_));
        for (int r = 0; r < n_; ++r) {
            Segment& segment = out_.send.emplace_back();
            segment.partitions = blocks[static_cast<std::size_t>(r)];
            if (r != rank_ || !args_.recv.in_place) segment.peers = {r};
        }
        out_.send_numbers = number(out_.send);
    }
    receive_one(args_.recv.in_place ? out_.send[static_cast<std::size_t>(rank_)].partitions
                                    : recv_blocks(1)[0],
                args_.root);
    if (args_.recv.in_place) out_.recv[0].peers = {};
}

void Movement::allgather() {
    const Blocks blocks = recv_blocks(static_cast<std::size_t>(n_));
    const bool in_place = args_.send.in_place;
    send_one(in_place ? blocks[static_cast<std::size_t>(rank_)] : send_blocks(args_.send, 1)[0],
             ranks_from_here(!in_place));
    for (int r = 0; r < n_; ++r) {
        Segment& segment = out_.recv.emplace_back();
        segment.partitions = blocks[static_cast<std::size_t>(r)];
        if (r != rank_ || !in_place) segment.peers = {r};
    }
    out_.recv_numbers = number(out_.recv);
}

void Movement::alltoall() {
    const bool in_place = args_.send.in_place;
    const Blocks into = recv_blocks(static_cast<std::size_t>(n_));
    const Blocks from = in_place ? into : send_blocks(args_.send, static_cast<std::size_t>(n_));
    for (int r = 0; r < n_; ++r) {
        const bool stays = in_place && r == rank_;
        const std::vector<int> peers = stays ? std::vector<int>{} : std::vector{r};
        out_.send.push_back({.peers = peers, .partitions = from[static_cast<std::size_t>(r)]});
        out_.recv.push_back({.peers = peers,
                             .partitions = into[static_cast<std::size_t>(r)],
                             .is_staged = in_place && !stays});
    }
    out_.send_numbers = number(out_.send);
    out_.recv_numbers = number(out_.recv);
}

void Movement::neighbor() {
    const collective::Neighborhood near = collective::neighborhood(args_.comm);
    const bool is_one = args_.collective == Collective::neighbor_allgather ||
                        args_.collective == Collective::neighbor_allgatherv;
    const Blocks from = send_blocks(args_.send, is_one ? 1 : near.outdegree);
    const Blocks into = recv_blocks(near.indegree);
    for (const auto& partitions : from)
        out_.send.push_back({.peers = {}, .partitions = partitions});
    for (const collective::Neighbor& edge : near.destinations)
        out_.send[is_one ? 0 : edge.block].peers.push_back(edge.rank);
    for (const auto& partitions : into)
        out_.recv.push_back({.peers = {}, .partitions = partitions});
    for (const collective::Neighbor& edge : near.sources) {
        out_.recv[edge.block].peers.push_back(edge.rank);
        out_.recv_order.push_back(edge.block);
    }
    out_.send_numbers =
        is_one ? Numbering::of_one(static_cast<int>(from[0].size())) : number(out_.send);
    out_.recv_numbers = number(out_.recv);
}

Segments Movement::run() {
    binding_.send = args_.send.buffer;
    binding_.recv = args_.recv.buffer;
    switch (plan::kind(args_.collective)) {
    case Kind::bcast: bcast(); break;
    case Kind::gather: gather(); break;
    case Kind::scatter: scatter(); break;
    case Kind::allgather: allgather(); break;
    case Kind::alltoall: alltoall(); break;
    default: neighbor(); break;
    }
    return std::move(out_);
}

// `parts` places of the same size, one after the other.
std::vector<Place> divided(Buffer room, Bytes begin, Bytes bytes, int parts) {
    std::vector<Place> places;
    places.reserve(static_cast<std::size_t>(parts));
    for (int p = 0; p < parts; ++p)
        places.push_back({room, begin + p * (bytes / parts), bytes / parts});
    return places;
}

// visit(peer, segment) for each message's segment, in the order of the two ranks' messages.
template<class Visit>
void each_pair(const std::vector<Segment>& segments, const std::vector<std::size_t>& order,
               Visit visit) {
    for (std::size_t i = 0; i < (order.empty() ? segments.size() : order.size()); ++i) {
        const Segment& segment = segments[order.empty() ? i : order[i]];
        for (const int peer : segment.peers) visit(peer, segment);
    }
}

comm::SizeCheck::Size size_of(const Segment& segment, bool with_partitions) {
    const auto partitions = static_cast<std::int64_t>(segment.partitions.size());
    return {segment.bytes(), with_partitions ? partitions : 0};
}

} // namespace

std::vector<Place> partition_places(const Side& side, std::size_t blocks, Buffer dense,
                                    Buffer typed, std::vector<progress::TypedBlock>& table) {
    const Side parted = with_partitions_as_blocks(side, blocks);
    datatype::Layouts layouts;
    const plan::Blocks places =
        collective::places(parted, parted.counts.size(), dense, typed, table, layouts);
    return {places.begin(), places.end()};
}

Segments segments_of_movement(const Context& context, const Arguments& arguments,
                              Binding& binding) {
    return Movement(context, arguments, binding).run();
}

Bytes segments_of_reduction(const Context& context, const Arguments& arguments, Binding& binding,
                            Segments& out) {
    const Collective of = arguments.collective;
    const bool receives = of != Collective::reduce || context.rank == arguments.root;
    const Side& side = receives ? arguments.recv : arguments.send;
    binding.send = arguments.send.buffer;
    binding.recv = arguments.recv.buffer;
    const Bytes grain = collective::bind_element(binding, side.type(0), arguments.op);
    const Bytes element = binding.element->size;
    const Buffer from = arguments.send.in_place ? Buffer::recv : Buffer::send;
    const int peer = of == Collective::reduce ? arguments.root : Numbering::all;
    if (plan::kind(of) == Kind::reduce_scatter) {
        const auto own = static_cast<std::size_t>(context.rank);
        const Bytes result = side.count(own) * element;
        Bytes begin = 0;
        std::vector<int> parts;
        for (int r = 0; r < context.ranks; ++r) {
            const auto i = static_cast<std::size_t>(r);
            const Bytes bytes = side.count(i) * element;
            parts.push_back(side.part_count(i));
            // In place the result comes where the first segments stand.
            const bool is_replaced = arguments.send.in_place && begin < result;
            out.send.push_back({.peers = {},
                                .partitions = divided(from, begin, bytes, parts.back()),
                                .is_staged = is_replaced && (i != own || begin > 0)});
            begin += bytes;
        }
        out.recv.push_back(
            {.peers = {}, .partitions = divided(Buffer::recv, 0, result, side.part_count(own))});
        out.send_numbers = Numbering::of_segments(parts);
        out.recv_numbers = Numbering::of_one(side.part_count(own));
        return grain;
    }
    const int parts = side.part_count(0);
    const Bytes bytes = side.count(0) * element;
    out.send.push_back({.peers = {}, .partitions = divided(from, 0, bytes, parts)});
    out.send_numbers = Numbering::of_one(parts, peer);
    if (!receives) return grain;
    // What the first rank of an exscan receives is nothing, and that has come at Start.
    const bool is_nothing = of == Collective::exscan && context.rank == 0;
    out.recv.push_back(
        {.peers = {}, .partitions = divided(Buffer::recv, 0, is_nothing ? 0 : bytes, parts)});
    out.recv_numbers = Numbering::of_one(parts, peer);
    return grain;
}

comm::SizeCheck pair(const Segments& segments, bool with_partitions) {
    comm::SizeCheck size_check;
    each_pair(segments.send, {}, [&](int peer, const Segment& segment) {
        size_check.send(peer, size_of(segment, with_partitions));
    });
    each_pair(segments.recv, segments.recv_order, [&](int peer, const Segment& segment) {
        size_check.expect(peer, size_of(segment, with_partitions));
    });
    return size_check;
}

comm::SizeCheck pair_with_results(const Context& context, const Segments& segments) {
    comm::SizeCheck size_check;
    const Segment& own = segments.send[static_cast<std::size_t>(context.rank)];
    for (int r = 0; r < context.ranks; ++r) {
        size_check.send(r, size_of(segments.send[static_cast<std::size_t>(r)], true));
        size_check.expect(r, size_of(own, true));
    }
    return size_check;
}

} // namespace mpix::partition
