// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of the simulated ranks, from when a part of one is sent or awaited until it is there.
#include "plan/simulator.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mpix::plan {

// A message has to be on its way before the next one with its tag; or be awaited.
int Simulator::enter(End& end, int rank, const Part& part) {
    if (end.left == 0) end = {part.id, size(step(rank, part.id)), end.number + 1};
    if (end.step != part.id) fail(rank, "two messages are mixed under their tag");
    end.left -= part.end - part.begin;
    return end.number;
}

void Simulator::post(int rank, const Part& part) {
    const Step step = restrict(rank, part);
    const auto bytes = static_cast<std::size_t>(step.bytes);
    at(rank).in_flight.push_back(part);
    if (receives(step.action)) {
        const Key key{step.peer, rank, step.tag_offset};
        Channel& channel = channels_[key];
        const Span& into = step.action == Action::combine ? step.stage : step.to;
        if (bytes > 0) std::memset(address(rank, into), 0xee, bytes);
        channel.receives.push_back({part, enter(channel.in, rank, part)});
        return match(key);
    }
    const Key key{rank, step.peer, step.tag_offset};
    Channel& channel = channels_[key];
    Sent message{part, enter(channel.out, rank, part), chance(eager_percent_), {}};
    const Step& whole = this->step(rank, part.id);
    if (message.eager) {
        const std::byte* data = address(rank, whole.from);
        message.data.assign(data, data + whole.bytes);
    }
    const bool is_eager = message.eager;
    channel.sends.push_back(std::move(message));
    match(key);
    if (is_eager) complete(rank, part);
}

// Of the first message of which there are any.
std::vector<Simulator::Pair> Simulator::pairs(const Channel& channel) {
    std::vector<Pair> found;
    int first = 0;
    for (std::size_t r = 0; r < channel.receives.size(); ++r)
        for (std::size_t s = 0; s < channel.sends.size(); ++s) {
            const Sent& sent = channel.sends[s];
            const Awaited& into = channel.receives[r];
            if (sent.number != into.number || (!found.empty() && first < sent.number)) continue;
            if (std::max(sent.begin, into.begin) >= std::min(sent.end, into.end)) continue;
            if (std::exchange(first, sent.number) > sent.number) found.clear();
            found.push_back({s, r});
        }
    return found;
}

void Simulator::match(const Key& key) {
    if (!pairs(channels_[key]).empty() && std::ranges::find(matched_, key) == matched_.end())
        matched_.push_back(key);
}

void Simulator::deliver(const Key& key) {
    const auto [from, to, tag] = key;
    Channel& channel = channels_[key];
    const std::vector<Pair> all = pairs(channel);
    const auto [s, r] = all[random_() % all.size()];
    const Sent message = channel.sends[s];
    const Awaited receive = channel.receives[r];
    if (step(from, message.id).bytes != step(to, receive.id).bytes)
        return fail(to, "a message of another size");
    const Bytes begin = std::max(message.begin, receive.begin);
    const Bytes end = std::min(message.end, receive.end);
    cut(channel.sends, s, begin, end);
    cut(channel.receives, r, begin, end);
    match(key);
    const Part source{message.id, begin, end}, part{receive.id, begin, end};
    const Step sink = restrict(to, part);
    const std::byte* data =
        message.eager ? message.data.data() + begin : address(from, restrict(from, source).from);
    const Span& into = sink.action == Action::combine ? sink.stage : sink.to;
    if (sink.bytes > 0) std::memcpy(address(to, into), data, static_cast<std::size_t>(sink.bytes));
    perform(to, part);
    if (!message.eager) complete(from, source);
    complete(to, part);
}

} // namespace mpix::plan
