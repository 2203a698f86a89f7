// SPDX-License-Identifier: BSD-3-Clause
//
// The table of solvers. A new solver is a file under solvers/ and two lines here.
#include "plan/solver.hpp"

namespace mpix::plan {

extern const Solver allreduce_recursive_doubling;
extern const Solver barrier_dissemination;

std::span<const Solver* const> catalogue() {
  static constexpr const Solver* solvers[] = {
      &allreduce_recursive_doubling,
      &barrier_dissemination,
  };
  return solvers;
}

} // namespace mpix::plan
