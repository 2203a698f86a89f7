// SPDX-License-Identifier: BSD-3-Clause
//
// Binding the steps, and binding them to other buffers. That tells nobody: where a message is taken
// from its sender's memory its address travels with it.
#include "progress/bound_plan.hpp"

#include "base/closed.hpp"
#include "host/failure.hpp"
#include "host/host.hpp"

#include <algorithm>
#include <climits>
#include <utility>

namespace mpix::progress {

using plan::Action;
using plan::Buffer;
using plan::Step;
using plan::StepId;

namespace {

// For copies between typed rooms.
std::size_t bounce_of(const plan::Plan& plan, const Binding& binding) {
    std::int64_t bytes = 0;
    if (!binding.is_dense() && !binding.element->flat)
        for (const Step& step : plan.steps)
            if (step.action == Action::copy || step.action == Action::combine)
                bytes = std::max(bytes, step.bytes);
    return static_cast<std::size_t>(bytes);
}

// Those that the others have not.
void free_receives(std::vector<Bound>& bounds, const std::vector<Bound>& others) {
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        MPI_Request& receive = bounds[i].receive;
        if (receive != MPI_REQUEST_NULL && receive != others[i].receive)
            HOST(Request_free)(&receive);
    }
}

} // namespace

void BoundPlan::take(plan::Plan&& plan, Binding&& binding, Tags&& tags, Delegate&& delegate) {
    free_host_objects(); // of an attempt that failed
    plan_ = std::move(plan);
    binding_ = std::move(binding);
    tags_ = std::move(tags);
    delegate_ = std::move(delegate);
    allocate_scratch();
    bounce_.resize(bounce_of(plan_, binding_));
    kept_ = {0, static_cast<StepId>(plan_.steps.size())};
    bound_.reserve(plan_.steps.size());
}

void BoundPlan::connect(const OpenLinks& open_links) {
    links_ = open_links(plan_, [this](const Step& step) { return address(step.from); });
    bind_steps();
}

void BoundPlan::free_host_objects() {
    if (base::is_closed()) return;
    for (Bound& bound : bound_)
        if (bound.receive != MPI_REQUEST_NULL) HOST(Request_free)(&bound.receive);
    for (MPI_Datatype& type : large_types_) HOST(Type_free)(&type);
    bound_.clear();
    large_types_.clear();
}

void BoundPlan::keep(std::size_t way) {
    kept_ = plan_.range(way);
    if (!plan_.delegates(way)) delegate_ = {};
    for (StepId id = 0; id < static_cast<StepId>(bound_.size()); ++id) {
        if (id >= kept_.begin && id < kept_.end) continue;
        if (links_) links_->end(id); // ranks have compared their times since it was received
        MPI_Request& receive = bound(id).receive;
        if (receive != MPI_REQUEST_NULL) HOST(Request_free)(&receive);
    }
}

std::size_t BoundPlan::messages() const {
    return static_cast<std::size_t>(
        std::count_if(plan_.steps.begin(), plan_.steps.end(), [](const Step& step) {
            return step.peer >= 0 || step.action == Action::delegate ||
                   step.action == Action::member || step.action == Action::call;
        }));
}

void BoundPlan::allocate_scratch() {
    if (plan_.scratch == 0) return;
    const Binding::Extent extent = binding_.extent_with_room(plan_.scratch);
    scratch_memory_ =
        std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(extent.bytes));
    scratch_ = scratch_memory_.get() - extent.shift;
}

std::byte* BoundPlan::address(const plan::Span& span) const {
    const std::int64_t offset =
        plan::is_blocks(span.buffer) ? span.offset : binding_.extent_of(span.offset);
    switch (span.buffer) {
    case Buffer::send: return binding_.send + offset;
    case Buffer::recv: return binding_.recv + offset;
    case Buffer::scratch: return scratch_ + offset;
    case Buffer::send_blocks: return binding_.send_blocks[static_cast<std::size_t>(offset)].address;
    case Buffer::recv_blocks: return binding_.recv_blocks[static_cast<std::size_t>(offset)].address;
    case Buffer::nothing: break;
    }
    return nullptr;
}

void BoundPlan::set_addresses(const Step& step, Bound& bound) const {
    bound.from = address(step.from);
    bound.to = address(step.to);
    if (step.action == Action::combine) bound.stage = address(step.stage);
}

bool BoundPlan::is_dense_copy(const Step& step) const {
    return step.action == Action::copy && step.copies == 0 && binding_.is_dense() &&
           step.bytes > 0 && !is_blocks(step.from.buffer) && !is_blocks(step.to.buffer);
}

