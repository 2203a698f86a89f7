// SPDX-License-Identifier: BSD-3-Clause
//
// Builds the cases: first the places of every rank, then the images of memory before and after.
#include "cases.hpp"
#include "index.hpp"

#include "elements.hpp"
#include "images.hpp"
#include "nodes_of.hpp"
#include "plan/crossing.hpp"

#include <algorithm>
#include <cstring>

namespace mpix::plan::test {
namespace {

bool reduces(Kind kind) {
    return kind == Kind::reduce || kind == Kind::allreduce || kind == Kind::reduce_scatter ||
           kind == Kind::scan || kind == Kind::exscan || kind == Kind::group_reduce;
}

// Lays blocks of the given sizes out in a buffer, with guard bytes between irregular ones.
Blocks lay_out(Buffer buffer, const Sizes& sizes, Bytes gap, bool staged) {
    Blocks places;
    Bytes offset = gap;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const Buffer blocks = buffer == Buffer::send ? Buffer::send_blocks : Buffer::recv_blocks;
        if (staged)
            places.push_back({blocks, static_cast<Bytes>(i), sizes[i]});
        else
            places.push_back({buffer, offset, sizes[i]});
        offset += sizes[i] + gap;
    }
    return places;
}

struct Maker {
    Kind kind;
    Variant v;
    int n = v.ranks;
    Bytes gap = v.regular ? 0 : 3;

    Bytes block(int from, int to) const {
        if (kind == Kind::neighbor && v.in_place) to = 0;
        if (v.regular) return v.count;
        if (v.in_place) return (from + to) % 3 * v.count + from * to % 2;
        return (from + 2 * to) % 3 * v.count + from * to % 2;
    }
    Bytes size_of(int rank) const {
        if (kind == Kind::reduce_scatter || kind == Kind::group_reduce)
            return element * (v.regular ? v.count : v.count * (rank % 3));
        return v.regular ? v.count : v.count * (rank % 3) + rank % 2;
    }
    Sizes sizes() const {
        Sizes all;
        for (int r = 0; r < n; ++r) all.push_back(size_of(r));
        return all;
    }
    Blocks send(const Sizes& bytes) const { return lay_out(Buffer::send, bytes, gap, v.staged); }
    Blocks recv(const Sizes& bytes) const { return lay_out(Buffer::recv, bytes, gap, v.staged); }

    // Three ranks a node that follow each other, or two nodes by turns.
    Nodes nodes() const {
        return nodes_of(n, [&](int r) { return v.count % 2 ? r / 3 : r % 2; });
    }

