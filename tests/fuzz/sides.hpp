// SPDX-License-Identifier: BSD-3-Clause
// Random sides of calls: one datatype out of several with the same signature, and blocks of so many
// units (repetitions of the signature) each. No MPI here.
#pragma once

#include "program.hpp"

namespace fuzz {

// So many that all blocks together stay within a megabyte or so.
long pick_units(Random& random, Offset unit_size, long blocks);
Signature pick_signature(Random& random);

class SideMaker {
  public:
    // `plain` keeps to predefined datatypes.
    SideMaker(Random& random, Types& types, const Signature& signature, bool plain);
    // Every side has this datatype, an element of which is a unit.
    SideMaker(Random& random, Types& types, int type);

    // Blocks in the order of ranks; each block has the units that are given for it.
    Side make(Shape shape, const std::vector<long>& units, bool written);
    Offset unit_size() const { return unit_size_; }

  private:
    struct Choice {
        int type;
        long units; // of one element
    };

    Choice choose(const std::vector<long>& units);
    Side side_by_side(const std::vector<long>& units);
    Side placed(const std::vector<long>& units, bool written);
    Side placed_in_bytes(const std::vector<long>& units, bool written);
    std::vector<std::size_t> order_of(std::size_t blocks);

    Random& random_;
    Types& types_;
    std::vector<Choice> choices_;
    Offset unit_size_;
};

} // namespace fuzz
