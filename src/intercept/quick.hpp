// SPDX-License-Identifier: BSD-3-Clause
//
// What a channel of short messages needs of a Start and a Wait, a Wait for what is done, and a
// persistent message of the host's: a look-up, and a look at a line of memory. All else goes the
// longer way, as do programs whose threads are in MPI at once, which need a lock.
#pragma once

#include "host/host.hpp"
#include "intercept/handles.hpp"
#include "intercept/point_to_point.hpp"
#include "progress/engine.hpp"
#include "progress/quick_rounds.hpp"

namespace mpix::intercept {

// One of ours that has nothing to do with others, where no lock is needed.
inline progress::Operation* find_plain(const MPI_Request* request) {
    if (!handles().any() || progress::engine().is_threaded() || !request) return nullptr;
    progress::Operation* const operation = handles().find_again(*request);
    return operation && operation->is_plain() ? operation : nullptr;
}

// A message that is completed here, where no lock is needed.
inline Record* find_message(const MPI_Request* request) {
    if (!completes_records() || progress::engine().is_threaded() || !request) return nullptr;
    if (handles().any() && handles().holds_any({request, 1})) return nullptr;
    Record* const record = records().find(*request);
    return record && record->is_completed_here() ? record : nullptr;
}

inline int raised(const progress::Operation& operation, int code) {
    return code == MPI_SUCCESS ? code : host::raise(operation.errors_to(), code);
}

inline int raised(const Record& message, int code) {
    return code == MPI_SUCCESS || message.is_raised() ? code
                                                      : host::raise(message.errors_to(), code);
}

// One that is complete. Returns its error.
inline int finish(progress::Operation& operation, MPI_Status* status) {
    if (status != MPI_STATUS_IGNORE) operation.tell(status);
    return operation.finish();
}

// One look at a quick one. False if it is not complete.
inline bool complete_quickly(progress::Operation& operation, MPI_Status* status, int& code) {
    if (!operation.is_done_quickly()) return false;
    code = finish(operation, status);
    return true;
}

} // namespace mpix::intercept
