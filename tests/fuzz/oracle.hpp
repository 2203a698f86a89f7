// SPDX-License-Identifier: BSD-3-Clause
// What every buffer holds before an operation and must hold after it, by arithmetic: each rank can
// make the data of every rank. No MPI here; the host's blocking calls are held against it too.
#pragma once

#include "program.hpp"

#include <span>

namespace fuzz {

// A buffer with margins that nobody may touch; also room below the start for negative places.
struct Memory {
    Bytes bytes;
    Offset start = 0;

    std::byte* data() { return bytes.data() + start; }
    const std::byte* data() const { return bytes.data() + start; }
};

enum class Which : std::uint8_t { send, recv };

// One operation as one of its members sees it.
class Oracle {
  public:
    Oracle(const Program& program, int operation);

    // What the member's program writes before it starts a round. Round -1 is what stands there
    // between rounds.
    Memory before(int member, int round, Which which) const;
    // Turns the receive buffer from before into that from after.
    void complete(int member, int round, Memory& recv) const;
    // Bytes that MPI leaves open are taken from `got`.
    void forgive(int member, const Memory& got, Memory& expected) const;
    // The data of a block alone, without its gaps.
    void copy(const Block& block, const Memory& from, Memory& to) const;
    bool agree(const Block& block, const Memory& one, const Memory& other) const;

  private:
    struct Source {
        int member = -1;
        bool in_place = false; // it lies in the receive buffer
        Block block;
    };

    const Arguments& arguments(int member) const { return operation_.arguments[at(member)]; }
    void write_values(const Block& block, std::uint64_t seed, Memory& memory) const;
    void complete_movement(int member, int round, Memory& recv) const;
    void complete_reduction(int member, int round, Memory& recv) const;
    Source source(int member, std::size_t block) const;
    Source from_peer(int member, int peer, std::size_t block) const;
    std::vector<int> contributors(int member) const;
    Memory contribution(int member, int round) const;
    Bytes pack(const Memory& memory, const Block& block) const;
    void unpack(const Bytes& packed, const Block& block, Memory& memory) const;

    const Program& program_;
    const Operation& operation_;
    const Communicator& comm_;
    const KindFacts& kind_;
    std::uint64_t seed_;
};

// "" where the two agree, else where they first do not.
std::string difference(const Memory& expected, const Memory& got);

} // namespace fuzz
