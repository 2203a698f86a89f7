// SPDX-License-Identifier: BSD-3-Clause
// Every block of a receive buffer has one source; a reduction folds the contributions from the last
// to the first.
#include "oracle.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace fuzz {
namespace {

constexpr Offset margin = 64;

Memory allocate(Offset low, Offset high) {
    const Offset floor = low >= 0 ? low / 16 * 16 : -((-low + 15) / 16 * 16);
    Memory memory;
    memory.start = margin - floor;
    memory.bytes.resize(at((high - floor + 7) / 8 * 8 + 2 * margin));
    return memory;
}

void fill(Memory& memory, std::uint64_t seed) {
    for (std::size_t i = 0; i < memory.bytes.size(); i += 8) {
        const std::uint64_t word = mix(seed + i);
        std::memcpy(memory.bytes.data() + i, &word, 8);
    }
}

} // namespace

Oracle::Oracle(const Program& program, int operation)
    : program_(program), operation_(program.operations[at(operation)]),
      comm_(program.comms[at(operation_.comm)]), kind_(facts(operation_.kind)),
      seed_(hash(program.seed, operation)) {}

// ---- Before ----

void Oracle::write_values(const Block& block, std::uint64_t seed, Memory& memory) const {
    const Layout& layout = program_.types[block.type].layout;
    std::uint64_t value = seed;
    for (long i = 0; i < block.count; i++)
        for (const Entry& entry : layout.map)
            write_value(operation_.function, entry.base, mix(value++),
                        memory.data() + block.place + i * layout.extent() + entry.offset);
}

Memory Oracle::before(int member, int round, Which which) const {
    const Side& send = arguments(member).send;
    const Side& own = which == Which::send ? send : arguments(member).recv;
    const bool in_place = send.use == Use::in_place;
    Offset low = own.low, high = own.high;
    if (which == Which::recv && in_place && kind_.reduces) {
        low = std::min(low, send.low);
        high = std::max(high, send.high);
    }
    Memory memory = allocate(low, high);
    const std::uint64_t seed = hash(seed_, member, round + 1, which == Which::send);
    fill(memory, seed);
    const bool is_input = in_place == (which == Which::recv);
    if (kind_.reduces && is_input)
        for (const Block& block : send.blocks) write_values(block, hash(seed, block.place), memory);
    return memory;
}

// ---- After ----

Bytes Oracle::pack(const Memory& memory, const Block& block) const {
    const Layout& layout = program_.types[block.type].layout;
    Bytes packed;
    packed.reserve(at(block.count * layout.size));
    for (long i = 0; i < block.count; i++)
        for (const Entry& entry : layout.map)
            for (const Part& part : facts(entry.base).parts) {
                const std::byte* from =
                    memory.data() + block.place + i * layout.extent() + entry.offset + part.offset;
                packed.insert(packed.end(), from, from + part.size);
            }
    return packed;
}

// Fewer data than the block has room for are legal in a message.
void Oracle::unpack(const Bytes& packed, const Block& block, Memory& memory) const {
    const Layout& layout = program_.types[block.type].layout;
    std::size_t used = 0;
    for (long i = 0; i < block.count; i++)
        for (const Entry& entry : layout.map)
            for (const Part& part : facts(entry.base).parts) {
                if (used + at(part.size) > packed.size()) return;
                std::byte* to =
                    memory.data() + block.place + i * layout.extent() + entry.offset + part.offset;
                std::memcpy(to, packed.data() + used, at(part.size));
                used += at(part.size);
            }
}

// Where the block of a peer lies that is for this member.
Oracle::Source Oracle::from_peer(int member, int peer, std::size_t block) const {
    const Arguments& theirs = arguments(peer);
    const bool in_place = theirs.send.use == Use::in_place;
    if (!kind_.rooted && in_place) {
        if (peer == member) return {};
        const int index = kind_.send == Shape::single ? peer : member;
        return {peer, true, theirs.recv.blocks[at(index)]};
    }
    if (peer == member && (in_place || theirs.recv.use == Use::in_place)) return {};
    return {peer, false, theirs.send.blocks[block]};
}

