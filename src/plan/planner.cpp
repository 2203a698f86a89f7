// SPDX-License-Identifier: BSD-3-Clause
//
// Choosing a solver, and staging blocks that are not dense through scratch.
#include "plan/planner.hpp"

#include "plan/nodes.hpp"

#include <map>

namespace mpix::plan {
namespace {

// Gives each block that is not dense a dense place in scratch, one a block however often it is
// named.
class Staging {
  public:
    explicit Staging(Builder& plan) : plan_(plan) {}

    void input(Place& place) {
        const Place block = place;
        if (replace(place)) plan_.copy(block, place);
    }

    void output(Place& place) { replace(place); }

  private:
    bool replace(Place& place) {
        if (!is_blocks(place.buffer)) return false;
        const auto [stage, is_new] = stages_.try_emplace({place.buffer, place.offset});
        if (is_new) stage->second = plan_.scratch(place.bytes);
        place = stage->second;
        return is_new;
    }

    Builder& plan_;
    std::map<std::pair<Buffer, Bytes>, Place> stages_;
};

bool all_send(Kind kind) {
    return kind == Kind::barrier || kind == Kind::allgather || kind == Kind::alltoall ||
           kind == Kind::allreduce || kind == Kind::reduce_scatter || kind == Kind::scan ||
           kind == Kind::exscan;
}

} // namespace

Model seen_from(const Shape& shape, const Model& model) {
    if (shape.nodes.count() < 2) return model;
    const int mates = shape.nodes.largest();
    return model.of_nodes((shape.ranks - mates) / (shape.ranks - 1.0),
                          all_send(shape.kind) ? mates : 1, shape.nodes.inside_largest().locality);
}

double cost(const Solver& solver, const Shape& shape, const Model& model) {
    return solver.cost(shape, seen_from(shape, model));
}

const Solver* choose(const Shape& shape, const Model& model, const Allowed& allowed) {
    const Solver* best = nullptr;
    double least = 0;
    const Model seen = seen_from(shape, model);
    for (const Solver* solver : catalogue()) {
        if (solver->kind != shape.kind || !solver->applicable(shape) || !allowed(*solver)) continue;
        const double cost = solver->cost(shape, seen);
        if (best && cost >= least) continue;
        best = solver;
        least = cost;
    }
    return best;
}

Plan build(const Solver& solver, const Problem& problem, const Model& model) {
    Builder plan(problem);
    plan.choose_by(seen_from(problem.shape, model));
    plan.list_copies();
    const Builder::Among among(plan, problem.shape.nodes);
    Staging staging(plan);
    Problem dense = problem;
    for (Place& place : dense.send) staging.input(place);
    for (Place& place : dense.recv) staging.output(place);
    solver.build(dense, plan);
    // The first rank of an exscan receives nothing: its buffer is not significant.
    const bool receives = problem.shape.kind != Kind::exscan || problem.rank != 0;
    for (std::size_t i = 0; receives && i < dense.recv.size(); ++i)
        if (problem.recv[i].buffer == Buffer::recv_blocks)
            plan.copy(dense.recv[i], problem.recv[i]);
    return std::move(plan).finish(solver.name, cost(solver, problem.shape, model));
}

Plan delegated() {
    Problem none;
    Builder plan(none);
    plan.delegate();
    return std::move(plan).finish("delegate", 0);
}

} // namespace mpix::plan
