// SPDX-License-Identifier: BSD-3-Clause
//
// Where indices of our own stand among the host's: behind those that it has when somebody first
// asks. What the host adds later comes behind ours, so that no index ever changes its meaning.
#pragma once

#include "intercept/tool_calls.hpp"

#include <atomic>
#include <cstddef>
#include <span>

namespace mpix::intercept::tools {

class Indices {
  public:
    constexpr Indices(int (*count_theirs)(int*), int (*count_ours)())
        : count_theirs_(count_theirs), count_ours_(count_ours) {}

    // How many there are, as a tool sees them. A host that has fewer than it had has begun anew,
    // and so do ours.
    int count(int* all) {
        const int code = count_theirs_(all);
        if (code != MPI_SUCCESS || !all) return code;
        if (first_.load(std::memory_order_relaxed) < 0 || *all < first()) first_.store(*all);
        *all += count_ours_();
        return MPI_SUCCESS;
    }

    // Before the others. Returns an error where the interface has not begun.
    int settle() {
        int ignored = 0;
        return has_begun() ? count(&ignored) : MPI_T_ERR_NOT_INITIALIZED;
    }

    // The same, for an index that a tool hands in: Open MPI 4.1 crashes where that is nobody's.
    int check(int index) {
        int all = 0;
        if (!has_begun()) return MPI_T_ERR_NOT_INITIALIZED;
        if (const int code = count(&all)) return code;
        return index >= 0 && index < all ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX;
    }

    bool is_ours(int index) const { return index >= first() && index - first() < count_ours_(); }
    int ours(int index) const { return index - first(); }
    int theirs(int index) const { return index < first() ? index : index - count_ours_(); }
    // As a tool sees them.
    int of_ours(int own) const { return own + first(); }
    int of_theirs(int index) const { return index < first() ? index : index + count_ours_(); }

    // The host's that it has written, and the first of ours.
    void show_theirs(std::span<int> indices) const {
        for (int& index : indices) index = of_theirs(index);
    }
    void show_ours(std::span<int> indices) const {
        for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = of_ours(static_cast<int>(i));
    }

  private:
    // Relaxed: it is a number alone.
    int first() const { return first_.load(std::memory_order_relaxed); }

    int (*const count_theirs_)(int*);
    int (*const count_ours_)();
    std::atomic<int> first_{-1}; // of ours; not known yet
};

extern Indices control_indices, performance_indices, category_indices;

} // namespace mpix::intercept::tools
