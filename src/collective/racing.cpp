// SPDX-License-Identifier: BSD-3-Clause
//
// The host's part of an operation's first rounds has a communicator of its own, on which the ranks
// also compare their times.
#include "collective/racing.hpp"

#include "base/settings.hpp"
#include "comm/exchange.hpp"
#include "comm/wisdom.hpp"

#include <climits>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpix::collective {
namespace {

using comm::RaceResults;
using plan::Collective;
using progress::HostRace;
using progress::RaceTimes;

// Within a node what is shorter is left to the plan, which has no communicator to make.
constexpr double least_us = 8;

// What its largest block tells is not all there is to tell of it.
bool is_typical(const Arguments& arguments, const plan::Shape& shape) {
    return shape.kind != plan::Kind::neighbor && arguments.collective != Collective::alltoallv &&
           arguments.collective != Collective::alltoallw;
}

// What has to be told of an outcome, and to whom.
struct Report {
    std::shared_ptr<comm::Communicator> communicator;
    plan::Call call;
    plan::Shape shape;
    bool is_typical;
    std::vector<std::string_view> ways; // literals

    // Below the host's progress: nothing is thrown.
    void operator()(const RaceTimes& times, std::size_t taken) const noexcept {
        try {
            if (communicator->context().rank == 0 &&
                base::is_listed(base::settings().MPIX_VERBOSE, "plan"))
                print(times, taken);
            if (is_typical) note(ways[taken]);
        } catch (const std::bad_alloc&) { // it is raced again
        }
    }

  private:
    void note(std::string_view taken) const {
        const RaceResults::About about(call.collective, shape.largest);
        const comm::RequestedSolver solver = comm::find_requested_solver(taken);
        communicator->context().race_results().note(about, solver);
        comm::learn(about, shape.ranks, shape.one_node, comm::solver_of(solver));
    }
    void print(const RaceTimes& times, std::size_t taken) const {
        const std::string text = to_text(times, ways, taken);
        std::fprintf(stderr, "mpix: %s of %lld B %s: %s\n", name(call),
                     static_cast<long long>(shape.largest),
                     shape.one_node ? "within the node" : "between nodes", text.c_str());
    }
};

} // namespace

bool may_race(const comm::Context& context, const Arguments& arguments, const plan::Shape& shape,
              double expected_us) {
    const base::Settings& settings = base::settings();
    return settings.MPIX_RACE > 0 && settings.MPIX_MEASURE && !arguments.is_partitioned &&
           shape.ranks > 1 && !context.is_inter && shape.order == plan::Order::free &&
           (!shape.one_node || expected_us >= least_us);
}

bool may_race_host(const comm::Context& context, const Arguments& arguments, std::int64_t widest) {
    return !arguments.moves && widest <= INT_MAX && context.race_results().may_delegate();
}

std::optional<comm::RequestedSolver>
quickest(const comm::Context& context, const Arguments& arguments, const plan::Shape& shape) {
    if (!is_typical(arguments, shape)) return std::nullopt;
    return context.race_results().quickest({arguments.collective, shape.largest});
}

RaceResults::Place take_place(comm::Context& context, const Arguments& arguments,
                              const plan::Shape& shape) {
    RaceResults::Place place = context.race_results().take_place();
    if (!is_typical(arguments, shape)) place.keep();
    return place;
}

std::unique_ptr<HostRace> make_race(const std::shared_ptr<comm::Communicator>& communicator,
                                    const Arguments& arguments, const plan::Shape& shape,
                                    const plan::Plan& plan,
                                    const std::shared_ptr<comm::Shadow>& ranks) {
    Report report{communicator, arguments.call(), shape, is_typical(arguments, shape), {}};
    for (std::size_t way = 0; way < plan.ways(); ++way) report.ways.push_back(plan.solver_of(way));
    const auto compare = [ranks](RaceTimes& times, MPI_Request* request) {
        return comm::persist([&] {
            return HOST(Iallreduce)(MPI_IN_PLACE, times.data(), RaceTimes::count, MPI_DOUBLE,
                                    MPI_MAX, ranks->comm, request);
        });
    };
    const plan::Model model = communicator->context().selection().model(shape); // alike on all
    const bool may_pile_up = static_cast<double>(shape.largest) < model.eager_bytes;
    const progress::RaceRules rules =
        progress::rules(shape, plan.expected_us, may_pile_up, base::settings().MPIX_RACE);
    return std::make_unique<HostRace>(rules, plan.ways(), compare, std::move(report));
}

} // namespace mpix::collective
