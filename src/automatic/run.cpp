// SPDX-License-Identifier: BSD-3-Clause
//
// Moving the plan to the buffers of the call, running it, and racing it with the host.
#include "automatic/run.hpp"

#include "automatic/data.hpp"
#include "automatic/making.hpp"
#include "base/settings.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange.hpp"
#include "comm/wisdom.hpp"
#include "host/device_memory.hpp"
#include "progress/engine.hpp"
#include "progress/quick_rounds.hpp"
#include "progress/waiting.hpp"

#include <cstdio>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpix::automatic {
namespace {

using plan::Collective;
using progress::Engine;
using progress::Operation;
using progress::Places;
using progress::RaceTimes;
using State = Operation::State;

int start_and_wait(Operation& operation) {
    Engine& engine = progress::engine();
    if (!engine.is_threaded() && operation.may_begin_wave()) {
        engine.start_wave(operation);
        progress::wait_for_wave(operation);
        return operation.finish();
    }
    {
        const Engine::Guard guard(engine);
        engine.start(operation);
    }
    progress::wait_until([&] { return operation.state() != State::active; },
                         progress::manner_of(operation));
    return operation.finish();
}

// Without memory it is not told.
void tell(const Entry& entry, const RaceTimes& times, std::size_t taken) noexcept try {
    std::vector<std::string_view> ways = entry.plan->operation->plan().solvers();
    ways.push_back(plan::name(plan::Action::delegate));
    const std::string name(plan::short_name(entry.key.collective)),
        text = to_text(times, ways, taken);
    std::fprintf(stderr, "mpix: plain %s of %lld B: %s\n", name.c_str(),
                 static_cast<long long>(entry.key.bytes), text.c_str());
} catch (const std::bad_alloc&) {}

// Which of several solvers has won, where one number of bytes tells all about the call. Where that
// fails it is raced again in the next run.
void learn(const CommunicatorPlans& on, const Entry& entry, std::size_t taken) noexcept try {
    const plan::Plan& plan = entry.plan->operation->plan();
    const Collective collective = entry.key.collective;
    if (plan.ways() < 2 || plan::is_neighbor(collective) || collective == Collective::allgatherv ||
        collective == Collective::reduce_scatter)
        return;
    const bool one_node = comm::Communicator::of(on.comm)->context().node_peers().everyone();
    const Engine::Guard guard(progress::engine());
    comm::learn({collective, entry.key.bytes}, on.ranks, one_node,
                plan::find_solver(plan.solver_of(taken)));
} catch (const host::Failure&) {
} catch (const std::bad_alloc&) {}

// Finds the largest that any rank has.
const RaceTimes& compare(const CommunicatorPlans& on, Planned& planned, const RaceTimes& own) {
    planned.times = own;
    comm::combine(comm::Communicator::of(on.comm)->context().all_ranks(), planned.times.data(),
                  RaceTimes::count, MPI_DOUBLE, MPI_MAX);
    return planned.times;
}

void meet(const CommunicatorPlans& on, Planned& planned) {
    compare(on, planned, {});
    planned.race->have_met();
}

// Nothing that differs between ranks decides.
void conclude(const CommunicatorPlans& on, Entry& entry) {
    const std::unique_ptr<Race> race = std::move(entry.plan->race);
    const RaceTimes& times = compare(on, *entry.plan, race->times());
    const std::size_t taken = race->winner(times);
    if (on.rank == 0 && base::is_listed(base::settings().MPIX_VERBOSE, "plan"))
        tell(entry, times, taken);
    if (taken == race->host()) {
        entry.plan = nullptr;
    } else {
        entry.plan->keep(taken);
        learn(on, entry, taken);
    }
}

int run(CommunicatorPlans& on, Planned& planned, const Invocation& call) {
    planned.wait_for_calls();
    if (planned.race) planned.operation->take_way(planned.race->next());
    const Data data(call, planned.places, on.copies);
    data.prepare();
    planned.move(data.places());
    const int code = start_and_wait(*planned.operation);
    if (code == MPI_SUCCESS) data.conclude();
    return code;
}

int run(CommunicatorPlans& on, Entry& entry, const Invocation& call) {
    if (entry.plan && entry.plan->race && entry.plan->race->is_over()) conclude(on, entry);
    if (!entry.plan) return left_to_host;
    Race* const race = entry.plan->race.get();
    if (!race) return run(on, *entry.plan, call);
    if (race->have_to_meet()) meet(on, *entry.plan);
    race->begin();
    if (race->next() == race->host()) {
        on.host_race = race;
        return raced_by_host;
    }
    const int code = run(on, *entry.plan, call);
    race->end();
    return code;
}

bool is_device_memory(const std::optional<std::byte*>& place,
                      const std::optional<std::byte*>& before) {
    return place && place != before && host::is_device_memory(*place);
}

} // namespace

int run(CommunicatorPlans& on, const Invocation& call) {
    Entry* const entry = find_or_make(on, call);
    return entry ? run(on, *entry, call) : left_to_host;
}

int run(CommunicatorPlans& on, const Invocation& call, const RawArguments& arguments) {
    Entry* const entry = find_or_make(on, call);
    if (!entry) return left_to_host;
    const int code = run(on, *entry, call);
    if (call.is_simple() && !(entry->plan && entry->plan->race))
        on.latest_calls[static_cast<std::size_t>(call.key.collective)].note(arguments, call,
                                                                            *entry);
    return code;
}

void end_host_call(MPI_Comm comm) {
    CommunicatorPlans* const on = find_plans(comm);
    if (on && on->host_race) std::exchange(on->host_race, nullptr)->end();
}

int run_again(CommunicatorPlans& on, Collective collective, const RawArguments& arguments) {
    const LatestCall& latest = on.latest_calls[static_cast<std::size_t>(collective)];
    Entry* const entry = latest.find(arguments);
    if (!entry) return not_remembered;
    if (!entry->plan) { // in place it is another call
        if (!latest.places(arguments)) return not_remembered;
        on.cache.use(entry);
        return left_to_host;
    }
    Planned& planned = *entry->plan;
    planned.wait_for_calls();
    if (!planned.is_for(arguments)) {
        const std::optional<Places> places = latest.places(arguments);
        if (!places || is_device_memory(places->send, planned.places.send) ||
            is_device_memory(places->recv, planned.places.recv))
            return not_remembered;
        planned.move(*places);
        planned.given_send = arguments.send;
        planned.given_recv = arguments.recv;
    }
    on.cache.use(entry);
    return start_and_wait(*planned.operation);
}

} // namespace mpix::automatic
