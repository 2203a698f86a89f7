// SPDX-License-Identifier: BSD-3-Clause
//
// The solvers of one operation at one size against each other. Prints nothing.
#pragma once

#include "bench/collectives/measure.hpp"
#include "tools/tune/finding.hpp"

#include <cstddef>
#include <vector>

namespace mpix::tune {

class Trial {
  public:
    Trial(const bench::HostLibrary& host, const bench::Ranks& ranks, const bench::Pace& pace)
        : host_(host), ranks_(ranks), pace_(pace) {}

    // All collective.
    Finding run(const bench::Operation& operation, std::size_t bytes) const;
    bool is_one_node() const;

  private:
    // The solver that an init takes where one is wished for, or none.
    Solver taken(const bench::Operation& operation, std::size_t bytes, const char* wish) const;
    std::vector<Solver> applicable(const bench::Operation& operation, std::size_t bytes) const;
    // In the order of the solvers. The contenders in the times are gone.
    std::vector<bench::Times> race(const bench::Operation& operation, std::size_t bytes,
                                   const std::vector<Solver>& solvers) const;

    const bench::HostLibrary& host_;
    const bench::Ranks& ranks_;
    const bench::Pace pace_;
};

} // namespace mpix::tune
