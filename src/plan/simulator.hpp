// SPDX-License-Identifier: BSD-3-Clause
//
// Runs the plans of all ranks in one process, in random order, without MPI: the proof that a
// solver's plans move the right data, do not race and do not deadlock. Each message is eager
// (copied when it is sent) or rendezvous (read when it is received) by chance. A rank that has
// completed a round begins the next while others are still in the one before. Partitions become
// ready in random order, and some of one rank, if that is wanted, only when nothing else can
// happen. A round may go on in fragments, on each rank from any moment on: parts of steps are
// executed as soon as they may be, or parts of those, and messages come in parts in any order.
#pragma once

#include "plan/fragments.hpp"
#include "plan/plan.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace mpix::plan {

// The buffers of one rank. Blocks are kept apart from each other.
struct Memory {
    std::vector<std::byte> send;
    std::vector<std::byte> recv;
    std::vector<std::byte> scratch;
    std::vector<std::vector<std::byte>> send_blocks;
    std::vector<std::vector<std::byte>> recv_blocks;
};

class Simulator {
  public:
    struct Program {
        std::vector<Plan> plans;                                        // of each rank
        std::function<void(int rank, int round, Memory&)> fill;         // before Start
        std::function<std::string(int rank, int round, Memory&)> check; // what is wrong, or ""
        // inout = in (op) inout; what is wrong, or "".
        std::function<std::string(const std::byte* in, std::byte* inout, Bytes bytes)> combine;
        int rounds = 1;

        // Of partitioned plans. `ready` writes a partition's data, right before its gate opens;
        // `check_arrival` looks at what is there at the moment it arrives.
        std::function<void(int rank, int round, int partition, Memory&)> ready;
        std::function<std::string(int rank, int round, int arrival, Memory&)> check_arrival;
        bool in_fragments = false; // which are multiples of the grain
        Bytes grain = 1;
        // Partitions held back, and the arrivals that depend on them: all others must come.
        struct Hold {
            int rank = -1;
            std::vector<int> partitions = {};
            std::function<bool(int rank, int arrival)> delays;
        };
        Hold hold = {};
    };

    Simulator(const Program& program, std::uint64_t seed);

    std::string run(); // what went wrong first, or ""

  private:
    // Bytes of a step, as fragments have them.
    struct Part {
        StepId id;
        Bytes begin, end;
    };
    struct Rank {
        Memory memory;
        int round = 0;
        std::vector<std::int32_t> needs;
        std::vector<Fragments::Set> done; // of each step
        std::size_t remaining = 0;
        std::vector<Part> ready;
        std::vector<Part> in_flight;
        std::vector<int> unready; // partitions
        bool holds = false;       // those to be held back
        std::vector<bool> marked;
        std::vector<bool> arrived;
        std::optional<Fragments> fragments;
        std::vector<bool> begun; // steps, before that
    };
    // Parts of the messages with a tag, which are numbered at both ends.
    struct Sent : Part {
        int number;
        bool eager;
        std::vector<std::byte> data; // of the whole message
    };
    struct Awaited : Part {
        int number;
    };
    struct End {
        StepId step = -1;
        Bytes left = 0;
        int number = 0;
    };
    struct Channel {
        std::vector<Sent> sends;
        std::vector<Awaited> receives;
        End out, in;
    };
    using Pair = std::pair<std::size_t, std::size_t>; // what is sent, where it is awaited
    using Key = std::tuple<int, int, int>;            // from, to, tag

    const Plan& plan(int rank) const { return program_.plans[static_cast<std::size_t>(rank)]; }
    const Step& step(int rank, StepId id) const {
        return plan(rank).steps[static_cast<std::size_t>(id)];
    }
    static Bytes size(const Step& step) { return std::max<Bytes>(step.bytes, 1); }
    template<class T>
    static T take(std::vector<T>& from, std::size_t index) {
        if (index + 1 < from.size()) std::swap(from[index], from.back());
        T taken = std::move(from.back());
        from.pop_back();
        return taken;
    }
    // Takes [begin, end) out of one of them.
    template<class T>
    static void cut(std::vector<T>& from, std::size_t index, Bytes begin, Bytes end) {
        T whole = take(from, index);
        if (end < whole.end) from.emplace_back(whole).begin = end;
        if (whole.begin < begin) from.emplace_back(std::move(whole)).end = begin;
    }
    Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    std::byte* address(int rank, const Span& span);
    bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }
    void start(int rank);
    void open(int rank, std::size_t gate);
    void make_ready(int rank, int partition);
    bool release_held();
    bool fragment_all();
    void fragment(int rank);
    void take_fragments(int rank);
    Part some_of(int rank, Part part);
    Step restrict(int rank, const Part& part);
    void copy_all(int rank, const Step& step);
    void arrive(int rank, int arrival);
    void arrive(int rank, const Part& part);
    void begin(int rank, Part part);
    void perform(int rank, const Part& part);
    void reduce(int rank, const std::byte* in, std::byte* inout, Bytes bytes);
    int enter(End& end, int rank, const Part& part);
    void post(int rank, const Part& part);
    static std::vector<Pair> pairs(const Channel& channel);
    void match(const Key& key);
    void deliver(const Key& key);
    void complete(int rank, const Part& part);
    void finish_if_done(int rank);
    void finish_round(int rank);
    void check_conflicts(int rank, const Part& part);
    void fail(int rank, const std::string& what);

    const Program& program_;
    std::mt19937_64 random_;
    std::vector<Rank> ranks_;
    std::map<Key, Channel> channels_;
    std::vector<Key> matched_; // channels with a message and a receive
    int eager_percent_;
    std::string error_;
};

} // namespace mpix::plan
