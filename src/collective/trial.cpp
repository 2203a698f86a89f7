// SPDX-License-Identifier: BSD-3-Clause
//
// The memory of a trial, its rounds, and what they say. Ranks begin each round together and learn
// the longest time of any: so all of them see the same times, and stop and choose alike.
#include "collective/trial.hpp"

#include "base/settings.hpp"
#include "collective/all_or_none.hpp"
#include "progress/engine.hpp"
#include "progress/waiting.hpp"

#include <boost/container/static_vector.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

namespace mpix::collective {
namespace {

using plan::Bytes;
using plan::Collective;
using progress::Operation;

constexpr Bytes most_bytes = 4 << 20;              // of a buffer: what takes longer is not tried
constexpr double most_us = 10000;                  // of all rounds, but for the least number
constexpr int fewest_rounds = 4, most_rounds = 12; // the first is for connections
// The host has to be so much quicker: what is near is left to the plan, which needs no
// communicator.
constexpr double clearly = 0.85;
constexpr double never = std::numeric_limits<double>::max();

Bytes bytes_of_buffer(const plan::Shape& shape) {
    return std::max(shape.total, shape.largest * shape.ranks);
}

double time_round(Operation& operation) {
    const auto begin = std::chrono::steady_clock::now();
    {
        const progress::Engine::Guard guard(progress::engine());
        progress::engine().start(operation);
    }
    progress::wait_until([&] { return operation.state() == Operation::State::complete; });
    if (operation.finish() != MPI_SUCCESS) return never;
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
        .count();
}

class Times {
  public:
    void add(double us) { all_.push_back(us); }
    double least() const { return *std::min_element(all_.begin(), all_.end()); }
    double median() const {
        auto sorted = all_;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }

  private:
    boost::container::static_vector<double, most_rounds> all_;
};

struct Result {
    double plan_us = never, host_us = never;
    bool is_host_quicker = false;
};

// Where others disturb it, one of the two numbers shows it.
Result judge(const Times& plan, const Times& host) {
    return {.plan_us = plan.median(),
            .host_us = host.median(),
            .is_host_quicker =
                host.median() < clearly * plan.median() && host.least() < clearly * plan.least()};
}

Result race(comm::Context& context, Operation& plan, Operation& host) {
    Times of_plan, of_host;
    double spent = 0;
    for (int round = 0; round < most_rounds && (round < fewest_rounds || spent < most_us);
         ++round) {
        const double plan_us = longest(context, time_round(plan));
        const double host_us = longest(context, time_round(host));
        if (plan_us == never || host_us == never) return {};
        spent += plan_us + host_us;
        if (round == 0) continue;
        of_plan.add(plan_us);
        of_host.add(host_us);
    }
    return judge(of_plan, of_host);
}

// Those of the program with memory of ours, and blocks of the largest size.
class TrialArguments {
  public:
    TrialArguments(const Arguments& of, const plan::Shape& shape, std::vector<std::byte>& room) {
        made_.collective = of.collective;
        made_.op = of.op;
        made_.root = of.root;
        made_.comm = of.comm;
        made_.over_host = of.over_host;
        made_.is_trial = true;
        const Side& given = of.recv.types.empty() ? of.send : of.recv;
        const bool reduces = of.op != MPI_OP_NULL;
        const MPI_Datatype type = reduces ? given.type(0) : MPI_BYTE;
        const Bytes count = reduces ? shape.largest / shape.grain : shape.largest;
        fill(made_.send, of.send, type, count, room.data());
        fill(made_.recv, of.recv, type, count, room.data() + room.size() / 2);
        if (of.send.in_place && kind(of.collective) == plan::Kind::reduce_scatter)
            made_.send.counts = made_.recv.counts;
    }

    const Arguments& with(std::string_view solver) {
        made_.requested_solver = comm::find_requested_solver(solver);
        return made_;
    }

  private:
    static void fill(Side& side, const Side& of, MPI_Datatype type, Bytes count, std::byte* room) {
        if (of.counts.empty() && !of.in_place) return; // it is not significant here
        side.buffer = room;
        side.types.assign(1, type);
        side.counts.assign(std::max<std::size_t>(of.counts.size(), 1), count);
        for (std::size_t i = 0; i < of.displacements.size(); ++i)
            side.displacements.push_back(static_cast<Bytes>(i) * count);
    }

    Arguments made_;
};

// One of the ranks says it, where plans are printed.
void tell(const Arguments& arguments, const plan::Shape& shape, const plan::Solver& solver,
          const Result& result) {
    const std::string_view taken = result.is_host_quicker ? "the host" : solver.name;
    std::fprintf(stderr,
                 "mpix: %s of %lld B between nodes: %.*s takes %.1f us, the host %.1f us; taken: "
                 "%.*s\n",
                 name(arguments.call()), static_cast<long long>(shape.largest),
                 static_cast<int>(solver.name.size()), solver.name.data(), result.plan_us,
                 result.host_us, static_cast<int>(taken.size()), taken.data());
}

} // namespace

bool Trial::applies() const {
    const bool is_known_to_all = shape_.kind != plan::Kind::neighbor &&
                                 arguments_.collective != Collective::alltoallv &&
                                 arguments_.collective != Collective::alltoallw;
    // A plain collective is raced with the host's blocking one instead.
    return !arguments_.is_trial && !arguments_.moves && !shape_.one_node && shape_.ranks > 1 &&
           !context_.is_inter && is_known_to_all && context_.selection().may_time(shape_) &&
           context_.host_trials().may_delegate() && bytes_of_buffer(shape_) <= most_bytes;
}

void Trial::run(const plan::Solver& solver, Make make) {
    std::vector<std::byte> room;
    const bool has_room = [&] {
        try {
            // Types may have gaps, of no more than what they hold.
            room.resize(static_cast<std::size_t>(std::max<Bytes>(4 * bytes_of_buffer(shape_), 8)));
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }();
    Result result;
    if (longest(context_, has_room ? 0 : 1) == 0) {
        TrialArguments arguments(arguments_, shape_, room);
        const auto of = [&](std::string_view way) {
            return made_by_all(context_, [&] { return make(arguments.with(way)); });
        };
        const std::unique_ptr<Operation> plan = of(solver.name);
        const std::unique_ptr<Operation> host = plan ? of("delegate") : nullptr;
        if (plan && host) result = race(context_, *plan, *host);
    }
    context_.host_trials().note(about_, result.is_host_quicker);
    if (context_.rank == 0 && result.plan_us < never &&
        base::is_listed(base::settings().MPIX_VERBOSE, "plan"))
        tell(arguments_, shape_, solver, result);
}

} // namespace mpix::collective
