// SPDX-License-Identifier: BSD-3-Clause
//
// Choosing a solver, and staging blocks that are not dense through scratch.
#include "plan/planner.hpp"

#include "plan/nodes.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mpix::plan {
namespace {

// Gives each block that is not dense a dense place in scratch, one a block however often it is
// named.
class Staging {
  public:
    explicit Staging(Builder& plan) : plan_(plan) {}

    Blocks input(const Blocks& blocks) { return replaced(blocks, true); }
    Blocks output(const Blocks& blocks) { return replaced(blocks, false); }

    void unpack(const Blocks& blocks, const Blocks& dense) {
        if (stages_.empty()) return;
        for (std::size_t i = 0; i < blocks.size(); ++i)
            if (blocks[i].buffer == Buffer::recv_blocks) plan_.copy(dense[i], blocks[i]);
    }

  private:
    Blocks replaced(const Blocks& blocks, bool are_read) {
        // Those that are alike stand in one buffer.
        if (blocks.is_regular() && (blocks.empty() || !is_blocks(blocks.front().buffer)))
            return blocks;
        Blocks dense;
        for (const Place& block : blocks) dense.push_back(replaced(block, are_read));
        return dense;
    }
    Place replaced(const Place& block, bool is_read) {
        if (!is_blocks(block.buffer)) return block;
        const auto [stage, is_new] = stages_.try_emplace({block.buffer, block.offset});
        if (is_new) stage->second = plan_.scratch(block.bytes);
        if (is_new && is_read) plan_.copy(block, stage->second);
        return stage->second;
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

std::string costs_to_text(const Shape& shape, const Model& model) {
    const Model seen = seen_from(shape, model);
    std::vector<std::pair<double, const Solver*>> ways;
    for (const Solver* solver : catalogue())
        if (solver->kind == shape.kind && solver->applicable(shape))
            ways.emplace_back(solver->cost(shape, seen), solver);
    std::stable_sort(ways.begin(), ways.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    std::string text;
    for (const auto& [us, solver] : ways) {
        char figure[32];
        std::snprintf(figure, sizeof figure, " %.1f us", us);
        text += (text.empty() ? "" : ", ") + std::string(solver->name) + figure;
    }
    return text;
}

Plan build(const Solver& solver, const Problem& problem, const Model& model) {
    Builder plan(problem);
    plan.choose_by(seen_from(problem.shape, model));
    plan.cut_between_nodes(problem.rank, model.cutting);
    plan.list_copies();
    const Builder::Among among(plan, problem.shape.nodes);
    Staging staging(plan);
    Problem dense = problem;
    dense.send = staging.input(problem.send);
    dense.recv = staging.output(problem.recv);
    solver.build(dense, plan);
    // The first rank of an exscan receives nothing: its buffer is not significant.
    const bool receives = problem.shape.kind != Kind::exscan || problem.rank != 0;
    if (receives) staging.unpack(problem.recv, dense.recv);
    Plan built = std::move(plan).finish(solver.name, cost(solver, problem.shape, model));
    built.is_mutual = is_mutual(problem.shape.kind);
    built.leaves_node = !problem.shape.one_node;
    built.converges = converges(problem.shape.kind);
    return built;
}

Plan delegated(Kind kind) {
    Problem none;
    Builder plan(none);
    plan.delegate();
    Plan made = std::move(plan).finish("delegate", 0);
    made.is_mutual = is_mutual(kind);
    return made;
}

} // namespace mpix::plan
