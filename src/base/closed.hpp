// SPDX-License-Identifier: BSD-3-Clause
//
// Whether MPI has ended for the library: from then on nothing is given back to the host, which is
// gone.
#pragma once

#include <atomic>

namespace mpix::base {

// Relaxed: who finalises has synchronised with every thread that used MPI.
inline constinit std::atomic<bool> closed{false};

inline bool is_closed() { return closed.load(std::memory_order_relaxed); }
inline void close() { closed.store(true, std::memory_order_relaxed); }

} // namespace mpix::base
