// SPDX-License-Identifier: BSD-3-Clause
//
// A queue with both its ends in this process, between margins that nobody may touch, and data that
// differ from round to round.
#pragma once

#include "shmem/queue.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace mpix::shmem::test {

struct Shape {
    Protocol protocol = Protocol::staged;
    std::uint64_t bytes = 0;
    std::uint32_t chunk = 0;
    std::uint16_t slots = 2;
    std::uint8_t acknowledge_every = 1;
    bool shares_lines = false;
    bool streams = false;
    bool may_leave = false;

    // The segment begins where the slots do.
    Design design() const {
        Design made;
        made.bytes = bytes;
        made.protocol = protocol;
        made.chunk = chunk;
        made.slots = slots;
        made.acknowledge_every = acknowledge_every;
        made.shares_lines = shares_lines;
        made.streams = streams;
        made.may_leave = may_leave;
        return made;
    }
    bool may_be_read() const { return protocol == Protocol::read || may_leave; }
    std::string text() const {
        const char* const ways[] = {"staged", "mapped", "read"};
        return std::string(ways[static_cast<int>(protocol)]) + ", " + std::to_string(bytes) +
               " B in " + std::to_string(slots) + " slots of " + std::to_string(chunk) +
               (shares_lines ? " that share lines" : "") + (streams ? " past the caches" : "") +
               (may_leave ? " or left" : "") + ", acknowledged every " +
               std::to_string(acknowledge_every);
    }
};

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t x = (a + 1) * 0x9E3779B97F4A7C15u ^ (b + 1) * 0xC2B2AE3D27D4EB4Fu;
    return x ^ x >> 29;
}

// Calls use(at, value, bytes) for each word of the message of a round.
template<class Use>
void for_words(std::uint64_t bytes, std::uint64_t round, Use use) {
    for (std::uint64_t at = 0; at < bytes; at += 8)
        use(at, mix(round, at), std::min<std::uint64_t>(8, bytes - at));
}

inline void fill(std::byte* to, std::uint64_t bytes, std::uint64_t round) {
    for_words(bytes, round, [to](std::uint64_t at, std::uint64_t value, std::uint64_t size) {
        std::memcpy(to + at, &value, size);
    });
}

inline bool holds(const std::byte* data, std::uint64_t bytes, std::uint64_t round) {
    bool same = true;
    for_words(bytes, round, [&](std::uint64_t at, std::uint64_t value, std::uint64_t size) {
        same = same && std::memcmp(data + at, &value, size) == 0;
    });
    return same;
}

// Zeroed memory between margins.
class Guarded {
  public:
    explicit Guarded(std::uint64_t bytes)
        : bytes_(bytes), memory_(bytes + 3 * cache_line, untouched) {
        const auto past = reinterpret_cast<std::uintptr_t>(memory_.data()) % cache_line;
        at_ = memory_.data() + 2 * cache_line - past;
        std::fill(at_, at_ + bytes, std::byte{0});
    }
    std::byte* at() const { return at_; }
    bool is_intact() const {
        const std::byte* const begin = memory_.data();
        const auto is_margin = [](std::byte byte) { return byte == untouched; };
        return std::all_of(begin, static_cast<const std::byte*>(at_), is_margin) &&
               std::all_of(at_ + bytes_, at_ + bytes_ + cache_line, is_margin);
    }

  private:
    static constexpr std::byte untouched{0xa5};
    const std::uint64_t bytes_;
    std::vector<std::byte> memory_;
    std::byte* at_;
};

class Wire {
  public:
    // The source stands outside the segment, which is all the same.
    explicit Wire(const Shape& wanted)
        : shape(wanted), source(wanted.bytes), place_(wanted.design().size()),
          out(wanted.design(), place_.at()), in(wanted.design(), place_.at(), getpid()) {}

    bool is_intact() const { return place_.is_intact() && source.is_intact(); }

    const Shape shape;
    const Guarded source;

  private:
    const Guarded place_;

  public:
    Sender out;
    Receiver in;
};

// Begins a round; of messages that may be left every other one is.
inline void begin(Sender& out, const std::byte* from, std::uint64_t round) {
    if (out.may_leave() && round % 2 == 1)
        out.leave(from);
    else
        out.begin(from);
}

// Some machines let nobody read the memory of a process, not even itself.
inline bool can_read() {
    Wire wire({Protocol::read, 8, 0, 2});
    wire.out.begin(wire.source.at());
    wire.out.proceed();
    wire.in.begin();
    std::uint64_t to = 0;
    return wire.in.copy_to(reinterpret_cast<std::byte*>(&to)) && !wire.in.failed();
}

// The two slots of a message that the receiver answers in each round.
inline Shape answered(std::uint64_t bytes) {
    return {Protocol::staged, bytes, static_cast<std::uint32_t>(bytes), 2, 0};
}

// Every way of a message of this size that works here, acknowledged.
inline std::vector<Shape> shapes(std::uint64_t bytes) {
    std::vector<Shape> made;
    const auto whole = static_cast<std::uint32_t>(bytes);
    for (const std::uint16_t slots : std::initializer_list<std::uint16_t>{2, 4, 8}) {
        made.push_back({Protocol::staged, bytes, whole, slots});
        if (whole > Design::small)
            made.push_back({Protocol::staged, bytes, whole, slots, 1, false, true});
        for (const std::uint32_t chunk : {8u, 504u, 512u, 16'384u})
            if (chunk < bytes) made.push_back({Protocol::staged, bytes, chunk, slots});
        for (const std::uint32_t chunk : {512u, 1'104u, 16'384u})
            if (chunk < bytes)
                made.push_back({Protocol::staged, bytes, chunk, slots, 1, false, true});
    }
    if (bytes <= 512) { // ahead by many, as channels.cpp has it, and by few
        made.push_back({Protocol::staged, bytes, whole, 32, 8, true});
        made.push_back({Protocol::staged, bytes, whole, 4, 2, true});
        made.push_back({Protocol::staged, bytes, whole, 4, 4, false});
    }
    made.push_back({Protocol::mapped, bytes, 0, 2});
    static const bool is_readable = can_read();
    if (!is_readable) return made;
    made.push_back({Protocol::read, bytes, 0, 2});
    if (bytes <= Design::small) return made;
    for (const bool streams : {false, true})
        for (const std::uint32_t chunk : {whole, 512u, 1'104u})
            if (chunk <= bytes)
                made.push_back({Protocol::staged, bytes, chunk, 4, 1, false, streams, true});
    return made;
}

inline constexpr std::uint64_t sizes[] = {0,   1,   7,     8,     9,     56,     504,
                                          505, 512, 4'096, 8'192, 8'193, 100'000};

} // namespace mpix::shmem::test
