// SPDX-License-Identifier: BSD-3-Clause
//
// Which segment of which rank is which segment of another, by the definition of an operation that
// moves data.
#pragma once

#include "partitioned_cases.hpp"

namespace mpix::plan::test {

// Segment `out` of one rank is what segment `in` of another (or the same) receives.
struct Flow {
    int from;
    std::size_t out;
    int to;
    std::size_t in;
    bool stays = false; // in place, where it is
};

// Who sends what to whom, in the order of the messages between two ranks.
struct Wiring {
    explicit Wiring(const Parted& parted, Dice& dice);

    std::vector<std::size_t> outs, ins; // how many segments each rank has
    std::vector<std::vector<std::size_t>> recv_order;
    std::vector<Flow> flows;

  private:
    void connect(int from, std::size_t out, int to, std::size_t in) {
        const bool stays = p_.in_place && from == to;
        flows.push_back({from, out, to, in, stays});
    }
    void wire_ranks();
    void wire_neighbors(Dice& dice);
    void take_in(int rank, std::vector<Flow> edges, Dice& dice);

    const Parted& p_;
};

} // namespace mpix::plan::test
