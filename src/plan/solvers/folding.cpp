// SPDX-License-Identifier: BSD-3-Clause
//
// The sum grows from rank 0 on. Where two and more come before this rank's own vector, their sum
// has a place of its own first.
#include "plan/solvers/folding.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace mpix::plan {
namespace {

// Rooms for what comes, by turns.
class Rooms {
  public:
    Rooms(Builder& plan, Bytes bytes, int count) {
        for (int room = 0; room < count; ++room) rooms_.push_back(plan.scratch(bytes));
    }
    const Place& next() { return rooms_[next_++ % rooms_.size()]; }

  private:
    std::vector<Place> rooms_;
    std::size_t next_ = 0;
};

// Those before `own`.
void fold_lower(Builder& plan, int rank, const Place& own, const Place& sum, Rooms& rooms) {
    if (rank == 1) return plan.combine(0, own, sum, rooms.next());
    const Place lower = plan.scratch(own.bytes);
    plan.recv(0, lower);
    for (int other = 1; other < rank; ++other)
        plan.combine(other, lower, lower, rooms.next(), false);
    plan.copy(own, sum);
    plan.reduce(lower, sum);
}

} // namespace

void fold_ranks(Builder& plan, int rank, int ranks, const Place& own, const Place& sum,
                int side_by_side) {
    if (ranks == 1) return plan.copy(own, sum);
    Rooms stages(plan, own.bytes, std::min(side_by_side, ranks - 1));
    if (rank > 0) fold_lower(plan, rank, own, sum, stages);
    for (int other = rank + 1; other < ranks; ++other)
        plan.combine(other, other == 1 ? own : sum, sum, stages.next(), false);
}

} // namespace mpix::plan