    void places(Problem& p) const;
    void move_places(Problem& p) const;
    void reduce_places(Problem& p) const;
    void neighbor_places(Problem& p) const;
    void group_places(Problem& p) const;
    std::vector<int> destinations(int rank) const;
    std::vector<int> sources(int rank) const;
    void shape(Problem& p) const;
};

void Maker::move_places(Problem& p) const {
    const int r = p.rank;
    const bool is_root = r == v.root;
    p.sizes = sizes();
    switch (kind) {
    case Kind::bcast:
        if (is_root)
            p.send = send({v.count});
        else
            p.recv = recv({v.count});
        break;
    case Kind::gather:
        if (is_root) p.recv = recv(p.sizes);
        p.send = is_root && v.in_place ? Blocks{p.recv[index(r)]} : send({size_of(r)});
        break;
    case Kind::scatter:
        if (is_root) p.send = send(p.sizes);
        if (!is_root || !v.in_place) p.recv = recv({size_of(r)});
        break;
    case Kind::allgather:
        p.recv = recv(p.sizes);
        p.send = v.in_place ? Blocks{p.recv[index(r)]} : send({size_of(r)});
        break;
    case Kind::alltoall: {
        std::vector<Bytes> out, in;
        for (int q = 0; q < n; ++q) out.push_back(block(r, q)), in.push_back(block(q, r));
        p.recv = recv(in);
        p.send = v.in_place ? p.recv : send(out);
        break;
    }
    default: break;
    }
}

void Maker::reduce_places(Problem& p) const {
    const int r = p.rank;
    const std::vector<Bytes> whole{v.count * element};
    if (kind == Kind::reduce_scatter) {
        p.sizes = sizes();
        p.send = lay_out(v.in_place ? Buffer::recv : Buffer::send, p.sizes, 0, false);
        p.recv = {{Buffer::recv, 0, size_of(r)}};
        return;
    }
    if (kind != Kind::reduce || r == v.root) p.recv = recv(whole);
    p.send = v.in_place && !p.recv.empty() ? p.recv : send(whole);
}

std::vector<int> Maker::destinations(int rank) const {
    std::vector<int> to{(rank + 1) % n, (rank + n - 1) % n, (rank + 1) % n, rank};
    for (int i = 0; i < rank % 4; ++i) to.push_back((rank * 5 + i * 3) % n);
    return to;
}

// In an order of its own: last ranks first.
std::vector<int> Maker::sources(int rank) const {
    std::vector<int> from;
    for (int q = n - 1; q >= 0; --q)
        for (const int to : destinations(q))
            if (to == rank) from.push_back(q);
    return from;
}

// The number of the edge at its other end: the k-th edge to a rank is its k-th edge from here.
int other_end(const std::vector<int>& mine, int i, const std::vector<int>& theirs, int self) {
    auto k = std::count(mine.begin(), mine.begin() + i, mine[index(i)]);
    for (std::size_t j = 0; j < theirs.size(); ++j)
        if (theirs[j] == self && k-- == 0) return static_cast<int>(j);
    return -1;
}

void Maker::neighbor_places(Problem& p) const {
    p.destinations = destinations(p.rank);
    p.sources = sources(p.rank);
    std::vector<Bytes> out, in;
    for (std::size_t i = 0; i < p.destinations.size(); ++i)
        out.push_back(block(p.rank, static_cast<int>(i)));
    for (std::size_t j = 0; j < p.sources.size(); ++j) {
        const int q = p.sources[j];
        in.push_back(block(q, other_end(p.sources, static_cast<int>(j), destinations(q), p.rank)));
    }
    p.send = send(out);
    p.recv = recv(in);
    if (v.in_place && !p.send.empty()) p.send = Blocks::regular(p.send[0], 0, p.send.size());
}

// The ranks of the first group are those below this.
int second_group(int ranks) { return (ranks + 1) / 2; }

// Each rank gets its own segment of what the other group has.
void Maker::group_places(Problem& p) const {
    const bool is_first = p.rank < second_group(n);
    const int begin = is_first ? second_group(n) : 0, end = is_first ? n : second_group(n);
    std::vector<Bytes> segments;
    for (int q = begin; q < end; ++q) {
        p.destinations.push_back(q);
        segments.push_back(size_of(q));
    }
    p.sources = p.destinations;
    p.sizes = sizes();
    p.send = lay_out(Buffer::send, segments, 0, false);
    if (!p.sources.empty()) p.recv = {{Buffer::recv, 0, size_of(p.rank)}};
}

void Maker::shape(Problem& p) const {
    Shape& s = p.shape;
    s = {.kind = kind,
         .ranks = n,
         .root = v.root,
         .commutative = v.commutative,
         .regular = v.regular,
         .one_node = true, // all solvers apply
         .alike = kind == Kind::neighbor && v.in_place,
         .nodes = nodes(),
         .grain = reduces(kind) ? element : 1};
    for (int i = 0; i < n; ++i) {
        Bytes row = 0;
        for (int j = 0; j < n; ++j) {
            row += block(i, j);
            if (kind == Kind::alltoall) s.largest = std::max(s.largest, block(i, j));
        }
        if (kind == Kind::alltoall) s.total = std::max(s.total, row);
    }
    if (!p.sizes.empty() && kind != Kind::alltoall && kind != Kind::bcast) {
        for (const Bytes size : p.sizes) s.total += size;
        s.largest = *std::max_element(p.sizes.begin(), p.sizes.end());
    } else if (kind != Kind::alltoall) {
        s.total = s.largest = v.count * s.grain;
    }
}

void Maker::places(Problem& p) const {
    if (kind == Kind::neighbor)
        neighbor_places(p);
    else if (kind == Kind::group_reduce)
        group_places(p);
    else if (reduces(kind))
        reduce_places(p);
    else if (kind != Kind::barrier)
        move_places(p);
    shape(p);
}

// Which block of which rank ends up in recv[j] of a rank.
std::pair<int, int> origin(const std::vector<Problem>& all, int rank, int j) {
    const Problem& p = all[index(rank)];
    switch (p.shape.kind) {
    case Kind::bcast: return {p.shape.root, 0};
    case Kind::scatter: return {p.shape.root, rank};
    case Kind::alltoall: return {j, rank};
    case Kind::neighbor: {
        const int q = p.sources[index(j)];
        return {q, other_end(p.sources, j, all[index(q)].destinations, rank)};
    }
    default: return {j, 0};
    }
}

Memory before(const Problem& p, int round) {
    Memory memory;
    size_rooms(memory, p.send);
    size_rooms(memory, p.recv);
    auto seed = static_cast<unsigned>(p.rank * 1009 + round * 31);
    scramble(memory.send, seed);
    scramble(memory.recv, seed + 500);
    for (auto& block : memory.send_blocks) scramble(block, seed += 77);
    for (auto& block : memory.recv_blocks) scramble(block, seed += 77);
    if (!reduces(p.shape.kind)) return memory;
    Bytes first = 0;
    for (const Place& place : p.send) {
        write_elements(at(memory, place), place.bytes, std::uint64_t{1} << p.rank, first, round);
        first += place.bytes / element;
    }
    return memory;
}

void reduced(const Problem& p, int round, Memory& memory) {
    const int n = p.shape.ranks;
    if (p.recv.empty() || (p.shape.kind == Kind::exscan && p.rank == 0)) return;
    int ranks = n;
    if (p.shape.kind == Kind::scan) ranks = p.rank + 1;
    if (p.shape.kind == Kind::exscan) ranks = p.rank;
    Bytes first = 0;
    if (p.shape.kind == Kind::reduce_scatter)
        for (int r = 0; r < p.rank; ++r) first += p.sizes[index(r)] / element;
    std::uint64_t mask = (std::uint64_t{1} << ranks) - 1;
    if (p.shape.kind == Kind::group_reduce) {
        const std::uint64_t first_group = (std::uint64_t{1} << second_group(n)) - 1;
        const bool is_first = p.rank < second_group(n);
        mask = is_first ? mask & ~first_group : first_group;
        for (int r = is_first ? 0 : second_group(n); r < p.rank; ++r)
            first += p.sizes[index(r)] / element;
    }
    write_elements(at(memory, p.recv[0]), p.recv[0].bytes, mask, first, round);
}

Memory after(const std::vector<Problem>& all, int rank, int round) {
    const Problem& p = all[index(rank)];
    Memory memory = before(p, round);
    if (reduces(p.shape.kind)) {
        reduced(p, round, memory);
        return memory;
    }
    for (std::size_t j = 0; j < p.recv.size(); ++j) {
        const auto [q, i] = origin(all, rank, static_cast<int>(j));
        const Problem& other = all[index(q)];
        Memory source = before(other, round);
        const Place& from = other.send[index(i)];
        std::copy_n(at(source, from), from.bytes, at(memory, p.recv[j]));
    }
    return memory;
}

Crossing most_of(const Crossing& one, const Crossing& other) {
    return {.messages = std::max(one.messages, other.messages),
            .bytes = std::max(one.bytes, other.bytes),
            .node_messages = std::max(one.node_messages, other.node_messages),
            .node_bytes = std::max(one.node_bytes, other.node_bytes),
            .nodes = std::max(one.nodes, other.nodes),
            .merged_bytes = std::max(one.merged_bytes, other.merged_bytes),
            .is_different = std::max(one.is_different, other.is_different)};
}

} // namespace

