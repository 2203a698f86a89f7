// SPDX-License-Identifier: BSD-3-Clause
//
// One random event after another: a ready step begins, or a matched message is delivered. Without
// fragments the parts of steps are all there is of them.
#include "plan/simulator.hpp"

#include "plan/accesses.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mpix::plan {
namespace {

// What fragments have to keep to, said anew.
bool can_divide(const Step& step) {
    if (step.bytes == 0 || (step.peer >= 0 && !step.may_fragment)) return false;
    return !is_blocks(step.from.buffer) && !is_blocks(step.to.buffer);
}

} // namespace

Simulator::Simulator(const Program& program, std::uint64_t seed)
    : program_(program), random_(seed), ranks_(program.plans.size()),
      eager_percent_(static_cast<int>(random_() % 3) * 50) {}

std::string Simulator::run() {
    const int n = static_cast<int>(ranks_.size());
    for (int rank = 0; rank < n; ++rank) start(rank);
    std::vector<int> runnable;
    // A fair scheduler finds few races. In half of the runs one rank is far behind the others, in
    // half of them a rank prefers the step that became ready last.
    const int slow = static_cast<int>(random_() % (2 * static_cast<unsigned>(n)));
    const bool newest_first = random_() % 2 == 0;
    while (error_.empty()) {
        runnable.clear();
        for (int rank = 0; rank < n; ++rank)
            if (!at(rank).ready.empty() || !at(rank).unready.empty()) runnable.push_back(rank);
        const std::size_t events = runnable.size() + matched_.size();
        if (events == 0) {
            if (!fragment_all() && !release_held()) break;
            continue;
        }
        const std::size_t event = random_() % events;
        const bool is_slow = event < runnable.size() && runnable[event] == slow;
        if (is_slow && events > 1 && random_() % 64 != 0) continue;
        if (event >= runnable.size()) {
            deliver(take(matched_, event - runnable.size()));
        } else {
            Rank& rank = at(runnable[event]);
            const std::size_t choices = rank.ready.size() + rank.unready.size();
            if (const std::size_t choice = random_() % choices; choice >= rank.ready.size()) {
                make_ready(runnable[event], take(rank.unready, choice - rank.ready.size()));
                continue;
            }
            const bool newest = newest_first && random_() % 16 != 0;
            const std::size_t count = rank.ready.size();
            begin(runnable[event], take(rank.ready, newest ? count - 1 : random_() % count));
        }
    }
    for (int rank = 0; rank < n; ++rank)
        if (at(rank).round < program_.rounds) fail(rank, "deadlock");
    for (const auto& [key, channel] : channels_)
        if (!channel.sends.empty()) fail(std::get<0>(key), "a message that nobody received");
    return error_;
}

void Simulator::start(int rank) {
    Rank& self = at(rank);
    const Plan& steps = plan(rank);
    program_.fill(rank, self.round, self.memory);
    self.memory.scratch.assign(static_cast<std::size_t>(steps.scratch), std::byte{0xaa});
    self.needs.clear();
    for (const Step& step : steps.steps) self.needs.push_back(step.needs);
    self.remaining = steps.steps.size();
    self.fragments.reset();
    self.begun.assign(steps.steps.size(), false);
    self.done.assign(steps.steps.size(), {});
    self.marked.assign(steps.partitions(), false);
    self.arrived.assign(static_cast<std::size_t>(steps.arrivals), false);
    const Program::Hold& hold = program_.hold;
    for (int p = 0; p < static_cast<int>(steps.partitions()); ++p)
        if (hold.rank != rank || std::ranges::count(hold.partitions, p) == 0)
            self.unready.push_back(p);
    self.holds = hold.rank == rank;
    open(rank, 0);
    if (program_.in_fragments && chance(50)) fragment(rank);
    finish_if_done(rank);
}

void Simulator::open(int rank, std::size_t gate) {
    Rank& self = at(rank);
    if (self.fragments) {
        self.fragments->open(gate);
        return take_fragments(rank);
    }
    for (const StepId id : plan(rank).after(plan(rank).gates[gate]))
        if (--self.needs[static_cast<std::size_t>(id)] == 0)
            self.ready.push_back({id, 0, size(step(rank, id))});
}

void Simulator::make_ready(int rank, int partition) {
    program_.ready(rank, at(rank).round, partition, at(rank).memory);
    at(rank).marked[static_cast<std::size_t>(partition)] = true;
    open(rank, static_cast<std::size_t>(partition) + 1);
    if (program_.in_fragments && !at(rank).fragments && chance(20)) fragment(rank);
    finish_if_done(rank);
}

