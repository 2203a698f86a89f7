// SPDX-License-Identifier: BSD-3-Clause
//
// The reduce-scatter phase that Rabenseifner's algorithms share: partners at distance 1, 2, 4 ...
// each keep half of what they still hold and combine the other's half into it. Because the
// distance grows, every sum covers neighbouring ranks, so that rank order is kept. R. Rabenseifner,
// "Optimization of Collective Reduction Operations", ICCS 2004.
#pragma once

#include "plan/builder.hpp"
#include "plan/patterns.hpp"

#include <functional>

namespace mpix::plan {

// One rank's part in the halving. The vector is cut in as many pieces as the fold leaves ranks; a
// step is known by its width, the number of pieces that it leaves to the rank. At width 1 the
// virtual rank v holds piece bit_reverse(v).
struct Halving {
    Fold fold;
    int rank;
    bool commutative;
    std::function<Bytes(int)> bound; // where each piece begins, and the end of the last

    int distance(int width) const { return fold.core / 2 / width; }
    int partner(int width) const { return fold.rank_of(fold.virtual_of(rank) ^ distance(width)); }
    Place kept(const Place& vector, int width) const { return pieces(vector, first(width), width); }
    Place given(const Place& vector, int width) const {
        return pieces(vector, first(width) ^ width, width);
    }

  private:
    int first(int width) const { return bit_reverse(fold.virtual_of(rank), fold.core) & -width; }
    Place pieces(const Place& vector, int begin, int count) const;
};

// As many pieces as the fold leaves ranks, alike in size.
Halving equal_halving(const Problem& problem, const Fold& fold, const Place& vector);

// Takes in the vector of the twin that leaves; returns where the sum is: in `result`, or still in
// `source` if this rank has no twin.
Place take_in_twin(const Halving& halving, const Place& source, const Place& result, Builder& plan);

// Halves down to width 1, into the kept piece of `result`; nothing else of the user's is written.
void halve(const Halving& halving, Place source, const Place& result, Builder& plan);

} // namespace mpix::plan
