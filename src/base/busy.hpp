// SPDX-License-Identifier: BSD-3-Clause
//
// Marks the engine busy: host calls made by a step may come back through the progress hook.
#pragma once

#include <utility>

namespace mpix::base {

class Busy {
  public:
    explicit Busy(bool& flag) : flag_(flag), before_(std::exchange(flag, true)) {}
    ~Busy() { flag_ = before_; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

  private:
    bool& flag_;
    const bool before_;
};

} // namespace mpix::base