// What is held back holds back no more than it must only in fragments.
bool Simulator::fragment_all() {
    bool any = false;
    for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
        if (!program_.in_fragments || at(rank).fragments || at(rank).round == program_.rounds)
            continue;
        fragment(rank);
        any = true;
    }
    return any;
}

// From where the round is.
void Simulator::fragment(int rank) {
    Rank& self = at(rank);
    self.ready.clear();
    self.fragments.emplace(plan(rank));
    for (std::size_t i = 0; i < self.done.size(); ++i)
        for (const Fragments::Interval& it : self.done[i])
            self.fragments->finish(static_cast<StepId>(i), it);
    for (std::size_t p = 0; p < self.marked.size(); ++p)
        if (self.marked[p]) self.fragments->open(p + 1);
    take_fragments(rank);
}

void Simulator::take_fragments(int rank) {
    Rank& self = at(rank);
    for (StepId id = self.fragments->next(); id >= 0; id = self.fragments->next())
        for (const Fragments::Interval& it : self.fragments->take(id))
            if (!self.begun[static_cast<std::size_t>(id)])
                self.ready.push_back({id, it.lower(), it.upper()});
}

// The rest stays ready.
Simulator::Part Simulator::some_of(int rank, Part part) {
    const Bytes grain = program_.grain, units = (part.end - part.begin) / grain;
    if (!at(rank).fragments || !can_divide(step(rank, part.id)) || units < 2 || chance(50))
        return part;
    const auto below = [this](Bytes limit) {
        return static_cast<Bytes>(random_() % static_cast<std::uint64_t>(limit));
    };
    Part some = part;
    some.begin += below(units) * grain;
    some.end -= below((part.end - some.begin) / grain) * grain;
    std::vector<Part> rest{part};
    cut(rest, 0, some.begin, some.end);
    for (const Part& it : rest) at(rank).ready.push_back(it);
    return some;
}

// The step as if there were no more of it.
Step Simulator::restrict(int rank, const Part& part) {
    Step some = step(rank, part.id);
    if (part.begin == 0 && part.end == size(some)) return some;
    if (!can_divide(some)) fail(rank, "step " + std::to_string(part.id) + " is divided");
    if (part.begin % program_.grain != 0 || part.end % program_.grain != 0)
        fail(rank, "step " + std::to_string(part.id) + " is divided within an element");
    for (Span* span : {&some.from, &some.to, &some.stage}) span->offset += part.begin;
    some.bytes = part.end - part.begin;
    return some;
}

// Nothing else can happen: all that does not depend on the partitions must have arrived.
bool Simulator::release_held() {
    const Program::Hold& hold = program_.hold;
    if (hold.rank < 0 || !at(hold.rank).holds) return false;
    for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
        if (at(rank).round < at(hold.rank).round) fail(rank, "waits for another rank's next round");
        if (at(rank).round != at(hold.rank).round) continue;
        for (int arrival = 0; arrival < plan(rank).arrivals; ++arrival)
            if (!at(rank).arrived[static_cast<std::size_t>(arrival)] && !hold.delays(rank, arrival))
                fail(rank, "partition " + std::to_string(arrival) + " has not arrived early");
    }
    at(hold.rank).holds = false;
    at(hold.rank).unready = hold.partitions;
    return true;
}

void Simulator::arrive(int rank, int arrival) {
    Rank& self = at(rank);
    self.arrived[static_cast<std::size_t>(arrival)] = true;
    const std::string wrong = program_.check_arrival(rank, self.round, arrival, self.memory);
    if (!wrong.empty()) fail(rank, wrong);
}

// A partition has come when its last byte has.
void Simulator::arrive(int rank, const Part& part) {
    const Step& arrival = step(rank, part.id);
    const Fragments::Set before = at(rank).done[static_cast<std::size_t>(part.id)];
    Fragments::Set come = before;
    come += Fragments::Interval(part.begin, part.end);
    Bytes begin = 0, end = 0;
    for (int i = arrival.number; i < arrival.number + arrival.arrivals; ++i) {
        begin = std::exchange(end, end + plan(rank).arrival_bytes[static_cast<std::size_t>(i)]);
        const auto is_in = [&](const Fragments::Set& set) {
            return begin == end ? !set.empty()
                                : boost::icl::contains(set, Fragments::Interval(begin, end));
        };
        if (is_in(come) && !is_in(before)) arrive(rank, i);
    }
}

std::byte* Simulator::address(int rank, const Span& span) {
    Memory& memory = at(rank).memory;
    const auto offset = static_cast<std::size_t>(span.offset);
    switch (span.buffer) {
    case Buffer::send: return memory.send.data() + offset;
    case Buffer::recv: return memory.recv.data() + offset;
    case Buffer::scratch: return memory.scratch.data() + offset;
    case Buffer::send_blocks: return memory.send_blocks[offset].data();
    case Buffer::recv_blocks: return memory.recv_blocks[offset].data();
    case Buffer::nothing: break;
    }
    return nullptr;
}

