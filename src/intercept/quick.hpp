// SPDX-License-Identifier: BSD-3-Clause
//
// What a channel of short messages needs of a Start and a Wait: a look-up, and a look at a line of
// memory. All else goes the longer way, as do programs whose threads are in MPI at once, which need
// a lock.
#pragma once

#include "host/host.hpp"
#include "intercept/handles.hpp"
#include "progress/engine.hpp"

namespace mpix::intercept {

// One of ours, where one may be of the quick ones.
inline progress::Operation* find_quick(const MPI_Request* request) {
    if (!progress::Operation::any_quick() || progress::engine().is_threaded() || !request)
        return nullptr;
    return handles().find_again(*request);
}

inline int raised(const progress::Operation& operation, int code) {
    return code == MPI_SUCCESS ? code : host::raise(operation.errors_to(), code);
}

// One look at a quick one. False if it is not complete.
inline bool complete_quickly(progress::Operation& operation, MPI_Status* status, int& code) {
    if (!operation.is_done_quickly()) return false;
    if (status != MPI_STATUS_IGNORE) operation.tell(status);
    code = operation.finish();
    return true;
}

} // namespace mpix::intercept
