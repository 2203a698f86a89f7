// SPDX-License-Identifier: BSD-3-Clause
//
// Runs the plans of all ranks in one process, in random order, without MPI: the proof that a
// solver's plans move the right data, do not race and do not deadlock. Each message is eager
// (copied when it is sent) or rendezvous (read when it is received) by chance. A rank that has
// completed a round begins the next while others are still in the one before. Partitions become
// ready in random order, and one of them, if that is wanted, only when nothing else can happen.
#pragma once

#include "plan/plan.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <tuple>
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
        // A partition held back, and the arrivals that depend on it: all others must come.
        struct Hold {
            int rank = -1;
            int partition = 0;
            std::function<bool(int rank, int arrival)> delays;
        };
        Hold hold = {};
    };

    Simulator(const Program& program, std::uint64_t seed);

    std::string run(); // what went wrong first, or ""

  private:
    struct Rank {
        Memory memory;
        int round = 0;
        std::vector<std::int32_t> needs;
        std::size_t remaining = 0;
        std::vector<StepId> ready;
        std::vector<StepId> in_flight;
        std::vector<int> unready; // partitions
        bool holds = false;       // the one to be held back
        std::vector<bool> arrived;
    };
    struct Message {
        StepId step;
        bool eager;
        std::vector<std::byte> data;
    };
    struct Channel {
        std::deque<Message> sends;
        std::deque<StepId> receives;
    };
    using Key = std::tuple<int, int, int>; // from, to, lane

    const Plan& plan(int rank) const { return program_.plans[static_cast<std::size_t>(rank)]; }
    Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    std::byte* address(int rank, const Span& span);
    bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }
    void start(int rank);
    void open(int rank, std::size_t gate);
    void make_ready(int rank, int partition);
    bool release_held();
    void arrive(int rank, int arrival);
    void begin(int rank, StepId id);
    void perform(int rank, const Step& step);
    void reduce(int rank, const std::byte* in, std::byte* inout, Bytes bytes);
    void post(int rank, StepId id);
    void deliver(const Key& key);
    void complete(int rank, StepId id);
    void finish_if_done(int rank);
    void finish_round(int rank);
    void check_conflicts(int rank, StepId id);
    void fail(int rank, const std::string& what);

    const Program& program_;
    std::mt19937_64 random_;
    std::vector<Rank> ranks_;
    std::map<Key, Channel> channels_;
    std::vector<Key> matched_; // channels with a message and a receive, one entry a pair
    int eager_percent_;
    std::string error_;
};

} // namespace mpix::plan
