// SPDX-License-Identifier: BSD-3-Clause
//
// From the places that steps touch to which bytes of one block which of another.
#include "plan/fragments.hpp"

#include <algorithm>
#include <utility>

namespace mpix::plan {
namespace {

// Their parts could be mistaken.
bool share_lane(const plan::Step& a, const plan::Step& b) {
    return a.peer >= 0 && a.peer == b.peer && a.tag_offset == b.tag_offset &&
           receives(a.action) == receives(b.action);
}

} // namespace

bool Fragments::is_divisible(const plan::Step& step) {
    const bool is_message = step.peer >= 0;
    if (step.bytes == 0 || step.copies > 0 || (is_message && !step.may_fragment)) return false;
    return std::ranges::none_of(accesses(step, {}),
                                [](const Access& it) { return is_blocks(it.place.buffer); });
}

// An edge for each two places that meet. Steps whose order no bytes give, or a buffer that is not
// dense, wait for each other as a whole.
void Fragments::connect(Source& source, const Accesses& before, StepId to, const plan::Step& step,
                        bool is_whole) {
    const std::size_t edges_before = source.edges.size();
    const Interval whole(0, at(to).size);
    for (const Access& a : before)
        for (const Access& b : accesses(step, {})) {
            if (!conflict(a, b)) continue;
            is_whole |= is_blocks(a.place.buffer);
            if (is_whole) continue;
            const Bytes shift = a.place.offset - b.place.offset;
            source.edges.push_back(
                {to, false, Interval(shift, shift + a.place.bytes) & whole, shift});
        }
    if (is_whole || source.edges.size() == edges_before)
        source.edges.push_back({to, true, whole, 0});
}

Fragments::Fragments(const Plan& plan) : steps_(plan.steps.size()) {
    gates_.resize(plan.gates.size());
    after_.resize(plan.steps.size());
    fresh_.reserve(plan.steps.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        steps_[i].size = steps_[i].unfinished = std::max<Bytes>(plan.steps[i].bytes, 1);
        steps_[i].is_divisible = is_divisible(plan.steps[i]);
    }
    for (std::size_t g = 0; g < gates_.size(); ++g) {
        const Place& place = plan.gates[g].place;
        const Accesses marked = {{touched({place.buffer, place.offset}, place.bytes), true}};
        for (const StepId to : plan.after(plan.gates[g]))
            connect(gates_[g], marked, to, plan.steps[static_cast<std::size_t>(to)]);
    }
    for (std::size_t i = 0; i < steps_.size(); ++i)
        for (const StepId to : plan.after(plan.steps[i]))
            connect(after_[i], accesses(plan.steps[i], {}), to,
                    plan.steps[static_cast<std::size_t>(to)],
                    share_lane(plan.steps[i], plan.steps[static_cast<std::size_t>(to)]));
    for (const auto* sources : {&gates_, &after_})
        for (const Source& source : *sources)
            for (const Edge& edge : source.edges) block(edge);
    for (std::size_t i = 0; i < steps_.size(); ++i)
        release(static_cast<StepId>(i), {0, steps_[i].size});
    open(0);
}

void Fragments::block(const Edge& edge) { at(edge.to).blocked += std::make_pair(edge.blocked, 1); }

void Fragments::add_fresh(StepId id, const Interval& part) {
    Step& step = at(id);
    step.fresh += part;
    if (std::exchange(step.is_fresh, true)) return;
    fresh_.push_back(id);
}

void Fragments::unblock(const Edge& edge, const Interval& part) {
    at(edge.to).blocked -= std::make_pair(part, 1);
    release(edge.to, part);
}

// What nothing blocks of these bytes.
void Fragments::release(StepId id, const Interval& part) {
    Step& step = at(id);
    if (!step.is_divisible) {
        if (step.blocked.empty()) add_fresh(id, {0, step.size});
        return;
    }
    Set free(part);
    const auto [first, last] = step.blocked.equal_range(part);
    for (auto it = first; it != last; ++it) free -= it->first;
    for (const Interval& it : free) add_fresh(id, it);
}

void Fragments::open(std::size_t gate) {
    Source& source = gates_[gate];
    if (std::exchange(source.is_open, true)) return;
    for (const Edge& edge : source.edges) unblock(edge, edge.blocked);
}

void Fragments::finish(StepId id, const Interval& part) {
    Step& done = at(id);
    done.unfinished -= part.upper() - part.lower();
    for (const Edge& edge : after_[static_cast<std::size_t>(id)].edges) {
        if (edge.is_whole) {
            if (done.unfinished == 0) unblock(edge, edge.blocked);
            continue;
        }
        const Interval unblocked =
            edge.blocked & Interval(part.lower() + edge.shift, part.upper() + edge.shift);
        if (!boost::icl::is_empty(unblocked)) unblock(edge, unblocked);
    }
}

Fragments::Set Fragments::take(StepId id) {
    Step& step = at(id);
    step.is_fresh = false;
    std::erase(fresh_, id);
    return std::exchange(step.fresh, {});
}

} // namespace mpix::plan
