// SPDX-License-Identifier: BSD-3-Clause
#include "plan_command.hpp"

#include "drawing.hpp"
#include "plan/topology.hpp"
#include "planning.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace mpix::simulate {
namespace {

using markup::Element;
using plan::Bytes;
using plan::Kind;
using plan::Plan;
using plan::Topology;

constexpr const char* usage = R"(usage: mpix-simulate plan [option...] [CONSTANT=VALUE...]

One plan of all its ranks, without MPI: as a picture, ranks over simulated time, or else as text, as
MPIX_VERBOSE=plan:all prints it.

  --op NAME        barrier, bcast, gather, scatter, allgather, alltoall, reduce, allreduce,
                   reduce_scatter, scan, exscan (default allreduce)
  --bytes N        of a block, or of the vector of a reduction; K and M are understood (default 8)
  --ranks N        up to 64
  --nodes N, NxM   so many nodes, of M ranks each (default 1)
  --topology TEXT  instead of both: levels and their numbers, as "node:2 socket:2 core:4"
  --cyclic         ranks are dealt to the nodes in turn
  --solver NAME    instead of what the planner chooses
  --svg FILE       draws it; whoever shows the picture says more of what the pointer is on
  --html FILE      the same on a page, with the text

Constants of the machine are those of MPIX_TUNING: latency=1.5 overhead=0.2 ... (docs/tuning.md).
Returns 0; 1 if FILE cannot be written; 2 for a wrong command line.
)";

constexpr int most_ranks = 64; // that can be told apart

[[noreturn]] void reject(const std::string& reason) { throw std::invalid_argument(reason); }

struct Options {
    Kind kind = Kind::allreduce;
    Bytes bytes = 8;
    int ranks = 0, nodes = 0, mates = 0; // 0: not said
    std::string topology, solver, svg, html;
    bool is_cyclic = false, wants_help = false;
    plan::Model model;
};

void parse_nodes(const std::string& text, Options& options) {
    const auto cross = text.find('x');
    options.nodes = parse_number(text.substr(0, cross));
    if (cross != text.npos) options.mates = parse_number(text.substr(cross + 1));
}

void parse(const std::string& word, Words& words, Options& options) {
    if (word == "--op")
        options.kind = parse_kind(words.value());
    else if (word == "--bytes")
        options.bytes = parse_bytes(words.value());
    else if (word == "--ranks")
        options.ranks = parse_number(words.value());
    else if (word == "--nodes")
        parse_nodes(words.value(), options);
    else if (word == "--topology")
        options.topology = words.value();
    else if (word == "--cyclic")
        options.is_cyclic = true;
    else if (word == "--solver")
        options.solver = words.value();
    else if (word == "--svg")
        options.svg = words.value();
    else if (word == "--html")
        options.html = words.value();
    else if (word == "--help")
        options.wants_help = true;
    else if (word.find('=') != std::string::npos)
        set_constant(options.model, word);
    else
        reject("'" + word + "' is no option");
}

Topology machine_of(const Options& options) {
    if (!options.topology.empty()) {
        if (options.ranks > 0 || options.nodes > 0)
            reject("--topology says already how many ranks and nodes there are");
        return Topology::parse(options.topology);
    }
    const int nodes = std::max(options.nodes, 1);
    if (options.ranks == 0 && options.mates == 0)
        reject("how many ranks? --ranks, --nodes NxM or --topology says so");
    if (options.mates == 0 && options.ranks % nodes != 0)
        reject(std::to_string(options.ranks) + " ranks do not divide among " +
               std::to_string(nodes) + " nodes");
    const int mates = options.mates > 0 ? options.mates : options.ranks / nodes;
    if (options.ranks > 0 && options.ranks != nodes * mates)
        reject(std::to_string(nodes) + " nodes of " + std::to_string(mates) + " have not " +
               std::to_string(options.ranks) + " ranks");
    return Topology::parse("node:" + std::to_string(nodes) + " core:" + std::to_string(mates));
}

