// SPDX-License-Identifier: BSD-3-Clause
//
// A plan: a graph of steps as plain data, const once built. Gates let steps begin, arrivals tell
// what has come. What is moved is named by buffer and offset, peers by rank; there is no MPI and no
// address in it, so that a plan can be printed, compared and simulated.
#pragma once

#include "plan/problem.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace mpix::plan {

enum class Action : std::uint8_t {
    send,
    recv,
    copy,     // to = from; packs or unpacks where one side is a *_blocks buffer. Or many such, from
              // one buffer to another
    reduce,   // to = from (op) to: `from` holds the lower ranks
    combine,  // a receive that is reduced as it comes: to = received (op) from, or from (op)
              // received
    arrive,   // partitions of the receive buffer are there
    delegate, // the host's nonblocking collective does it all
    member,   // a member of a bundle is started and completes
    call,     // functions of the program do it all
};

std::string_view name(Action action);
std::string_view name(Buffer buffer);

using StepId = std::int32_t;

struct Span {
    Buffer buffer = Buffer::send;
    Bytes offset = 0;
};

struct Step {
    Action action = Action::copy;
    std::int32_t peer = -1;      // send, recv, combine
    std::int32_t tag_offset = 0; // of these: the peer's step with the same one is the other end
    std::int32_t needs = 0;      // steps and gates that must be done before this one begins
    std::uint32_t first_successor = 0;
    std::uint32_t successors = 0;
    Span from{};
    Span to{};
    Span stage{}; // combine: room for what is received, where it has to stand somewhere first
    bool received_first =
        true; // combine: the received holds the lower ranks, or it does not matter
    bool is_synchronous = false; // send: done when the peer has begun to receive
    bool may_fragment = false;   // a message that part of it may go ahead of: see fragments.hpp
    Bytes bytes = 0;
    std::int32_t arrivals = 1; // arrive: how many
    std::int32_t number = 0;  // arrive: of the first partition; member: its own; copy: of the first
                              // in the plan's list
    std::int32_t copies = 0;  // copy: how many of that list; 0: it is none of them
    std::int32_t repeats = 0; // copy: how often, as far apart as the one copy in the list says
};
static_assert(std::is_trivially_copyable_v<Step>);

constexpr bool receives(Action action) {
    return action == Action::recv || action == Action::combine;
}

// One of many that a step makes: how far from the step's places.
struct Copy {
    Bytes from = 0, to = 0, bytes = 0;
};

// Visits what a step copies, of which `copies` are those in the plan's list.
template<class Visit>
void each_copy(const Step& step, std::span<const Copy> copies, Visit visit) {
    for (std::int32_t i = 0; i < step.repeats; ++i)
        visit(Copy{i * copies[0].from, i * copies[0].to, copies[0].bytes});
    if (step.repeats == 0)
        for (const Copy& copy : copies) visit(copy);
}

// A gate lets a run of plan.edges begin. Gate 0 opens at Start, gate 1 + p when partition p of the
// send buffer is ready. Of a channel, each Start opens the next of the others in turn.
struct Gate {
    std::uint32_t first_successor = 0;
    std::uint32_t successors = 0;
    Place place = {}; // of the partition
};

// Steps that follow each other.
struct StepRange {
    StepId begin = 0, end = 0;
};

// Another way to do what a plan does, in steps of its own, which nothing of the plan leads to and
// which lead to nothing of it: one of them runs at a time.
struct Rival {
    std::string_view solver;
    StepRange range;
    Gate start; // its gate 0
};

struct Plan {
    std::string_view solver;
    double expected_us = 0;
    Bytes scratch = 0;
    std::int32_t arrivals = 0; // partitions of the receive buffer, each with its step
    // As is_mutual() of its kind.
    bool is_mutual = false;
    bool leaves_node = false;              // some ranks do not share memory
    bool converges = false;                // as converges() of its kind, if it has no partitions
    bool may_fragment = false;             // some of its steps may be executed in fragments
    std::vector<Bytes> arrival_bytes = {}; // of each partition of the receive buffer
    std::int32_t slots = 0; // chains of steps of a channel: as many rounds run at once
    std::vector<Step> steps;
    std::vector<StepId> edges; // the successors of all steps and gates, run after run
    std::vector<Gate> gates;
    std::vector<Copy> copies;  // of steps that make many
    std::vector<Rival> rivals; // behind the plan's own steps

    // The plan's own way is the first, then those of its rivals.
    std::size_t ways() const { return 1 + rivals.size(); }
    StepRange range(std::size_t way) const {
        if (way > 0) return rivals[way - 1].range;
        return {0, rivals.empty() ? static_cast<StepId>(steps.size()) : rivals[0].range.begin};
    }
    const Gate& start(std::size_t way) const { return way > 0 ? rivals[way - 1].start : gates[0]; }
    std::span<const Step> steps_of(std::size_t way) const {
        return {steps.data() + range(way).begin, steps.data() + range(way).end};
    }
    bool delegates(std::size_t way) const {
        return !steps_of(way).empty() && steps_of(way)[0].action == Action::delegate;
    }
    // Whether all of its steps follow the Start, and none another.
    bool is_one_wave(std::size_t way) const {
        const auto leads_on = [](const Step& step) { return step.successors > 0; };
        return start(way).successors == steps_of(way).size() &&
               std::ranges::none_of(steps_of(way), leads_on);
    }
    std::string_view solver_of(std::size_t way) const {
        return way > 0 ? rivals[way - 1].solver : solver;
    }

    // Of the send buffer.
    std::size_t partitions() const { return slots > 0 ? 0 : gates.size() - 1; }
    std::vector<std::string_view> solvers() const { // of all ways
        std::vector<std::string_view> all{solver};
        for (const Rival& rival : rivals) all.push_back(rival.solver);
        return all;
    }
    std::span<const StepId> after(const Step& step) const {
        return {edges.data() + step.first_successor, step.successors};
    }
    std::span<const StepId> after(const Gate& gate) const {
        return {edges.data() + gate.first_successor, gate.successors};
    }
    std::span<const Copy> copies_of(const Step& step) const {
        return {copies.data() + (step.copies > 0 ? step.number : 0),
                static_cast<std::size_t>(step.copies)};
    }
};

// Of the messages that this rank receives in it; 0 if it receives none.
Bytes longest_awaited(const Plan& plan, std::size_t way);

// What people are told of a way by this solver.
std::string_view told(std::string_view solver);

// `transport` says how the messages travel, if that is known.
std::string to_text(const Plan& plan, const Problem& problem, const std::string& transport = {});

} // namespace mpix::plan
