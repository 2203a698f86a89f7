// SPDX-License-Identifier: BSD-3-Clause
//
// Neighbourhood exchange: every edge is a message, all posted at once. MPI-4.1, section 8.7,
// defines it this way. An edge from a rank to itself is a copy; and so is one from a rank that an
// earlier edge has come from, where all of them have the same (grids with few ranks in a
// dimension).
#include "plan/solvers/node_aware.hpp"

#include <map>
#include <set>
#include <vector>

namespace mpix::plan::neighbor_linear {
namespace {

bool applicable(const Shape&) { return true; }

double cost(const Shape& shape, const Model& model) {
    return is_node_aware(shape) ? cost_of_edges(shape, model)
                                : model.message(static_cast<double>(shape.total));
}

// The k-th edge to oneself is the k-th from oneself.
void copy_own_edges(const Problem& problem, Builder& plan) {
    std::size_t from = 0;
    for (std::size_t to = 0; to < problem.destinations.size(); ++to) {
        if (problem.destinations[to] != problem.rank) continue;
        while (problem.sources[from] != problem.rank) ++from;
        plan.copy(problem.send[to], problem.recv[from++]);
    }
}

// The same along all edges: of several to a rank only the first is a message.
void build_alike(const Problem& problem, Builder& plan) {
    std::map<int, Place> received;
    std::vector<Move> others;
    for (std::size_t i = 0; i < problem.sources.size(); ++i) {
        const int source = problem.sources[i];
        if (source == problem.rank) continue;
        const auto [first, is_new] = received.try_emplace(source, problem.recv[i]);
        if (is_new)
            plan.recv(source, first->second);
        else
            others.push_back({first->second, problem.recv[i]});
    }
    std::set<int> reached{problem.rank};
    for (std::size_t i = 0; i < problem.destinations.size(); ++i)
        if (reached.insert(problem.destinations[i]).second)
            plan.send(problem.destinations[i], problem.send[i]);
    copy_own_edges(problem, plan);
    plan.copy(others);
}

void build(const Problem& problem, Builder& plan) {
    if (problem.shape.alike) return build_alike(problem, plan);
    for (std::size_t i = 0; i < problem.sources.size(); ++i)
        if (problem.sources[i] != problem.rank) plan.recv(problem.sources[i], problem.recv[i]);
    for (std::size_t i = 0; i < problem.destinations.size(); ++i)
        if (problem.destinations[i] != problem.rank)
            plan.send(problem.destinations[i], problem.send[i]);
    copy_own_edges(problem, plan);
}

} // namespace

extern const Solver solver{"neighbor_linear", Kind::neighbor, applicable, cost, build};

} // namespace mpix::plan::neighbor_linear
