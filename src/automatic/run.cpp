// SPDX-License-Identifier: BSD-3-Clause
//
// Finding or making the plan, moving it to the buffers of the call, and running it. A plan is made
// for buffers of bytes or elements without gaps: whatever else a rank has is copied, which is
// nobody else's affair.
#include "automatic/run.hpp"

#include "base/settings.hpp"
#include "collective/all_or_none.hpp"
#include "collective/init.hpp"
#include "host/device_memory.hpp"
#include "host/failure.hpp"
#include "progress/engine.hpp"
#include "progress/waiting.hpp"

#include <array>
#include <cstdio>
#include <utility>

namespace mpix::automatic {
namespace {

using collective::Arguments;
using collective::Side;
using plan::Collective;
using progress::Engine;
using progress::Operation;
using progress::Places;
using State = Operation::State;

// The host has to be so much quicker: what is near is left to the plan.
constexpr double clearly = 0.95;
// What is shorter takes no longer than to look at the clock, and its ranks run ahead of each other.
constexpr double least_raced_us = 1;

// Open MPI packs nothing of a null buffer, and unpacks nothing behind the last byte.
template<class Each>
void each_run(const Region& region, Each each) {
    if (region.blocks == 0) return region.count > 0 ? each(region.buffer, region.count) : void();
    MPI_Aint lb = 0, extent = 0;
    HOST(Type_get_extent)(region.type, &lb, &extent);
    for (std::size_t i = 0; i < region.blocks; ++i)
        if (region.counts[i] > 0)
            each(region.buffer + region.displacements[i] * extent, region.counts[i]);
}

void gather_to(std::byte* to, const Region& region) {
    int position = 0;
    each_run(region, [&](const std::byte* from, std::int64_t count) {
        host::check(HOST(Pack)(from, static_cast<int>(count), region.type, to,
                               static_cast<int>(region.bytes), &position, host::self()));
    });
}

void scatter_from(const std::byte* from, const Region& region) {
    int position = 0;
    each_run(region, [&](std::byte* to, std::int64_t count) {
        host::check(HOST(Unpack)(from, static_cast<int>(region.bytes), &position, to,
                                 static_cast<int>(count), region.type, host::self()));
    });
}

std::byte* room_in(std::vector<std::byte>& memory, std::int64_t bytes) {
    if (static_cast<std::int64_t>(memory.size()) < bytes)
        memory.resize(static_cast<std::size_t>(bytes));
    return memory.data();
}

// The data of a call where a plan can have them.
class Data {
  public:
    // For a plan that is bound to those places.
    Data(CommunicatorPlans& on, const Invocation& call, const Places& before)
        : call_(call), is_sent_copied_(call.send.is_there &&
                                       (call.sends_copy || needs_copy(call.send, before.send))),
          is_received_copied_(call.recv.is_there &&
                              (call.drops_received || needs_copy(call.recv, before.recv))) {
        if (call.send.is_there)
            places_.send =
                is_sent_copied_ ? room_in(on.send_copy, call.send.bytes) : call.send.buffer;
        if (call.recv.is_there)
            places_.recv =
                is_received_copied_ ? room_in(on.recv_copy, call.recv.bytes) : call.recv.buffer;
    }
    const Places& places() const { return places_; }
    void prepare() const {
        if (is_sent_copied_) gather_to(*places_.send, call_.send);
        if (is_received_copied_ && call_.keeps_received) gather_to(*places_.recv, call_.recv);
    }
    void conclude() const {
        if (is_received_copied_ && !call_.drops_received) scatter_from(*places_.recv, call_.recv);
    }

  private:
    // The host's Pack reaches the memory of a device.
    static bool needs_copy(const Region& region, const std::optional<std::byte*>& before) {
        return !region.is_dense ||
               (before && *before != region.buffer && host::is_device_memory(region.buffer));
    }

