// SPDX-License-Identifier: BSD-3-Clause
//
// mpix-simulate: what the planner does on machines that are not there, and how long it would take.
#include "arguments.hpp"
#include "plan/topology.hpp"
#include "plan_command.hpp"
#include "planning.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace mpix::simulate {
namespace {

using plan::Bytes;
using plan::Kind;
using plan::Model;
using plan::Nodes;
using plan::Plan;
using plan::Solver;
using plan::Topology;

constexpr const char* usage = R"(usage: mpix-simulate [option...] [CONSTANT=VALUE...]
       mpix-simulate plan [option...]    (draws one plan: --help says more)

Plans operations for a machine of several nodes, and executes the plans' dependencies of all ranks in
LogGP time: each rank does one thing at a time, and the ranks of a node share its network card. Beside
the planner's choice stand the quickest of the plans that know no nodes, which are what MPI libraries
have: binomial trees, recursive doubling, rings, Bruck's and Rabenseifner's algorithms.

  --topology TEXT   levels and their numbers, from node, socket, cache, core; a rank for each core
                    (default "node:16 core:16"); several, separated by commas
  --cyclic          ranks are dealt to the nodes in turn
  --ops NAMES       barrier, bcast, gather, scatter, allgather, alltoall, reduce, allreduce,
                    reduce_scatter, scan, exscan (default allreduce)
  --bytes N,...     of a block, or of the vector of a reduction (default 8)
  --chosen          only what the planner chooses

Constants of the machine are those of MPIX_TUNING: latency=1.5 overhead=0.2 per_byte=0.0001 streams=1
node.latency=0.2 socket.latency=0.1 ... (docs/tuning.md). Times are microseconds. Up to 4096 ranks are simulated, if they
have no more than 8 million steps; of more only the plans of the first rank, one in the middle and the
last are made. The columns: the nodes and ranks, the plan, its simulated time, messages from one node to
another (at most), megabytes that cross, what planning takes a rank, the bytes of a plan; and of the
quickest flat plan the time, how many times longer that is, and the name.
)";

struct Options {
    std::vector<Topology> machines{Topology::parse("node:16 core:16")};
    bool is_cyclic = false;
    std::vector<Kind> kinds{Kind::allreduce};
    std::vector<Bytes> bytes{8};
    Model model;
    bool has_flat = true;
};

Options parse(Words words) {
    Options options;
    for (std::string word; words.next(word);) {
        if (word == "--topology") {
            options.machines.clear();
            for (const std::string& one : split(words.value()))
                options.machines.push_back(Topology::parse(one));
        } else if (word == "--ops") {
            options.kinds.clear();
            for (const std::string& one : split(words.value()))
                options.kinds.push_back(parse_kind(one));
        } else if (word == "--bytes") {
            options.bytes.clear();
            for (const std::string& one : split(words.value()))
                options.bytes.push_back(parse_bytes(one));
        } else if (word == "--cyclic") {
            options.is_cyclic = true;
        } else if (word == "--chosen") {
            options.has_flat = false;
        } else if (word.find('=') != std::string::npos) {
            set_constant(options.model, word);
        } else {
            throw std::invalid_argument("'" + word + "' is no option");
        }
    }
    return options;
}

std::size_t bytes_of(const Plan& plan) {
    return plan.steps.size() * sizeof(plan::Step) + plan.edges.size() * sizeof(plan::StepId) +
           plan.copies.size() * sizeof(plan::Copy);
}

// The quickest plan that knows no nodes.
struct Flat {
    double us = 0; // 0: none is known
    std::string_view name = "-";
};

// A line of the table.
class Trial {
  public:
    Trial(const Topology& machine, const Nodes& nodes, Kind kind, Bytes bytes, const Model& model)
        : machine_(machine), kind_(kind), bytes_(bytes),
          planning_(kind, nodes, machine.cores(), bytes, model) {}

    void print(bool has_flat) const;

  private:
    // Of one rank; says what it has taken.
    Plan plan(const Solver& solver, int rank, double& us) const;
    std::optional<plan::Simulated> simulated(const Solver& solver) const;
    Flat best_of_flat() const;

