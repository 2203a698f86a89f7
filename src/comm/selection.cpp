// SPDX-License-Identifier: BSD-3-Clause
//
// Reading the table of MPIX_TUNING, comparing what ranks have, and choosing.
#include "comm/selection.hpp"

#include "base/settings.hpp"
#include "host/host.hpp"
#include "plan/planner.hpp"
#include "plan/tuning.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace mpix::comm {
namespace {

// What a message within the node takes beside the way of its number to the other process.
constexpr double software_us = 0.05;

// What nodes are mostly found to cost, for what may depend on nothing that is measured.
constexpr shmem::Costs usual{.is_measured = true,
                             .latency = 0.15,
                             .cached = {0, 1.0 / 10000},
                             .streamed = {0.3, 1.0 / 14000},
                             .copy = 1.0 / 16000,
                             .reduce = 1.0 / 16000};

// Powers of two: then most runs on one machine choose alike.
double rounded(double cost) { return cost > 0 ? std::exp2(std::round(std::log2(cost))) : 0; }

void apply(const NetworkCosts& network, plan::Model& model) {
    if (!network.is_there) return;
    model.latency_us = rounded(network.latency);
    model.overhead_us = rounded(network.overhead);
    model.taking_us = rounded(network.taking);
    model.per_byte_us = rounded(network.per_byte);
    model.streams = network.streams;
    model.rendezvous_us = rounded(network.rendezvous);
    model.eager_bytes = network.eager;
}

// One of the processes on a node speaks for them.
void report(const std::string& what) {
    if (host::rank_on_node() == 0)
        std::fprintf(stderr, "mpix: MPIX_TUNING=%s is ignored: %s\n",
                     base::settings().MPIX_TUNING.c_str(), what.c_str());
}

// Nothing if it cannot be read; errno then says why.
std::optional<std::string> contents(const std::string& name) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "r"),
                                                               std::fclose);
    if (!file) return std::nullopt;
    std::string text;
    char block[4096];
    while (const std::size_t count = std::fread(block, 1, sizeof block, file.get()))
        text.append(block, count);
    if (std::ferror(file.get())) return std::nullopt;
    return text;
}

plan::Tuning read_file(const std::string& name) {
    const auto text = contents(name);
    if (!text) {
        report(std::string("cannot be read: ") + std::strerror(errno));
        return {};
    }
    try {
        return plan::parse_tuning(*text);
    } catch (const plan::Malformed& malformed) {
        report("line " + std::to_string(malformed.line) + ": " + malformed.reason);
        return {};
    }
}

const plan::Tuning& table() {
    const std::string& name = base::settings().MPIX_TUNING;
    static const plan::Tuning& read =
        *new plan::Tuning(name.empty() ? plan::Tuning{} : read_file(name));
    return read; // never destroyed
}

// FNV-1a.
std::uint64_t fingerprint(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char character : text)
        hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3u;
    return hash;
}

void check_plan() {
    if (host::rank_on_node() != 0) return;
    base::all_listed(base::settings().MPIX_PLAN, [](std::string_view word) {
        if (!word.empty() && find_requested_solver(word) == no_requested_solver)
            std::fprintf(stderr, "mpix: %.*s in MPIX_PLAN is ignored: it is no solver\n",
                         static_cast<int>(word.size()), word.data());
        return true;
    });
}

void report_difference(const char* variable, std::atomic_flag& is_reported) {
    if (!is_reported.test_and_set())
        std::fprintf(stderr, "mpix: %s is ignored where ranks of a communicator have it differ\n",
                     variable);
}

// Among solvers that MPIX_PLAN names for this kind; null if there are none.
const plan::Solver* choose_named(const plan::Shape& shape, const plan::Model& model) {
    return plan::choose(shape, model, [](const plan::Solver& solver) {
        return base::is_listed(base::settings().MPIX_PLAN, solver.name);
    });
}

} // namespace

RequestedSolver find_requested_solver(std::string_view name) {
    if (name == "delegate") return delegation;
    const auto all = plan::catalogue();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i]->name == name) return static_cast<RequestedSolver>(i) + 1;
    return no_requested_solver;
}

std::string_view name_of(RequestedSolver requested_solver) {
    if (requested_solver == no_requested_solver) return "none";
    if (requested_solver == delegation) return "delegate";
    return solver_of(requested_solver)->name;
}

const plan::Solver* solver_of(RequestedSolver requested_solver) {
    if (requested_solver == delegation) return nullptr;
    return plan::catalogue()[static_cast<std::size_t>(requested_solver - 1)];
}

