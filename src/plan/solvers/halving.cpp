// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of folding and halving.
#include "plan/solvers/halving.hpp"

namespace mpix::plan {
namespace {

// mine = theirs (op) mine, or the other way round if they are the higher ranks.
void combine(const Place& theirs, const Place& mine, bool theirs_first, Builder& plan) {
    if (theirs_first) return plan.reduce(theirs, mine);
    plan.reduce(mine, theirs);
    plan.copy(theirs, mine);
}

} // namespace

Place Halving::pieces(const Place& vector, int begin, int count) const {
    const Bytes from = bound(begin);
    return vector.part(from, bound(begin + count) - from);
}

Halving equal_halving(const Problem& problem, const Fold& fold, const Place& vector) {
    const Bytes grain = problem.shape.grain, bytes = vector.bytes;
    return {fold, problem.rank, problem.shape.commutative,
            [grain, bytes, pieces = fold.core](int i) {
                return cut_begin(Shape{.grain = grain}, bytes, pieces, i);
            }};
}

Place take_in_twin(const Halving& halving, const Place& source, const Place& result,
                   Builder& plan) {
    if (!halving.fold.pairs(halving.rank)) return source;
    const int twin = Fold::twin(halving.rank);
    const Place theirs = plan.scratch(source.bytes);
    plan.recv(twin, theirs);
    plan.next_phase();
    plan.copy(source, result);
    combine(theirs, result, halving.commutative || twin < halving.rank, plan);
    return result;
}

void halve(const Halving& halving, Place source, const Place& result, Builder& plan) {
    for (int width = halving.fold.core / 2; width > 0; width /= 2) {
        const int partner = halving.partner(width);
        const Place mine = halving.kept(result, width);
        // A place for each step, so that none waits for what is done with another.
        const Place theirs = plan.scratch(mine.bytes);
        plan.send(partner, halving.given(source, width));
        plan.recv(partner, theirs);
        plan.next_phase();
        plan.copy(halving.kept(source, width), mine);
        combine(theirs, mine, halving.commutative || partner < halving.rank, plan);
        source = result;
    }
    plan.copy(source, result); // one rank
}

} // namespace mpix::plan
