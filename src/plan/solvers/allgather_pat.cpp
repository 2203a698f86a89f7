// SPDX-License-Identifier: BSD-3-Clause
//
// Allgather in parallel aggregated trees, at any number of ranks and with blocks of any size:
// blocks first go far, while there are few, and then to near ranks, an edge of all trees at a time.
// Messages are bounded, and blocks go to their places while others are under way. S. Jeaugey, "PAT:
// a new algorithm for all-gather and reduce-scatter operations at scale", 2025, arXiv:2506.20252.
// There blocks are kept in as little memory as possible; here a message has a place of its own.
#include "plan/packing.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/parallel_trees.hpp"

namespace mpix::plan::allgather_pat {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    return cost_of_span(shape, model, 0, best_span(shape, model, 0)) +
           static_cast<double>(shape.largest) * model.copy_us;
}

// Blocks of which those that are sent are a run.
struct Group {
    Blocks places;
    Place whole;
    Sizes begins;

    Place part(int first, int count) const { return slice(whole, begins, first, first + count); }
};

Group group(const Problem& problem, const ParallelTrees& trees, int number, Builder& plan) {
    Group made;
    made.places = trees.blocks(problem.recv, problem.rank, number);
    made.whole = joined(plan, made.places);
    made.begins = offsets(sizes(made.places), 0, static_cast<int>(made.places.size()));
    return made;
}

// This rank's own block goes to its place by itself.
Group gather_far(const Problem& problem, const ParallelTrees& trees, Builder& plan) {
    const int n = trees.ranks, rank = problem.rank;
    Group far = group(problem, trees, 0, plan);
    if (far.places.size() == 1) {
        far.whole = problem.send[0];
        return far;
    }
    const auto own = static_cast<int>(trees.own());
    plan.copy(problem.send[0], far.part(own, 1));
    Builder::Phases phases(plan);
    for (const auto& round : trees.rounds) {
        plan.send(ring(rank, round.distance, n), far.part(round.from, round.count));
        plan.recv(ring(rank, -round.distance, n), far.part(round.to, round.count));
        plan.next_phase();
    }
    return far;
}

void unpack_far(const ParallelTrees& trees, const Group& far, Builder& plan) {
    const auto own = trees.own(), after = far.places.size() - own - 1;
    unpack(plan, far.part(0, static_cast<int>(own)), far.places.part(0, own));
    unpack(plan, far.part(static_cast<int>(own) + 1, static_cast<int>(after)),
           far.places.part(own + 1, after));
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const ParallelTrees trees(shape.ranks, best_span(shape, plan.model(), 0));
    std::vector<Group> groups{gather_far(problem, trees, plan)};
    const auto pass_on = [&](int number) {
        for (const int child : trees.children(number))
            plan.send(ring(problem.rank, child - number, shape.ranks),
                      groups[static_cast<std::size_t>(number)].part(0, trees.size(child)));
    };
    pass_on(0);
    for (int number = 1; number < trees.groups(); ++number) {
        const Group& next = groups.emplace_back(group(problem, trees, number, plan));
        plan.recv(ring(problem.rank, binomial_parent(number) - number, shape.ranks), next.whole);
        pass_on(number);
        unpack(plan, next.whole, next.places);
    }
    unpack_far(trees, groups[0], plan);
    plan.copy(problem.send[0], problem.recv[static_cast<std::size_t>(problem.rank)]);
}

} // namespace

extern const Solver solver{"allgather_pat", Kind::allgather, applicable, cost, build};

} // namespace mpix::plan::allgather_pat