Fingerprints Fingerprints::own() {
    static const Fingerprints own{
        fingerprint(base::settings().MPIX_PLAN), fingerprint(to_text(table())),
        base::settings().MPIX_STATS.is_wanted(), base::settings().MPIX_REPRODUCIBLE};
    return own;
}

void Selection::settle(const AllFingerprints& fingerprints, const shmem::Costs& costs,
                       const NetworkCosts& network, const NetworkCosts& usual_network,
                       bool reports) {
    costs_ = costs;
    network_ = network;
    usual_network_ = usual_network;
    static std::atomic_flag is_plan_reported{}, is_tuning_reported{}, is_bits_reported{};
    has_plan_ = fingerprints.is_alike(&Fingerprints::plan);
    has_tuning_ = fingerprints.is_alike(&Fingerprints::tuning);
    is_reproducible_ = fingerprints.any.reproducible != 0;
    all_count_ =
        base::settings().MPIX_STATS.is_wanted() && fingerprints.is_alike(&Fingerprints::statistics);
    if (!reports) return;
    if (!has_plan_) report_difference("MPIX_PLAN", is_plan_reported);
    if (!has_tuning_) report_difference("MPIX_TUNING", is_tuning_reported);
    if (!fingerprints.is_alike(&Fingerprints::reproducible) && !is_bits_reported.test_and_set())
        std::fputs("mpix: MPIX_REPRODUCIBLE=1 of one rank holds for all of its communicator\n",
                   stderr);
}

void Selection::limit_order(plan::Shape& shape, bool shows) const {
    if (!shows) return;
    shape.order = is_reproducible_ ? plan::Order::fixed : plan::Order::repeated;
    if (is_reproducible_) shape.commutative = false;
}

plan::Model Selection::model(const plan::Shape& shape) const {
    const bool may_measure = shape.order != plan::Order::repeated;
    // Ranks that take turns have measured nothing.
    const shmem::Costs& costs = may_measure || costs_.is_crowded() ? costs_ : usual;
    plan::Model model;
    if (costs.is_measured) {
        model.copy_us = rounded(costs.copy);
        model.reduce_us = rounded(costs.reduce);
        model.node_per_byte_us = rounded(std::min(costs.cached.per_byte, costs.streamed.per_byte));
    }
    const NetworkCosts& network = network_.is_there ? network_ : usual_network_;
    apply(may_measure ? network : usual_network_, model);
    model.node_latency_us = rounded(costs.latency) + software_us;
    if (costs.socket.latency > 0) {
        model.socket_latency_us = rounded(costs.socket.latency) + software_us;
        model.socket_per_byte_us = rounded(costs.socket.per_byte);
    }
    if (costs.cache.latency > 0) {
        model.cache_latency_us = rounded(costs.cache.latency) + software_us;
        model.cache_per_byte_us = rounded(costs.cache.per_byte);
    }
    model.ranks_per_core = costs.ranks_per_core;
    if (model.is_crowded()) model.crossing = 1; // they do not send all at once
    if (has_tuning_) table().apply_to(model);
    // How messages are cut shows in no result: that may be measured.
    plan::Model as_found = model;
    apply(network, as_found);
    if (has_tuning_) table().apply_to(as_found);
    model.cutting = as_found.quickest_cutting();
    return shape.one_node ? model.within(std::max(shape.locality, plan::Locality::node)) : model;
}

Selection::Choice Selection::choose(plan::Collective collective, const plan::Shape& shape,
                                    RequestedSolver requested_solver) const {
    const plan::Model all_constants = model(shape);
    const bool may_delegate = shape.order != plan::Order::fixed; // the host has its own
    if (has_plan_ && !base::settings().MPIX_PLAN.empty()) {
        if (may_delegate && base::is_listed(base::settings().MPIX_PLAN, "delegate"))
            return {nullptr};
        if (const plan::Solver* named = choose_named(shape, all_constants)) return {named};
    }
    if (requested_solver == delegation && may_delegate) return {nullptr};
    if (requested_solver != no_requested_solver && requested_solver != delegation) {
        const plan::Solver* wished = solver_of(requested_solver);
        if (wished->kind == shape.kind && wished->applicable(shape)) return {wished};
    }
    if (has_tuning_)
        if (const auto tuned = table().choose(collective, shape)) return {*tuned};
    return {plan::choose(shape, all_constants, [](const plan::Solver&) { return true; }), true};
}

void read_choices() {
    static std::once_flag is_checked;
    std::call_once(is_checked, check_plan);
    table();
}
std::string tuning_text() { return to_text(table()); }

} // namespace mpix::comm
