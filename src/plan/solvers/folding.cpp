// SPDX-License-Identifier: BSD-3-Clause
//
// The sum grows from rank 0 on. Where two and more come before this rank's own vector, their sum
// has a place of its own first.
#include "plan/solvers/folding.hpp"

namespace mpix::plan {
namespace {

// Those before `own`.
void fold_lower(Builder& plan, int rank, const Place& own, const Place& sum, const Place& stage) {
    if (rank == 1) return plan.combine(0, own, sum, stage);
    const Place lower = plan.scratch(own.bytes);
    plan.recv(0, lower);
    for (int other = 1; other < rank; ++other) plan.combine(other, lower, lower, stage, false);
    plan.copy(own, sum);
    plan.reduce(lower, sum);
}

} // namespace

void fold_ranks(Builder& plan, int rank, int ranks, const Place& own, const Place& sum) {
    if (ranks == 1) return plan.copy(own, sum);
    const Place stage = plan.scratch(own.bytes);
    if (rank > 0) fold_lower(plan, rank, own, sum, stage);
    for (int other = rank + 1; other < ranks; ++other)
        plan.combine(other, other == 1 ? own : sum, sum, stage, false);
}

} // namespace mpix::plan
