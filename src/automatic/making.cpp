// SPDX-License-Identifier: BSD-3-Clause
//
// From a call to the arguments of an init: a plan is made for buffers of bytes or elements without
// gaps.
#include "automatic/making.hpp"

#include "automatic/data.hpp"
#include "base/settings.hpp"
#include "collective/init.hpp"

#include <new>
#include <utility>

namespace mpix::automatic {
namespace {

using collective::Arguments;
using collective::Side;
using plan::Collective;
using progress::Operation;
using progress::Places;

// What is shorter takes no longer than to look at the clock, and its ranks run ahead of each other.
constexpr double least_raced_us = 1;

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

struct Request {
    Places places;
    Arguments arguments;
};

// Without memory for it the others hear of it as well.
Request request_of(CommunicatorPlans& on, const Invocation& call) {
    try {
        const Places places = Data(call, {}, on.copies).places();
        return {places, arguments_of(on, call, places)};
    } catch (const std::bad_alloc&) {
        collective::fail_with_others(on.comm);
        throw;
    }
}

// Null where the host is to do it. Throws Failure, bad_alloc. Collective.
std::unique_ptr<Planned> make(CommunicatorPlans& on, const Invocation& call) {
    const Request request = request_of(on, call);
    std::unique_ptr<Operation> operation = collective::make_operation(request.arguments);
    if (operation->is_delegated()) return nullptr;
    const int calls = base::settings().MPIX_RACE;
    const bool is_raced =
        calls > 0 && !call.order_shows && operation->plan().expected_us >= least_raced_us;
    auto planned = std::make_unique<Planned>(std::move(operation), request.places);
    const plan::Plan& plan = planned->operation->plan();
    const bool settles = plan.expected_us >= progress::settles_from_us;
    // As within one node: blocks of so few calls are no longer than a meeting.
    const progress::Meets meets = progress::meetings(plan::kind(call.key.collective), false);
    if (is_raced)
        planned->race = std::make_unique<Race>(progress::RaceRules{.rounds = calls, .meets = meets},
                                               plan.ways() + 1, settles ? plan.ways() : 0);
    return planned;
}

// Null on all ranks where it fails on one of them. Collective.
std::unique_ptr<Planned> make_on_all(CommunicatorPlans& on, const Invocation& call) {
    std::unique_ptr<Planned> planned;
    if (!on.meet()) return planned;
    try {
        planned = make(on, call);
    } catch (const host::Failure&) {
    } catch (const std::bad_alloc&) {}
    if (!on.all_say(planned != nullptr)) planned.reset();
    return planned;
}

Entry& add(CommunicatorPlans& on, const Invocation& call) {
    std::unique_ptr<Planned> made = make_on_all(on, call);
    for (LatestCall& latest : on.latest_calls) latest.forget(); // its plan may go
    return on.cache.add(call.key, call.order_shows, std::move(made));
}

} // namespace

Entry* find_or_make(CommunicatorPlans& on, const Invocation& call) {
    if (Entry* const found = on.cache.find(call.key)) return found;
    return on.cache.is_due(call.key, call.order_shows) ? &add(on, call) : nullptr;
}

// A sum whose bits tell its order would be the host's once and the plan's later: that of two has
// one order.
Entry* find_or_note(CommunicatorPlans& on, const Invocation& call) {
    if (call.order_shows && on.ranks > 2) return nullptr;
    if (Entry* const found = on.cache.find(call.key)) return found;
    if (on.cache.is_due(call.key, false)) on.note_due(call);
    return nullptr;
}

void make_due(CommunicatorPlans& on) {
    on.take_neighborhood();
    for (const CommunicatorPlans::Due& due : std::exchange(on.due, {}))
        if (!on.cache.has(due.call.key)) add(on, due.call);
}

} // namespace mpix::automatic
