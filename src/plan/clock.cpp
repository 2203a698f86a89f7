// SPDX-License-Identifier: BSD-3-Clause
//
// One queue of events for all ranks: steps that may begin, and messages that are there.
#include "plan/clock.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace mpix::plan {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

struct Event {
    double time;
    std::int64_t number; // of equals the first
    int rank;
    StepId step;
    bool is_arrival; // of the message that it receives; else the step may begin

    bool operator>(const Event& other) const {
        return std::tuple(time, number) > std::tuple(other.time, other.number);
    }
};

// Messages side by side, and the others after them.
class Card {
  public:
    explicit Card(double streams) : free_(at(std::max(1L, std::lround(streams)))) {}

    // When a message that is there at that time begins.
    double begin(double time, double duration) {
        double& first = *std::ranges::min_element(free_);
        const double begin = std::max(time, first);
        first = begin + duration;
        return begin;
    }

  private:
    std::vector<double> free_;
};

struct Half {
    double time; // of a message that is on its way when it is there
    StepId step;
    double left = 0;
};

// One tag from one rank to another.
struct Channel {
    std::deque<Half> sent, awaited;
};

class Clock {
  public:
    Clock(std::span<const Plan> plans, const Nodes& nodes, const Model& model, Timeline* timeline)
        : plans_(plans), nodes_(nodes), model_(model), timeline_(timeline), free_(plans.size()),
          needs_(plans.size()), out_(at(nodes.count()), Card(model.streams)), in_(out_) {}

    std::optional<Simulated> run();

  private:
    struct Key {
        int from, to, tag;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const {
            const auto ends =
                static_cast<std::uint64_t>(key.from) << 32 | static_cast<std::uint32_t>(key.to);
            return (ends ^ static_cast<std::uint64_t>(key.tag) << 20) * 0x9e3779b97f4a7c15u >> 7;
        }
    };

    const Step& step(int rank, StepId id) const { return plans_[at(rank)].steps[at(id)]; }
    bool crosses(int rank, int peer) const { return nodes_.of(rank) != nodes_.of(peer); }
    // The latency of the model is of all three: posting may be most of it, or all.
    struct Legs {
        double posting, way, taking;
    };
    Legs legs(int rank, int peer) const;
    void push(double time, int rank, StepId id, bool is_arrival) {
        events_.push({time, number_++, rank, id, is_arrival});
    }
    // When the rank is done with that.
    double work(int rank, StepId id, double time, double duration);
    void release(int rank, double time, std::span<const StepId> successors);
    void done(int rank, StepId id, double time);
    void begin(const Event& event);
    void receive(const Event& event);
    bool asks(int from, const Step& step) const;
    void send(int rank, StepId id, double begin);
    double travel(int from, const Step& step, double time);
    void match(const Key& key);
    void count(int from, int to, Bytes bytes);

    std::span<const Plan> plans_;
    const Nodes& nodes_;
    const Model& model_;
    Timeline* timeline_;
    std::vector<double> free_; // when each rank is
    std::vector<std::vector<std::int32_t>> needs_;
    std::vector<Card> out_, in_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::unordered_map<Key, Channel, Hash> channels_;
    std::map<std::pair<int, int>, int> pairs_; // messages from one node to another
    std::int64_t number_ = 0, left_ = 0;
    Simulated found_;
};

Clock::Legs Clock::legs(int rank, int peer) const {
    const Link link = model_.link(nodes_.shared(rank, peer));
    const double taking = std::clamp(link.latency_us - link.overhead_us, 0.0, link.taking_us);
    return {link.overhead_us, std::max(link.latency_us - link.overhead_us - taking, 0.0), taking};
}

double Clock::work(int rank, StepId id, double time, double duration) {
    double& free = free_[at(rank)];
    const double begin = std::max(free, time);
    free = begin + duration;
    if (timeline_) {
        StepTimes& times = timeline_->steps[at(rank)][at(id)];
        times.begin = begin;
        times.end = free;
    }
    return free;
}

void Clock::release(int rank, double time, std::span<const StepId> successors) {
    for (const StepId id : successors)
        if (--needs_[at(rank)][at(id)] == 0) push(time, rank, id, false);
}

void Clock::done(int rank, StepId id, double time) {
    --left_;
    found_.us = std::max(found_.us, time);
    release(rank, time, plans_[at(rank)].after(step(rank, id)));
}

