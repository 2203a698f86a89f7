// SPDX-License-Identifier: BSD-3-Clause
//
// One random event after another: a ready step begins, or a matched message is delivered.
#include "plan/simulator.hpp"

#include "plan/accesses.hpp"

#include <algorithm>
#include <cstring>

namespace mpix::plan {
namespace {

template<class T>
T take(std::vector<T>& from, std::size_t index) {
    std::swap(from[index], from.back());
    T taken = from.back();
    from.pop_back();
    return taken;
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
            if (!release_held()) break;
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
    self.arrived.assign(static_cast<std::size_t>(steps.arrivals), false);
    const Program::Hold& hold = program_.hold;
    for (int p = 0; p < static_cast<int>(steps.partitions()); ++p)
        if (hold.rank != rank || hold.partition != p) self.unready.push_back(p);
    self.holds = hold.rank == rank;
    open(rank, 0);
    finish_if_done(rank);
}

void Simulator::open(int rank, std::size_t gate) {
    Rank& self = at(rank);
    for (const StepId id : plan(rank).after(plan(rank).gates[gate]))
        if (--self.needs[static_cast<std::size_t>(id)] == 0) self.ready.push_back(id);
}

void Simulator::make_ready(int rank, int partition) {
    program_.ready(rank, at(rank).round, partition, at(rank).memory);
    open(rank, static_cast<std::size_t>(partition) + 1);
    finish_if_done(rank);
}

// Nothing else can happen: all that does not depend on the partition must have arrived.
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
    make_ready(hold.rank, hold.partition);
    return true;
}

void Simulator::arrive(int rank, int arrival) {
    Rank& self = at(rank);
    self.arrived[static_cast<std::size_t>(arrival)] = true;
    const std::string wrong = program_.check_arrival(rank, self.round, arrival, self.memory);
    if (!wrong.empty()) fail(rank, wrong);
}

std::byte* Simulator::address(int rank, const Span& span) {
    Memory& memory = at(rank).memory;
    const auto offset = static_cast<std::size_t>(span.offset);
    switch (span.room) {
    case Room::send: return memory.send.data() + offset;
    case Room::recv: return memory.recv.data() + offset;
    case Room::scratch: return memory.scratch.data() + offset;
    case Room::send_blocks: return memory.send_blocks[offset].data();
    case Room::recv_blocks: return memory.recv_blocks[offset].data();
    case Room::nothing: break;
    }
    return nullptr;
}

void Simulator::begin(int rank, StepId id) {
    const Step& step = plan(rank).steps[static_cast<std::size_t>(id)];
    check_conflicts(rank, id);
    if (step.action == Action::send || receives(step.action)) return post(rank, id);
    perform(rank, step);
    complete(rank, id);
}

void Simulator::perform(int rank, const Step& step) {
    const auto bytes = static_cast<std::size_t>(step.bytes);
    std::byte* const from = address(rank, step.from);
    if (step.action == Action::arrive) {
        for (int i = 0; i < step.arrivals; ++i) arrive(rank, step.lane + i);
        return;
    }
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

void Simulator::reduce(int rank, const std::byte* in, std::byte* inout, Bytes bytes) {
    const std::string wrong = program_.combine(in, inout, bytes);
    if (!wrong.empty()) fail(rank, wrong);
}

void Simulator::post(int rank, StepId id) {
    const Step& step = plan(rank).steps[static_cast<std::size_t>(id)];
    const auto bytes = static_cast<std::size_t>(step.bytes);
    at(rank).in_flight.push_back(id);
    if (receives(step.action)) {
        const Key key{step.peer, rank, step.lane};
        Channel& channel = channels_[key];
        const Span& into = step.action == Action::combine ? step.stage : step.to;
        if (bytes > 0) std::memset(address(rank, into), 0xee, bytes);
        channel.receives.push_back(id);
        if (channel.sends.size() >= channel.receives.size()) matched_.push_back(key);
        return;
    }
    const Key key{rank, step.peer, step.lane};
    Channel& channel = channels_[key];
    Message message{id, chance(eager_percent_), {}};
    if (message.eager) {
        const std::byte* data = address(rank, step.from);
        message.data.assign(data, data + bytes);
    }
    channel.sends.push_back(message);
    if (channel.receives.size() >= channel.sends.size()) matched_.push_back(key);
    if (message.eager) complete(rank, id);
}

void Simulator::deliver(const Key& key) {
    const auto [from, to, lane] = key;
    Channel& channel = channels_[key];
    const Message message = channel.sends.front();
    const StepId receive = channel.receives.front();
    channel.sends.pop_front();
    channel.receives.pop_front();
    const Step& source = plan(from).steps[static_cast<std::size_t>(message.step)];
    const Step& sink = plan(to).steps[static_cast<std::size_t>(receive)];
    if (source.bytes != sink.bytes) return fail(to, "a message of another size");
    const std::byte* data = message.eager ? message.data.data() : address(from, source.from);
    const Span& into = sink.action == Action::combine ? sink.stage : sink.to;
    if (sink.bytes > 0) std::memcpy(address(to, into), data, static_cast<std::size_t>(sink.bytes));
    perform(to, sink);
    if (!message.eager) complete(from, message.step);
    complete(to, receive);
}

void Simulator::complete(int rank, StepId id) {
    Rank& self = at(rank);
    std::erase(self.in_flight, id);
    const Plan& steps = plan(rank);
    for (const StepId next : steps.after(steps.steps[static_cast<std::size_t>(id)]))
        if (--self.needs[static_cast<std::size_t>(next)] == 0) self.ready.push_back(next);
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

void Simulator::check_conflicts(int rank, StepId id) {
    const auto& steps = plan(rank).steps;
    const Accesses own = accesses(steps[static_cast<std::size_t>(id)]);
    for (const StepId other : at(rank).in_flight)
        for (const Access& a : own)
            for (const Access& b : accesses(steps[static_cast<std::size_t>(other)]))
                if (conflict(a, b))
                    fail(rank, "race between steps " + std::to_string(other) + " and " +
                                   std::to_string(id));
}

void Simulator::fail(int rank, const std::string& what) {
    if (error_.empty())
        error_ = "rank " + std::to_string(rank) + ", round " + std::to_string(at(rank).round) +
                 ": " + what;
}

} // namespace mpix::plan
