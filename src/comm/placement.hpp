// SPDX-License-Identifier: BSD-3-Clause
//
// Which ranks of a communicator share memory, found out by two numbers of each. Who shares none is
// a node of its own.
#pragma once

#include "comm/exchange.hpp"
#include "comm/spot.hpp"
#include "plan/nodes.hpp"

#include <cstdint>
#include <vector>

namespace mpix::comm {

// Where a rank is.
struct Site {
    static constexpr std::uint64_t alone = 0;   // it wants none
    static constexpr std::uint64_t refused = 1; // it can have none

    std::uint64_t machine = 0;
    std::uint64_t memory = alone; // equal for those that share it
    Spot spot = {};               // in the machine

    bool is_alone() const { return memory == alone || memory == refused; }
};

class Placement {
  public:
    // Local: all the memory that finding takes, but for the nodes.
    Placement(int ranks, int most_mates);

    // Collective. False if there was no memory: then nothing is known of the nodes.
    bool find(const Ranks& ranks, const Site& own);

    const plan::Nodes& nodes() const { return nodes_; }
    const std::vector<int>& mates() const { return mates_; } // this rank among them
    int self() const { return self_; }                       // its position there
    int elsewhere() const { return elsewhere_; } // the first rank on another machine, or -1
    int refused() const { return refused_; }     // the first that can have no memory, or -1

  private:
    template<class Of>
    int number_by(std::vector<int>& numbers, Of of);
    int number_nodes();
    plan::Nodes parts(int nodes);

    std::vector<Site> sites_;
    std::vector<int> node_of_, part_of_, order_;
    plan::Nodes nodes_;
    std::vector<int> mates_;
    int self_ = 0;
    int elsewhere_ = -1;
    int refused_ = -1;
};

} // namespace mpix::comm