void Clock::begin(const Event& event) {
    const Step& step = this->step(event.rank, event.step);
    const auto bytes = static_cast<double>(step.bytes);
    if (timeline_) timeline_->steps[at(event.rank)][at(event.step)].ready = event.time;
    switch (step.action) {
    case Action::send: return send(event.rank, event.step, event.time);
    case Action::recv:
    case Action::combine: {
        const Key key{step.peer, event.rank, step.tag_offset};
        channels_[key].awaited.push_back({event.time, event.step});
        return match(key);
    }
    case Action::copy:
        return done(event.rank, event.step,
                    work(event.rank, event.step, event.time, bytes * model_.copy_us));
    default:
        return done(event.rank, event.step,
                    work(event.rank, event.step, event.time, bytes * model_.reduce_us));
    }
}

bool Clock::asks(int from, const Step& step) const {
    return crosses(from, step.peer) && model_.rendezvous_us > 0 &&
           static_cast<double>(step.bytes) >= model_.eager_bytes;
}

void Clock::send(int rank, StepId id, double begin) {
    const Step& step = this->step(rank, id);
    const double time = work(rank, id, begin, legs(rank, step.peer).posting);
    const Key key{rank, step.peer, step.tag_offset};
    const bool is_asked_for = asks(rank, step);
    channels_[key].sent.push_back({is_asked_for ? time : travel(rank, step, time), id, time});
    if (!is_asked_for) done(rank, id, time);
    match(key);
}

// Returns when it is there.
double Clock::travel(int from, const Step& step, double time) {
    const auto bytes = static_cast<double>(step.bytes);
    const double way = legs(from, step.peer).way;
    if (!crosses(from, step.peer))
        return time + way + bytes * model_.link(nodes_.shared(from, step.peer)).per_byte_us;
    count(from, step.peer, step.bytes);
    const double duration = std::max(bytes * model_.per_byte_us, model_.gap_us);
    const double left = out_[at(nodes_.of(from))].begin(time, duration);
    return in_[at(nodes_.of(step.peer))].begin(left + way, duration) + duration;
}

void Clock::match(const Key& key) {
    Channel& channel = channels_[key];
    if (channel.sent.empty() || channel.awaited.empty()) return;
    const Half sent = channel.sent.front(), awaited = channel.awaited.front();
    channel.sent.pop_front();
    channel.awaited.pop_front();
    const Step& step = this->step(key.from, sent.step);
    double there = sent.time;
    if (asks(key.from, step)) {
        there = travel(key.from, step, std::max(there, awaited.time) + model_.rendezvous_us);
        done(key.from, sent.step, there - legs(key.from, key.to).way);
    }
    if (timeline_)
        timeline_->messages.push_back(
            {key.from, key.to, sent.step, awaited.step, sent.left, there});
    push(std::max(there, awaited.time), key.to, awaited.step, true);
}

void Clock::count(int from, int to, Bytes bytes) {
    found_.crossing += bytes;
    found_.messages = std::max(found_.messages, ++pairs_[{nodes_.of(from), nodes_.of(to)}]);
}

void Clock::receive(const Event& event) {
    const Step& step = this->step(event.rank, event.step);
    double takes = legs(event.rank, step.peer).taking;
    if (step.action == Action::combine) takes += static_cast<double>(step.bytes) * model_.reduce_us;
    done(event.rank, event.step, work(event.rank, event.step, event.time, takes));
}

std::optional<Simulated> Clock::run() {
    if (timeline_) *timeline_ = {};
    for (std::size_t rank = 0; rank < plans_.size(); ++rank) {
        if (timeline_) timeline_->steps.emplace_back(plans_[rank].steps.size());
        left_ += static_cast<std::int64_t>(plans_[rank].steps.size());
        needs_[rank].reserve(plans_[rank].steps.size());
        for (const Step& step : plans_[rank].steps) needs_[rank].push_back(step.needs);
        release(static_cast<int>(rank), 0, plans_[rank].after(plans_[rank].gates[0]));
    }
    while (!events_.empty()) {
        const Event event = events_.top();
        events_.pop();
        if (event.is_arrival)
            receive(event);
        else
            begin(event);
    }
    if (left_ > 0) return std::nullopt;
    return found_;
}

} // namespace

std::optional<Simulated> simulate(std::span<const Plan> plans, const Nodes& nodes,
                                  const Model& model, Timeline* timeline) {
    return Clock(plans, nodes, model, timeline).run();
}

} // namespace mpix::plan
