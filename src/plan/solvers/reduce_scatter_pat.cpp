// SPDX-License-Identifier: BSD-3-Clause
//
// Reduce_scatter in parallel aggregated trees: the allgather of that name backwards, at any number
// of ranks and with segments of any size. Sums first go to near ranks, an edge of all trees at a
// time, and those of a few segments then far. A tree begins at the owner of its segment, so the
// operation must commute. S. Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter
// operations at scale", 2025, arXiv:2506.20252.
#include "plan/packing.hpp"
#include "plan/solver.hpp"
#include "plan/solvers/parallel_trees.hpp"

namespace mpix::plan::reduce_scatter_pat {
namespace {

bool applicable(const Shape& shape) { return shape.commutative; }

double cost(const Shape& shape, const Model& model) {
    return cost_of_span(shape, model, model.reduce_us, best_span(shape, model, model.reduce_us)) +
           static_cast<double>(shape.largest) * model.copy_us;
}

// Places for messages of each distance, used in turn: what comes waits for what has gone. Messages
// of a distance wait for such that go farther, and so for no circle of ranks.
class Stages {
  public:
    Stages(Builder& plan, Bytes bytes) : plan_(plan), bytes_(bytes) {}

    Place next(int distance, Bytes bytes) {
        Turns& turns =
            turns_[static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(distance)))];
        if (turns.places.size() < most) turns.places.push_back(plan_.scratch(bytes_));
        return turns.places[turns.count++ % most].part(0, bytes);
    }

  private:
    static constexpr std::size_t most = 4;
    struct Turns {
        std::vector<Place> places = {};
        std::size_t count = 0;
    };

    Builder& plan_;
    Bytes bytes_;
    std::array<Turns, 32> turns_;
};

// The segments of a group that this rank adds to, one after another.
struct Group {
    Blocks places;
    Sizes begins;
    Place sum;
    bool is_own; // nothing is added to it yet, and it must not be written

    Place part(int first, int count) const { return slice(sum, begins, first, first + count); }
    void add(const Place& received, int first, int count, Builder& plan) {
        if (is_own) {
            plan.reduce(sum, received);
            sum = received;
            is_own = false;
        } else {
            plan.reduce(received, part(first, count));
        }
    }
};

Group group(const Problem& problem, const ParallelTrees& trees, int number, const Place& room,
            Builder& plan) {
    Group made;
    made.places = trees.blocks(problem.send, problem.rank, number);
    made.begins = offsets(sizes(made.places), 0, static_cast<int>(made.places.size()));
    made.is_own = trees.far.size() == 1;
    made.sum = made.is_own ? made.places[0] : room.part(0, made.begins.back());
    if (!made.is_own) pack(plan, made.places, made.sum);
    return made;
}

void add_near(const Problem& problem, const ParallelTrees& trees, int number, Group& sums,
              Stages& stages, Builder& plan) {
    for (const int child : trees.children(number)) {
        const int distance = child - number, count = trees.size(child);
        const Place theirs = stages.next(distance, sums.begins[static_cast<std::size_t>(count)]);
        plan.recv(ring(problem.rank, distance, trees.ranks), theirs);
        sums.add(theirs, 0, count, plan);
    }
}

void add_far(const Problem& problem, const ParallelTrees& trees, Group& sums, Builder& plan) {
    Builder::Phases phases(plan);
    for (auto at = trees.rounds.rbegin(); at != trees.rounds.rend(); ++at) {
        const ParallelTrees::Round& round = *at;
        const Place theirs = plan.scratch(sums.part(round.from, round.count).bytes);
        plan.send(ring(problem.rank, -round.distance, trees.ranks),
                  sums.part(round.to, round.count));
        plan.recv(ring(problem.rank, round.distance, trees.ranks), theirs);
        plan.next_phase();
        sums.add(theirs, round.from, round.count, plan);
    }
}

void build(const Problem& problem, Builder& plan) {
    const Shape& shape = problem.shape;
    const ParallelTrees trees(shape.ranks, best_span(shape, plan.model(), plan.model().reduce_us));
    const Bytes most = std::min(sum_of(problem.sizes),
                                static_cast<Bytes>(trees.far.size()) * largest_of(problem.sizes));
    Stages received(plan, most), own(plan, most);
    const auto room = [&](int distance) {
        return trees.far.size() > 1 ? own.next(distance, most) : Place{};
    };
    for (int number = trees.groups() - 1; number > 0; --number) {
        const int distance = number - binomial_parent(number);
        Group sums = group(problem, trees, number, room(distance), plan);
        add_near(problem, trees, number, sums, received, plan);
        plan.send(ring(problem.rank, -distance, shape.ranks), sums.sum);
    }
    Group sums = group(problem, trees, 0, room(trees.span), plan);
    add_near(problem, trees, 0, sums, received, plan);
    add_far(problem, trees, sums, plan);
    plan.copy(sums.part(static_cast<int>(trees.own()), 1), problem.recv[0]);
}

} // namespace

extern const Solver solver{"reduce_scatter_pat", Kind::reduce_scatter, applicable, cost, build};

} // namespace mpix::plan::reduce_scatter_pat
