// SPDX-License-Identifier: BSD-3-Clause
//
// The solvers of one operation at one size against each other. Prints nothing.
#pragma once

#include "bench/measure.hpp"
#include "plan/solver.hpp"

#include <cstddef>
#include <string_view>

namespace mpix::tune {

struct Solver {
    const plan::Solver* solver = nullptr; // null delegates

    std::string_view name() const { return solver ? solver->name : "delegate"; }
    friend bool operator==(const Solver&, const Solver&) = default;
};

struct Finding {
    Solver usual;   // what the planner takes of itself
    Solver fastest; // the same, unless another one is faster by the least gain
    double gain;    // time of the usual one over that of the fastest
};

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
