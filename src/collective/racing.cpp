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
    const plan::Solver* solver;
    bool is_typical;

    // Below the host's progress: nothing is thrown.
    void operator()(const RaceTimes& times) const noexcept {
        if (communicator->context().rank == 0 &&
            base::is_listed(base::settings().MPIX_VERBOSE, "plan"))
            print(times);
        try {
            if (is_typical) note(times.is_host_quicker());
        } catch (const std::bad_alloc&) { // it is raced again
        }
    }

  private:
    void note(bool is_host_quicker) const {
        const RaceResults::About about(call.collective, shape.largest);
        communicator->context().race_results().note(about, is_host_quicker);
        comm::learn({.collective = call.collective,
                     .ranks = {shape.ranks, shape.ranks},
                     .bytes = {about.least(), about.most()},
                     .one_node = shape.one_node,
                     .solver = is_host_quicker ? nullptr : solver});
    }
    void print(const RaceTimes& times) const {
        const std::string plan(solver->name);
        std::fprintf(
            stderr,
            "mpix: %s of %lld B %s: a round by %s takes %.1f us, by the host %.1f us; taken: %s\n",
            name(call), static_cast<long long>(shape.largest),
            shape.one_node ? "within the node" : "between nodes", plan.c_str(), times.plan_period,
            times.host_period, times.is_host_quicker() ? "the host" : plan.c_str());
    }
};

} // namespace

bool may_race(const comm::Context& context, const Arguments& arguments, const plan::Shape& shape,
              std::int64_t widest, double expected_us) {
    const base::Settings& settings = base::settings();
    // A plain collective is raced with the host's blocking one instead.
    return settings.MPIX_RACE > 0 && settings.MPIX_MEASURE && !arguments.moves &&
           !arguments.is_partitioned && shape.ranks > 1 && !context.is_inter &&
           shape.order == plan::Order::free && widest <= INT_MAX &&
           (!shape.one_node || expected_us >= least_us) && context.race_results().may_delegate();
}

std::optional<bool> is_host_quicker(const comm::Context& context, const Arguments& arguments,
                                    const plan::Shape& shape) {
    if (!is_typical(arguments, shape)) return std::nullopt;
    return context.race_results().is_host_quicker({arguments.collective, shape.largest});
}

std::unique_ptr<HostRace> make_race(const std::shared_ptr<comm::Communicator>& communicator,
                                    const Arguments& arguments, const plan::Shape& shape,
                                    const plan::Solver& solver,
                                    const std::shared_ptr<comm::Shadow>& ranks) {
    const auto compare = [ranks](RaceTimes& times, MPI_Request* request) {
        return comm::persist([&] {
            return HOST(Iallreduce)(MPI_IN_PLACE, times.data(), RaceTimes::count, MPI_DOUBLE,
                                    MPI_MAX, ranks->comm, request);
        });
    };
    return std::make_unique<HostRace>(
        base::settings().MPIX_RACE, compare,
        Report{communicator, arguments.call(), shape, &solver, is_typical(arguments, shape)});
}

} // namespace mpix::collective