    const Invocation& call_;
    const bool is_sent_copied_, is_received_copied_;
    Places places_;
};

void fill(Side& side, const std::optional<std::byte*>& place, MPI_Datatype type,
          std::int64_t count) {
    if (!place) return;
    side.buffer = *place;
    side.types = {type};
    side.counts = {count};
}

// Blocks of all ranks, one after the other.
void fill(Side& side, const std::optional<std::byte*>& place, MPI_Datatype type,
          const Numbers& counts, std::int64_t scale, int ranks) {
    if (!place) return;
    fill(side, place, type, 0);
    side.counts.clear();
    std::int64_t at = 0;
    for (int i = 0; i < ranks; ++i) {
        const std::int64_t count = counts[static_cast<std::size_t>(i)] * scale;
        side.counts.push_back(count);
        side.displacements.push_back(at);
        at += count;
    }
}

Arguments arguments_of(const CommunicatorPlans& on, const Invocation& call, const Places& at) {
    Arguments made;
    const Collective collective = made.collective = call.key.collective;
    made.comm = on.comm;
    made.root = call.key.root;
    made.moves = true;
    made.send.in_place = call.key.in_place;
    if (collective == Collective::bcast) {
        fill(made.recv, at.send ? at.send : at.recv, MPI_BYTE, call.key.bytes);
    } else if (collective == Collective::allgatherv) {
        fill(made.send, at.send, MPI_BYTE, call.send.bytes);
        fill(made.recv, at.recv, MPI_BYTE, call.counts, call.element_size, on.ranks);
    } else if (collective == Collective::reduce_scatter) {
        made.op = call.op;
        fill(made.send, at.send, call.element, call.counts, 1, on.ranks);
        fill(made.recv, at.recv, call.element, call.counts, 1, on.ranks);
        made.send.displacements.clear();
        made.recv.displacements.clear();
    } else if (plan::is_reduction(collective)) {
        made.op = call.op;
        const std::int64_t count = call.key.bytes / call.element_size;
        fill(made.send, at.send, call.element, count);
        fill(made.recv, at.recv, call.element, count);
    } else if (plan::is_neighbor(collective)) { // with no block too a side has a size
        fill(made.send, at.send.value_or(nullptr), MPI_BYTE, call.key.bytes);
        fill(made.recv, at.recv.value_or(nullptr), MPI_BYTE, call.key.bytes);
    } else {
        fill(made.send, at.send, MPI_BYTE, call.key.bytes);
        fill(made.recv, at.recv, MPI_BYTE, call.key.bytes);
    }
    return made;
}

// Null where the host is to do it, on all ranks. Collective.
std::unique_ptr<Planned> make(CommunicatorPlans& on, const Invocation& call) {
    const auto communicator = collective::Communicator::of(on.comm);
    Places at;
    std::unique_ptr<Operation> operation = collective::made_by_all(communicator->context(), [&] {
        at = Data(on, call, {}).places(); // takes memory
        return collective::make_operation(arguments_of(on, call, at));
    });
    if (!operation || operation->is_delegated()) return nullptr;
    const int calls = base::settings().MPIX_RACE;
    const bool is_raced =
        calls > 0 && !call.order_shows && operation->plan().expected_us >= least_raced_us;
    return std::make_unique<Planned>(
        Planned{.operation = std::move(operation),
                .places = at,
                .race = is_raced ? std::make_unique<Race>(calls) : nullptr});
}

void move(Planned& planned, const Places& to) {
    if (planned.places == to) return;
    planned.given_send = planned.given_recv = nullptr;
    planned.places = {}; // it may fail on the way
    planned.operation->move(to);
    planned.places = to;
}

int start_and_wait(Operation& operation) {
    {
        const Engine::Guard guard(progress::engine());
        progress::engine().start(operation);
    }
    progress::wait_until([&] { return operation.state() != State::active; });
    return operation.finish();
}

// Null for a call that is not due.
Entry* find_or_make(CommunicatorPlans& on, const Invocation& call) {
    Entry* entry = on.cache.find(call.key);
    if (!entry && on.cache.is_due(call.key, call.order_shows)) {
        std::unique_ptr<Planned> made = make(on, call);
        for (LatestCall& latest : on.latest_calls) latest.forget(); // its plan may go
        entry = &on.cache.add(call.key, call.order_shows, std::move(made));
    }
    return entry;
}

void tell(const Entry& entry, double plan_us, double host_us, bool is_host_quicker) {
    const std::string solver(entry.plan->operation->plan().solver);
    const std::string name(plan::short_name(entry.key.collective));
    std::fprintf(stderr,
                 "mpix: plain %s of %lld B: %s takes %.2f us, the host %.2f us; taken: %s\n",
                 name.c_str(), static_cast<long long>(entry.key.bytes), solver.c_str(), plan_us,
                 host_us, is_host_quicker ? "the host" : solver.c_str());
}

// Nothing that differs between ranks decides.
void conclude(const CommunicatorPlans& on, Entry& entry) {
    const std::unique_ptr<Race> race = std::move(entry.plan->race);
    // Not on the stack: any thread that moves the host writes it.
    const auto times = std::make_unique<std::array<double, 2>>();
    *times = {race->median(Race::Way::plan), race->median(Race::Way::host)};
    comm::combine(comm::Communicator::of(on.comm)->context().all_ranks(), times->data(), 2,
                  MPI_DOUBLE, MPI_MAX);
    const auto [plan_us, host_us] = *times;
    const bool is_host_quicker = host_us < clearly * plan_us;
    if (on.rank == 0 && base::is_listed(base::settings().MPIX_VERBOSE, "plan"))
        tell(entry, plan_us, host_us, is_host_quicker);
    if (is_host_quicker) entry.plan = nullptr;
}

int run(CommunicatorPlans& on, Planned& planned, const Invocation& call) {
    const Data data(on, call, planned.places);
    data.prepare();
    move(planned, data.places());
    const int code = start_and_wait(*planned.operation);
    if (code == MPI_SUCCESS) data.conclude();
    return code;
}

int run(CommunicatorPlans& on, Entry& entry, const Invocation& call) {
    if (entry.plan && entry.plan->race && entry.plan->race->is_over()) conclude(on, entry);
    if (!entry.plan) return left_to_host;
    Race* const race = entry.plan->race.get();
    if (!race) return run(on, *entry.plan, call);
    race->begin();
    if (race->next() == Race::Way::host) {
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
    if (!planned.is_for(arguments)) {
        const std::optional<Places> places = latest.places(arguments);
        if (!places || is_device_memory(places->send, planned.places.send) ||
            is_device_memory(places->recv, planned.places.recv))
            return not_remembered;
        move(planned, *places);
        planned.given_send = arguments.send;
        planned.given_recv = arguments.recv;
    }
    on.cache.use(entry);
    return start_and_wait(*planned.operation);
}

} // namespace mpix::automatic
