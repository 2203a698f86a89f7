// SPDX-License-Identifier: BSD-3-Clause
//
// Bruck's alltoall: a block that must travel d ranks goes in hops of 1, 2, 4 ..., one for each bit
// of d, packed with all others that make the same hop: ceil(log2 n) messages a rank. J. Bruck,
// C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, "Efficient Algorithms for All-to-All
// Communications in Multiport Message-Passing Systems", 1997. Changed: nothing is rotated before
// or after, each block is packed from where it lies; and the longest hop is the first, so that a
// hop of 2^k moves runs of 2^k blocks: all hops together take as many copies as there are ranks.
#include "plan/packing.hpp"
#include "plan/patterns.hpp"
#include "plan/solver.hpp"

namespace mpix::plan::alltoall_bruck {
namespace {

bool applicable(const Shape& shape) { return shape.regular; }

double cost(const Shape& shape, const Model& model) {
    const double moved = static_cast<double>(shape.total) / 2;
    const int rounds = ceil_log2(shape.ranks);
    return rounds * (model.message(moved) + model.exchanging() + moved * model.copy_us) +
           2 * moved * model.copy_us;
}

// One hop: sends the blocks whose distance has this bit, and notes where their successors arrive.
// blocks[d] is the block that this rank holds and that has come, or is to go, d ranks in all.
void hop(const Problem& problem, int bit, std::vector<Place>& blocks, Builder& plan) {
    const int n = problem.shape.ranks;
    std::vector<Place> moving;
    moving.reserve(blocks.size());
    for (int d = bit; d < n; ++d)
        if (d & bit) moving.push_back(blocks[static_cast<std::size_t>(d)]);
    const Bytes block = blocks[0].bytes;
    const Place out = joined(plan, moving);
    const Place in = plan.scratch(out.bytes);
    pack(plan, moving, out);
    Bytes offset = 0;
    for (int d = bit; d < n; ++d) {
        if (!(d & bit)) continue;
        blocks[static_cast<std::size_t>(d)] = in.part(offset, block);
        offset += block;
    }
    plan.send(ring(problem.rank, bit, n), out);
    plan.recv(ring(problem.rank, -bit, n), in);
}

void build(const Problem& problem, Builder& plan) {
    const int n = problem.shape.ranks;
    std::vector<Place> blocks;
    blocks.reserve(static_cast<std::size_t>(n));
    for (int d = 0; d < n; ++d)
        blocks.push_back(problem.send[static_cast<std::size_t>(ring(problem.rank, d, n))]);
    for (int bit = power_below(n); bit > 0 && n > 1; bit /= 2) hop(problem, bit, blocks, plan);
    std::vector<Move> moves;
    moves.reserve(blocks.size());
    for (int d = 0; d < n; ++d) {
        const auto from = static_cast<std::size_t>(ring(problem.rank, -d, n));
        moves.push_back({blocks[static_cast<std::size_t>(d)], problem.recv[from]});
    }
    plan.copy(moves);
}

} // namespace

extern const Solver solver{"alltoall_bruck", Kind::alltoall, applicable, cost, build};

} // namespace mpix::plan::alltoall_bruck