    const Topology& machine_;
    Kind kind_;
    Bytes bytes_;
    Planning planning_;
};

Plan Trial::plan(const Solver& solver, int rank, double& us) const {
    using Clock = std::chrono::steady_clock;
    const plan::Problem problem = planning_.problem(rank);
    const auto begin = Clock::now();
    Plan plan = planning_.plan(solver, problem);
    us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    return plan;
}

std::optional<plan::Simulated> Trial::simulated(const Solver& solver) const {
    const auto plans = planning_.plans(solver);
    return plans ? planning_.simulated(*plans) : std::nullopt;
}

bool is_flat(const Solver& solver) {
    return !solver.name.ends_with("_two_level") && !solver.name.ends_with("_lanes") &&
           !solver.name.ends_with("_node_aware") && !solver.name.ends_with("_local_bruck");
}

Flat Trial::best_of_flat() const {
    Flat best;
    for (const Solver* solver : plan::catalogue()) {
        if (solver->kind != kind_ || !is_flat(*solver) || !solver->applicable(planning_.shape()))
            continue;
        const auto found = simulated(*solver);
        if (found && (best.us == 0 || found->us < best.us)) best = {found->us, solver->name};
    }
    return best;
}

void Trial::print(bool has_flat) const {
    const Solver& solver = planning_.chosen();
    const int last = machine_.cores() - 1;
    double slowest = 0;
    std::size_t largest = 0;
    for (const int rank : {0, last / 2, last}) {
        double first = 0, us = 0; // the first warms up
        plan(solver, rank, first);
        largest = std::max(largest, bytes_of(plan(solver, rank, us)));
        slowest = std::max(slowest, std::min(first, us));
    }
    std::printf("%-14s %8lld %8d %8d  %-26s", std::string(name(kind_)).c_str(),
                static_cast<long long>(bytes_), machine_.nodes(), machine_.cores(),
                std::string(solver.name).c_str());
    const auto found = simulated(solver);
    const Flat flat = has_flat && found ? best_of_flat() : Flat{};
    found ? std::printf(" %10.1f", found->us) : std::printf(" %10s", "-");
    found ? std::printf(" %6d %9.2f", found->messages, static_cast<double>(found->crossing) * 1e-6)
          : std::printf(" %6s %9s", "-", "-");
    std::printf(" %9.1f %9zu", slowest, largest);
    flat.us > 0 ? std::printf(" %10.1f %6.2f", flat.us, flat.us / found->us)
                : std::printf(" %10s %6s", "-", "-");
    std::printf("  %s\n", std::string(flat.name).c_str());
    std::fflush(stdout);
}

int print_table(const Options& options) {
    std::printf("%-14s %8s %8s %8s  %-26s %10s %6s %9s %9s %9s %10s %6s  %s\n", "operation",
                "bytes", "nodes", "ranks", "plan", "us", "pair", "MB across", "plan us", "plan B",
                "flat us", "ratio", "flat plan");
    std::vector<Nodes> nodes;
    nodes.reserve(options.machines.size());
    for (const Topology& machine : options.machines)
        nodes.push_back(machine.placement(options.is_cyclic));
    for (const Kind kind : options.kinds)
        for (const Bytes bytes : options.bytes)
            for (std::size_t i = 0; i < nodes.size(); ++i)
                Trial(options.machines[i], nodes[i], kind, bytes, options.model)
                    .print(options.has_flat);
    return 0;
}

int run(int count, char** words) {
    const std::string first = count > 1 ? words[1] : "";
    if (first == "--help") return std::fputs(usage, stdout) < 0;
    if (first == "plan") return plan_command(Words(count - 1, words + 1));
    return print_table(parse(Words(count, words)));
}

} // namespace
} // namespace mpix::simulate

int main(int count, char** words) try {
    return mpix::simulate::run(count, words);
} catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "mpix-simulate: %s (--help says more)\n", error.what());
    return 2;
}