Oracle::Source Oracle::source(int member, std::size_t block) const {
    if (operation_.kind == Kind::message) {
        if (operation_.message.from < 0) return {};
        return {operation_.message.from, false, arguments(operation_.message.from).send.blocks[0]};
    }
    if (kind_.neighbors) {
        const Edge& edge = comm_.edges[at(member)][block];
        if (edge.peer < 0) return {};
        const std::size_t sent = kind_.send == Shape::single ? 0 : at(edge.block);
        return {edge.peer, false, arguments(edge.peer).send.blocks[sent]};
    }
    if (operation_.kind == Kind::bcast) return from_peer(member, operation_.root, 0);
    const std::size_t own = at(comm_.rank_of(member));
    if (kind_.rooted && kind_.recv == Shape::single) return from_peer(member, operation_.root, own);
    const int peer = comm_.peers_of(member)[block];
    return from_peer(member, peer, kind_.send == Shape::single ? 0 : own);
}

void Oracle::complete_movement(int member, int round, Memory& recv) const {
    const Side& side = arguments(member).recv;
    for (std::size_t b = 0; b < side.blocks.size(); b++) {
        const Source from = source(member, b);
        if (from.member < 0 || from.block.count == 0) continue;
        const Memory theirs = before(from.member, round, from.in_place ? Which::recv : Which::send);
        unpack(pack(theirs, from.block), side.blocks[b], recv);
    }
}

std::vector<int> Oracle::contributors(int member) const {
    std::vector<int> all = comm_.peers_of(member);
    if (operation_.kind == Kind::scan) all.resize(at(member) + 1);
    if (operation_.kind == Kind::exscan) all.resize(at(member));
    return all;
}

Memory Oracle::contribution(int member, int round) const {
    const bool in_place = arguments(member).send.use == Use::in_place;
    return before(member, round, in_place ? Which::recv : Which::send);
}

void Oracle::complete_reduction(int member, int round, Memory& recv) const {
    const std::vector<int> members = contributors(member);
    if (arguments(member).recv.use != Use::given || members.empty()) return;
    Memory result = contribution(members.back(), round);
    const std::vector<Block>& input = arguments(members.back()).send.blocks;
    const Layout& layout = program_.types[operation_.element].layout;
    long elements = 0;
    for (const Block& block : input) elements += block.count;
    for (std::size_t i = members.size() - 1; i-- > 0;) {
        const Memory left = contribution(members[i], round);
        for (long e = 0; e < elements; e++)
            for (const Entry& entry : layout.map) {
                const Offset place = e * layout.extent() + entry.offset;
                combine(operation_.function, entry.base, left.data() + place,
                        result.data() + place);
            }
    }
    const Arguments& own = arguments(member);
    Block part = own.recv.blocks[0];
    if (kind_.send != Shape::single) part.place = own.send.blocks[at(comm_.rank_of(member))].place;
    unpack(pack(result, part), own.recv.blocks[0], recv);
}

void Oracle::complete(int member, int round, Memory& recv) const {
    kind_.reduces ? complete_reduction(member, round, recv)
                  : complete_movement(member, round, recv);
}

// After a reduce_scatter in place only the result is defined, not the rest of the input.
void Oracle::forgive(int member, const Memory& got, Memory& expected) const {
    const Arguments& own = arguments(member);
    if (own.send.use != Use::in_place || !kind_.reduces || kind_.send == Shape::single) return;
    const Offset extent = program_.types[operation_.element].layout.extent();
    long elements = -own.recv.blocks[0].count;
    for (const Block& block : own.send.blocks) elements += block.count;
    const Block rest{operation_.element, elements, own.recv.blocks[0].count * extent};
    unpack(pack(got, rest), rest, expected);
}

void Oracle::copy(const Block& block, const Memory& from, Memory& to) const {
    unpack(pack(from, block), block, to);
}

bool Oracle::agree(const Block& block, const Memory& one, const Memory& other) const {
    return pack(one, block) == pack(other, block);
}

std::string difference(const Memory& expected, const Memory& got) {
    if (expected.bytes == got.bytes) return "";
    const auto place =
        std::mismatch(expected.bytes.begin(), expected.bytes.end(), got.bytes.begin());
    const Offset first = place.first - expected.bytes.begin();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected.bytes.size(); i++)
        wrong += expected.bytes[i] != got.bytes[i];
    std::string wanted, seen;
    for (Offset i = first; i < first + 8 && at(i) < expected.bytes.size(); i++) {
        char text[4];
        std::snprintf(text, sizeof text, " %02x", static_cast<unsigned>(expected.bytes[at(i)]));
        wanted += text;
        std::snprintf(text, sizeof text, " %02x", static_cast<unsigned>(got.bytes[at(i)]));
        seen += text;
    }
    return "byte " + std::to_string(first - expected.start) + ": expected" + wanted + ", got" +
           seen + " (" + std::to_string(wrong) + " of " + std::to_string(expected.bytes.size()) +
           " bytes differ)";
}

} // namespace fuzz