void BoundPlan::bind_steps() {
    const int longest_eager = host::here().longest_eager();
    for (const Step& step : plan_.steps) {
        Bound& bound = bound_.emplace_back();
        bound.action = step.action;
        bound.peer = step.peer;
        bound.is_synchronous = step.is_synchronous;
        if (step.action == Action::delegate) continue;
        set_addresses(step, bound);
        bound.bytes = step.bytes;
        bound.is_dense_copy = is_dense_copy(step);
        if (step.peer < 0) continue;
        const auto id = static_cast<StepId>(bound_.size() - 1);
        bound.out = links_->sender(id);
        bound.in = links_->receiver(id);
        bind_message(step, bound);
        bound.is_asked = bound.is_synchronous || bound.bytes > longest_eager;
        if (plan_.converges && !bound.is_asked) bound.ahead = Bound::most_ahead;
        // Where others wait nothing may fail for want of memory later.
        if (binding_.moves && bound.out && !bound.out->reach(nullptr))
            throw host::Failure{
                host::error_code(MPI_ERR_NO_MEM, "no memory to send from other buffers")};
    }
}

void BoundPlan::bind_message(const Step& step, Bound& bound) {
    std::int64_t count = step.bytes, extent = 1;
    // Nothing has no type: a host may divide by its size.
    bound.type = count > 0 ? binding_.element_type : MPI_BYTE;
    if (binding_.element && count > 0) {
        count /= binding_.element->size;
        extent = binding_.element->extent;
    }
    if (count > INT_MAX) {
        bound.type = host::large_type(count, bound.type, extent);
        large_types_.push_back(bound.type);
        count = 1;
    }
    bound.count = static_cast<int>(count);
    bound.tag = tags_.first + step.tag_offset;
    if (receives(step.action) && !bound.in && !binding_.moves) host::check(init_receive(bound));
}

int BoundPlan::init_receive(Bound& bound) const {
    return HOST(Recv_init)(bound.received_at(), bound.count, bound.type, bound.peer, bound.tag,
                           tags_.comm, &bound.receive);
}

int BoundPlan::post_receive(const Bound& bound, MPI_Request* request) const {
    return HOST(Irecv)(bound.received_at(), bound.count, bound.type, bound.peer, bound.tag,
                       tags_.comm, request);
}

template<class Condition>
std::uint32_t BoundPlan::ways_with(Condition is_one) const {
    std::uint32_t found = 0;
    for (std::size_t way = 0; way < plan_.ways(); ++way) {
        const plan::StepRange range = plan_.range(way);
        for (StepId id = range.begin; id < range.end; ++id)
            if (is_one(id)) found |= 1U << way;
    }
    return found;
}

std::uint32_t BoundPlan::ways_on_queues() const {
    return ways_with([this](StepId id) { return bound(id).in || bound(id).out; });
}

std::uint32_t BoundPlan::ways_over_host() const {
    return ways_with(
        [this](StepId id) { return step(id).peer >= 0 && !bound(id).in && !bound(id).out; });
}

std::vector<int> BoundPlan::peers(bool are_destinations) const {
    std::vector<int> found;
    for (const plan::Step& step : plan_.steps)
        if (step.peer >= 0 && receives(step.action) != are_destinations) found.push_back(step.peer);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

void BoundPlan::rebind(const Places& to) {
    std::vector<Bound> bounds = bound_;
    const Places before = binding_.places();
    binding_.move(to);
    try {
        for (StepId id = kept_.begin; id < kept_.end; ++id)
            rebind_step(step(id), bounds[static_cast<std::size_t>(id)]);
    } catch (...) {
        free_receives(bounds, bound_);
        binding_.move(before);
        throw;
    }
    std::swap(bound_, bounds);
    free_receives(bounds, bound_);
}

void BoundPlan::move(const Places& to) {
    binding_.move(to);
    for (StepId id = kept_.begin; id < kept_.end; ++id) move_step(step(id), bound(id));
}

void BoundPlan::move_step(const plan::Step& step, Bound& bound) const {
    set_addresses(step, bound);
    if (bound.out && !bound.out->reach(bound.from))
        throw host::Failure{
            host::error_code(MPI_ERR_NO_MEM, "no memory to send from the new buffer")};
}

// The host's receive is made for one place. The old one stays.
void BoundPlan::rebind_step(const plan::Step& step, Bound& bound) const {
    if (step.action == plan::Action::delegate) return;
    const Bound before = bound;
    move_step(step, bound);
    const bool has_moved = bound.to != before.to || bound.stage != before.stage;
    if (bound.receive == MPI_REQUEST_NULL || !has_moved) return;
    bound.receive = MPI_REQUEST_NULL;
    host::check(init_receive(bound));
}

} // namespace mpix::progress
