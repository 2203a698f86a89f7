// SPDX-License-Identifier: BSD-3-Clause
//
// Making the queues.
#include "progress/links.hpp"

#include "host/failure.hpp"
#include "progress/protocol.hpp"
#include "shmem/packed_slots.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <new>
#include <string>

namespace mpix::progress {

using plan::Action;
using plan::Step;
using plan::StepId;
using shmem::Design;

void Links::reserve(std::span<const Traffic> traffic) {
    std::size_t sends = 0, receives = 0, blocks = 0, met = 0;
    for (const Traffic& with : traffic) {
        sends += with.sends.size();
        receives += with.receives.size();
        blocks += !with.sends.empty();
        met += 2 * !with.receives.empty(); // with lines
    }
    blocks_.reserve(blocks);
    met_.reserve(met);
    senders_.reserve(sends);
    receivers_.reserve(receives);
}

Links::Traffic Links::all_traffic() const {
    Traffic all{-1, {}, {}};
    for (std::size_t id = 0; id < plan_.steps.size(); ++id)
        if (plan_.steps[id].peer >= 0)
            (plan_.steps[id].action == Action::send ? all.sends : all.receives)
                .push_back(static_cast<StepId>(id));
    return all;
}

Links::Links(const plan::Plan& plan) : plan_(plan), queues_(plan.steps.size()) {
    count_host_messages();
}

Links::Links(const Connection& connection, const plan::Plan& plan, const Source& source,
             const shmem::Costs& costs)
    : plan_(plan), peer_(connection.peer), queues_(plan.steps.size()),
      only_peer_(connection.process()) {
    if (connection.doorbell) doorbells_.push_back(connection.doorbell);
    const Traffic all = all_traffic();
    reserve({&all, 1});
    if (offer(queues_of(all), source, connection.can_read, costs) && plan_.slots > 0)
        share_queue(all);
    count_host_messages();
}

Links::Links(const Connection& connection, const plan::Plan& plan, std::uint64_t block)
    : plan_(plan), peer_(connection.peer), queues_(plan.steps.size()) {
    if (connection.doorbell) doorbells_.push_back(connection.doorbell);
    const Traffic all = all_traffic();
    reserve({&all, 1}); // what follows may throw: then the block is not left
    accept(connection.memory(), connection.process(), queues_of(all), block);
    if (plan_.slots > 0) share_queue(all);
}

void Links::count_host_messages() {
    transport_.host = 0;
    const auto end = static_cast<std::size_t>(plan_.range(0).end);
    for (std::size_t id = 0; id < end; ++id) {
        const Step& step = plan_.steps[id];
        const bool is_message = step.peer >= 0 || step.action == Action::delegate;
        if (is_message && !queues_[id].out && !queues_[id].in) ++transport_.host;
    }
}

// All messages of a channel take the queue of its first.
void Links::share_queue(const Traffic& all) {
    const auto& messages = all.sends.empty() ? all.receives : all.sends;
    for (const StepId id : messages)
        queues_[static_cast<std::size_t>(id)] = queues_[static_cast<std::size_t>(messages[0])];
}

Links::Traffic Links::queues_of(Traffic traffic) const {
    if (plan_.slots == 0) return traffic;
    traffic.sends.resize(std::min<std::size_t>(traffic.sends.size(), 1));
    traffic.receives.resize(std::min<std::size_t>(traffic.receives.size(), 1));
    return traffic;
}

namespace {

// What the messages of one way to the same process are like.
struct OfWay {
    OfWay(const plan::Plan& plan, std::size_t which, const Links::Traffic& traffic)
        : way(which), range(plan.range(which)), traits(plan, which),
          is_answered(count(traffic.receives) > 0) {
        traits.is_pipeline = count(traffic.sends) > 1;
    }
    std::ptrdiff_t count(const Links::Few<StepId>& steps) const {
        return std::count_if(steps.begin(), steps.end(),
                             [this](StepId id) { return id >= range.begin && id < range.end; });
    }

    std::size_t way;
    plan::StepRange range;
    Traits traits;
    bool is_answered;
};

} // namespace

// What is told is how the plan's own messages travel.
void Links::note(StepId id, const Design& design) {
    if (id < plan_.range(0).end) transport_.add(design);
}

// Of a channel that has one message at once: the others take lines together with their own.
bool Links::may_share_lines(const Design& design) const {
    return plan_.slots == 1 && only_peer_ >= 0 && design.shares_lines && design.is_one_chunk();
}

// False if there is no memory for it.
bool Links::offer(const Traffic& traffic, const Source& source, bool can_read,
                  const shmem::Costs& costs) {
    OfWay of(plan_, 0, traffic);
    shmem::LineVector<Design> designs;
    designs.reserve(traffic.sends.size());
    std::uint64_t size = traffic.sends.size() * sizeof(Design);
    for (const StepId id : traffic.sends) {
        const Step& step = plan_.steps[static_cast<std::size_t>(id)];
        while (id >= of.range.end) of = OfWay(plan_, of.way + 1, traffic);
        Design& design = designs.emplace_back(design_of(
            static_cast<std::uint64_t>(step.bytes), source(step),
            of.is_answered && !step.may_fragment, of.traits, can_read, costs, shmem::sharers()));
        design.may_fragment = step.may_fragment;
        if (may_share_lines(design)) {
            lines_ = shmem::PackedSlots::take_place(only_peer_, design);
            if (lines_) continue;
            design.sharers = 1;
        }
        design.slots_at = size;
        size += design.size();
    }
    shmem::Block* const block = shmem::new_block(size, 1);
    if (!block) {
        report_no_memory();
        return false;
    }
    blocks_.push_back(block);
    for (std::size_t i = 0; i < designs.size(); ++i) {
        Design& design = designs[i];
        if (design.lines == 0) design.slots_at += shmem::segment().offset(block->data());
        new (block->data() + i * sizeof(Design)) Design(design);
        note(traffic.sends[i], design);
        senders_.emplace_back(design, shmem::segment().memory());
        queues_[static_cast<std::size_t>(traffic.sends[i])].out = &senders_.back();
    }
    return true;
}

void Links::accept(std::byte* memory, std::int64_t process, const Traffic& traffic,
                   std::uint64_t block) {
    auto* const met = reinterpret_cast<shmem::Block*>(memory + block);
    met_.push_back(met);
    const auto* designs = reinterpret_cast<const Design*>(met->data());
    for (std::size_t i = 0; i < traffic.receives.size(); ++i) {
        const Step& step = plan_.steps[static_cast<std::size_t>(traffic.receives[i])];
        if (designs[i].bytes != static_cast<std::uint64_t>(step.bytes))
            throw host::Failure{
                host::error_code(MPI_ERR_COUNT, "a message of " + std::to_string(designs[i].bytes) +
                                                    " bytes, where " + std::to_string(step.bytes) +
                                                    " are expected")};
        if (designs[i].lines != 0)
            met_.push_back(reinterpret_cast<shmem::Block*>(memory + designs[i].lines));
        note(traffic.receives[i], designs[i]);
        receivers_.emplace_back(designs[i], memory, process, step.action == Action::combine);
        queues_[static_cast<std::size_t>(traffic.receives[i])].in = &receivers_.back();
    }
}

void Links::retire() noexcept {
    for (shmem::Block* block : met_) shmem::leave(*block);
    for (shmem::Block* block : blocks_) shmem::retire(block);
}

Links::~Links() { retire(); }

} // namespace mpix::progress
