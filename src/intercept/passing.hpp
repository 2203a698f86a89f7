// SPDX-License-Identifier: BSD-3-Clause
//
// MPIX_DISABLE=1, or a library that does not belong here: the host's own persistent collectives and
// partitioned calls, under whatever name it has them.
#pragma once

#include "host/host.hpp"

#include <atomic>

namespace mpix::intercept {

// Asked by every call: looked up once.
extern std::atomic<signed char> disabled;
bool find_disabled();
inline bool is_disabled() {
    const signed char known = disabled.load(std::memory_order_relaxed);
    return known < 0 ? find_disabled() : known > 0;
}
void disable();

template<class Signature>
struct Missing;

template<class... Arguments>
struct Missing<int(Arguments...)> {
    static int raise(Arguments...) {
        return host::raise(MPI_COMM_WORLD, MPI_ERR_UNSUPPORTED_OPERATION);
    }
};

template<class Signature>
Signature* host_call(const char* name) {
    void* const found = host::find_collective(name);
    return found ? reinterpret_cast<Signature*>(found) : &Missing<Signature>::raise;
}

} // namespace mpix::intercept