std::string describe(const Variant& v) {
    return std::to_string(v.ranks) + " ranks, root " + std::to_string(v.root) + ", count " +
           std::to_string(v.count) + (v.in_place ? ", in place" : "") +
           (v.regular ? "" : ", irregular") + (v.commutative ? "" : ", ordered") +
           (v.staged ? ", staged" : "");
}

void share_edges(std::vector<Problem>& all) {
    const Nodes nodes = all[0].shape.nodes;
    std::vector<std::vector<Edges>> edges(index(nodes.count()));
    for (const Problem& p : all) edges[index(nodes.of(p.rank))].push_back(edges_of(p));
    Crossing crossing;
    for (int node = 0; node < nodes.count(); ++node)
        crossing = most_of(crossing, crossing_of(nodes, node, edges[index(node)]));
    for (Problem& p : all) {
        p.mates = edges[index(nodes.of(p.rank))];
        p.shape.crossing = crossing;
    }
}

Case make(Kind kind, const Variant& variant) {
    Case made;
    const Maker maker{kind, variant};
    for (int rank = 0; rank < variant.ranks; ++rank) {
        Problem& p = made.problems.emplace_back();
        p.rank = rank;
        maker.places(p);
    }
    if (kind == Kind::neighbor || kind == Kind::alltoall) share_edges(made.problems);
    const auto all = std::make_shared<const std::vector<Problem>>(made.problems);
    const auto begun = std::make_shared<std::vector<int>>(index(variant.ranks));
    made.program.fill = [all, begun](int rank, int round, Memory& memory) {
        memory = before((*all)[index(rank)], round);
        (*begun)[index(rank)] = round;
    };
    made.program.check = [all, begun, kind](int rank, int round, Memory& memory) -> std::string {
        if (kind == Kind::barrier && *std::min_element(begun->begin(), begun->end()) < round)
            return "left the barrier before all had come";
        const Memory expected = after(*all, rank, round);
        if (memory.send != expected.send || memory.send_blocks != expected.send_blocks)
            return "the send buffer was changed";
        if (memory.recv != expected.recv || memory.recv_blocks != expected.recv_blocks)
            return "the receive buffer is wrong";
        return "";
    };
    made.program.combine = [variant](const std::byte* in, std::byte* inout, Bytes bytes) {
        return combine_elements(in, inout, bytes, variant.commutative);
    };
    return made;
}

} // namespace mpix::plan::test
