// SPDX-License-Identifier: BSD-3-Clause
//
// How often each of some events has been, on every rank that takes part in it alike.
#pragma once

#include <cstdint>
#include <mutex>
#include <new>
#include <unordered_map>

namespace mpix::run {

class Counts {
  public:
    // This time's number, from 1. Always 0 once the memory for one was missing: from there on the
    // other ranks count differently.
    std::uint64_t next(std::uint64_t event) noexcept {
        const std::lock_guard lock(mutex_);
        try {
            if (!is_lost_) return ++counts_[event];
        } catch (const std::bad_alloc&) {
            is_lost_ = true;
        }
        return 0;
    }

  private:
    std::mutex mutex_;
    std::unordered_map<std::uint64_t, std::uint64_t> counts_;
    bool is_lost_ = false;
};

} // namespace mpix::run