void Simulator::begin(int rank, Part part) {
    if (!at(rank).fragments) at(rank).begun[static_cast<std::size_t>(part.id)] = true;
    part = some_of(rank, part);
    check_conflicts(rank, part);
    if (!error_.empty()) return;
    const Action action = step(rank, part.id).action;
    if (action == Action::send || receives(action)) return post(rank, part);
    perform(rank, part);
    complete(rank, part);
}

void Simulator::perform(int rank, const Part& part) {
    const Step step = restrict(rank, part);
    const auto bytes = static_cast<std::size_t>(step.bytes);
    std::byte* const from = address(rank, step.from);
    if (step.action == Action::arrive) return arrive(rank, part);
    if (step.copies > 0 && bytes > 0) return copy_all(rank, step);
    if (step.action == Action::copy && bytes > 0) std::memmove(address(rank, step.to), from, bytes);
    if (step.action == Action::reduce) reduce(rank, from, address(rank, step.to), step.bytes);
    if (step.action != Action::combine || bytes == 0) return;
    const std::byte* const received = address(rank, step.stage);
    const std::byte* const lower = step.received_first ? received : from;
    const std::byte* const higher = step.received_first ? from : received;
    std::vector<std::byte> result(higher, higher + bytes);
    reduce(rank, lower, result.data(), step.bytes);
    std::memcpy(address(rank, step.to), result.data(), bytes);
}

void Simulator::copy_all(int rank, const Step& step) {
    each_copy(step, plan(rank).copies_of(step), [&](const Copy& copy) {
        std::memmove(address(rank, step.to) + copy.to, address(rank, step.from) + copy.from,
                     static_cast<std::size_t>(copy.bytes));
    });
}

void Simulator::reduce(int rank, const std::byte* in, std::byte* inout, Bytes bytes) {
    const std::string wrong = program_.combine(in, inout, bytes);
    if (!wrong.empty()) fail(rank, wrong);
}

void Simulator::complete(int rank, const Part& part) {
    Rank& self = at(rank);
    for (std::size_t i = 0; i < self.in_flight.size(); ++i) {
        const Part& it = self.in_flight[i];
        if (it.id != part.id || it.begin > part.begin || it.end < part.end) continue;
        cut(self.in_flight, i, part.begin, part.end);
        break;
    }
    const Fragments::Interval now(part.begin, part.end);
    Fragments::Set& done = self.done[static_cast<std::size_t>(part.id)];
    if (boost::icl::intersects(done, now)) fail(rank, "does " + std::to_string(part.id) + " twice");
    done += now;
    if (self.fragments) {
        self.fragments->finish(part.id, now);
        take_fragments(rank);
    }
    const bool is_done =
        boost::icl::contains(done, Fragments::Interval(0, size(step(rank, part.id))));
    if (self.fragments && self.fragments->is_finished(part.id) != is_done)
        fail(rank, "step " + std::to_string(part.id) + " is done and not finished, or not done");
    if (!is_done) return;
    for (const StepId next : plan(rank).after(step(rank, part.id)))
        if (--self.needs[static_cast<std::size_t>(next)] == 0 && !self.fragments)
            self.ready.push_back({next, 0, size(step(rank, next))});
    --self.remaining;
    finish_if_done(rank);
}

void Simulator::finish_if_done(int rank) {
    const Rank& self = at(rank);
    if (self.remaining == 0 && self.unready.empty() && !self.holds) finish_round(rank);
}

void Simulator::finish_round(int rank) {
    Rank& self = at(rank);
    const std::string wrong = program_.check(rank, self.round, self.memory);
    if (!wrong.empty()) return fail(rank, wrong);
    if (++self.round < program_.rounds) start(rank);
}

void Simulator::check_conflicts(int rank, const Part& part) {
    const auto accesses_of = [&](const Part& some) {
        return accesses(restrict(rank, some), plan(rank).copies_of(step(rank, some.id)));
    };
    const Accesses own = accesses_of(part);
    for (const Part& other : at(rank).in_flight)
        for (const Access& a : own)
            for (const Access& b : accesses_of(other))
                if (conflict(a, b))
                    fail(rank, "race between steps " + std::to_string(other.id) + " and " +
                                   std::to_string(part.id));
}

void Simulator::fail(int rank, const std::string& what) {
    if (error_.empty())
        error_ = "rank " + std::to_string(rank) + ", round " + std::to_string(at(rank).round) +
                 ": " + what;
}

} // namespace mpix::plan
