// SPDX-License-Identifier: BSD-3-Clause
//
// One measuring of what messages within the node cost. A process that once knows them measures no
// more.
#pragma once

#include "node/course.hpp"

namespace mpix::run {

class Survey {
  public:
    // Takes the course of this process if `leads`, and there is anything to measure.
    explicit Survey(bool leads);
    ~Survey();
    Survey(const Survey&) = delete;
    Survey& operator=(const Survey&) = delete;

    node::Course* course() const { return course_; } // null: nothing is measured
    std::uint64_t run() const { return run_; }
    node::Costs lead() const { return course_->lead(run_); }

    static node::Costs known();
    static void learn(const node::Costs& costs);

  private:
    node::Course* course_ = nullptr;
    std::uint64_t run_ = 0;
};

} // namespace mpix::run