const plan::Solver& solver_of(const Options& options, const Planning& planning) {
    if (options.solver.empty()) return planning.chosen();
    const plan::Solver* const solver = plan::find_solver(options.solver);
    const std::string operation(name(options.kind));
    if (!solver) reject("'" + options.solver + "' is no solver");
    if (solver->kind != options.kind) reject(options.solver + " is no solver of " + operation);
    if (!solver->applicable(planning.shape()))
        reject(options.solver + " does not apply to this " + operation);
    return *solver;
}

std::string size_text(Bytes bytes) {
    if (bytes % (1 << 20) == 0) return std::to_string(bytes >> 20) + " MiB";
    if (bytes % (1 << 10) == 0) return std::to_string(bytes >> 10) + " KiB";
    return std::to_string(bytes) + " B";
}

// "allreduce of 64 KiB, 8 ranks on 2 nodes: allreduce_lanes, 31.0 us, 29.4 us expected"
std::string title_of(const Options& options, const Topology& machine, const Plan& plan, double us) {
    std::ostringstream text;
    text << name(options.kind);
    if (options.kind != Kind::barrier) text << " of " << size_text(options.bytes);
    text << ", " << machine.cores() << (machine.cores() == 1 ? " rank" : " ranks") << " on "
         << machine.nodes() << (machine.nodes() == 1 ? " node: " : " nodes: ") << plan.solver
         << std::fixed;
    text.precision(1);
    text << ", " << us << " us simulated, " << plan.expected_us << " us expected";
    return text.str();
}

// A plan's lines but the first.
std::vector<std::string> steps_of(const std::string& text) {
    std::vector<std::string> steps;
    std::istringstream lines(text);
    std::string one;
    for (std::getline(lines, one); std::getline(lines, one);)
        steps.push_back(one.substr(one.find_first_not_of(' ')));
    return steps;
}

Element page_of(const Shown& shown, const std::vector<std::string>& texts) {
    Element head("head"), body("body");
    head.add(Element("meta").set("charset", "utf-8")).add(Element("title").say(shown.title));
    head.add(Element("style").say(markup::page_style));
    body.add(draw(shown));
    body.add(
        Element("p").say("Point at a box or an arrow: it says the step or the message, and when."));
    for (std::size_t rank = 0; rank < texts.size(); ++rank)
        body.add(Element("details")
                     .add(Element("summary").say("rank " + std::to_string(rank)))
                     .add(Element("pre").say(texts[rank])));
    return Element("html").set("lang", "en").add(head).add(body);
}

bool save(const std::string& file, const Element& root) {
    if (markup::write(file, root)) return true;
    std::fprintf(stderr, "mpix-simulate: cannot write %s\n", file.c_str());
    return false;
}

int run(const Options& options) {
    const Topology machine = machine_of(options);
    if (machine.cores() > most_ranks)
        reject(std::to_string(machine.cores()) +
               " ranks are too many to be told apart: " + std::to_string(most_ranks) + " at most");
    const plan::Nodes nodes = machine.placement(options.is_cyclic);
    const Planning planning(options.kind, nodes, machine.cores(), options.bytes, options.model);
    const auto plans = planning.plans(solver_of(options, planning)).value();
    std::vector<std::string> texts;
    for (int rank = 0; rank < machine.cores(); ++rank)
        texts.push_back(to_text(plans[static_cast<std::size_t>(rank)], planning.problem(rank)));
    if (options.svg.empty() && options.html.empty())
        for (const std::string& text : texts) std::fputs(text.c_str(), stdout);
    plan::Timeline timeline;
    const double us = planning.simulated(plans, &timeline).value().us;
    Shown shown{title_of(options, machine, plans[0], us), nodes, plans, {}, timeline, us};
    for (const std::string& text : texts) shown.texts.push_back(steps_of(text));
    if (!options.svg.empty() && !save(options.svg, draw(shown))) return 1;
    if (!options.html.empty() && !save(options.html, page_of(shown, texts))) return 1;
    return 0;
}

} // namespace

int plan_command(Words words) {
    Options options;
    for (std::string word; words.next(word);) parse(word, words, options);
    if (options.wants_help) return std::fputs(usage, stdout) < 0;
    return run(options);
}

} // namespace mpix::simulate
