// SPDX-License-Identifier: BSD-3-Clause
//
// What must come before what, over the plans of all ranks: gates and steps before their successors,
// and the end of a send before the end of its receive.
#pragma once

#include "plan/plan.hpp"

namespace mpix::plan::test {

class Order {
  public:
    explicit Order(const std::vector<Plan>& plans);

    // Numbers of steps and gates.
    int step(std::size_t rank, StepId id) const { return first_[rank] + id; }
    int gate(std::size_t rank, std::size_t gate) const {
        return first_gate_[rank] + static_cast<int>(gate);
    }

    // What follows, by number; but not by way of one step, if that is given.
    std::vector<bool> after(int earlier, int without = -1) const;
    // Whether `later` waits for `earlier` even without the edge between them. What comes from the
    // other ranks counts: a message that has gone round has left its buffer.
    bool implied(int earlier, int later) const;

  private:
    static std::size_t index(int number) { return static_cast<std::size_t>(number); }
    void connect(int earlier, int later);

    std::vector<int> first_, first_gate_; // the number of each rank's step 0 and gate 0
    std::vector<std::vector<int>> after_;
    std::vector<std::vector<int>> needs_;
};

} // namespace mpix::plan::test
