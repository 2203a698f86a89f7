// SPDX-License-Identifier: BSD-3-Clause
//
// Start and Wait, of which a channel of short messages and what is complete take the quick way, and
// Testany of what is the host's, which programs call by the million.
#pragma once

#include "intercept/batch.hpp"
#include "intercept/completion.hpp"
#include "intercept/quick.hpp"

namespace mpix::intercept {

inline int start_quickly(MPI_Request* request) {
    progress::Operation* const operation = find_plain(request);
    if (!operation) {
        Record* const message = find_message(request);
        return message ? start(*message, request) : start(request);
    }
    if (operation->start_quickly()) return MPI_SUCCESS;
    if (!operation->may_begin_wave()) return start(*operation);
    progress::engine().start_wave(*operation);
    return MPI_SUCCESS;
}

// MPICH 4.0 leaves the status of inactive requests unwritten.
inline int testany_quickly(int count, MPI_Request requests[], int* index, int* flag,
                           MPI_Status* status) {
    if (may_be_ours(count, requests)) return testany(count, requests, index, flag, status);
    const int code = HOST(Testany)(count, requests, index, flag, status);
    if (code == MPI_SUCCESS && *flag && *index == MPI_UNDEFINED) host::clear(status);
    return code;
}

// What is complete has nothing to wait for; others that are under way move all the same, but where
// a short message is there at the first look.
inline int wait_quickly(MPI_Request* request, MPI_Status* status) {
    progress::Operation* const operation = find_plain(request);
    if (!operation)
        if (Record* const message = find_message(request)) return wait(*message, status);
    if (!operation || !operation->completes_itself()) return wait(request, status);
    if (operation->state() == progress::Operation::State::complete &&
        !progress::engine().has_pending())
        return raised(*operation, finish(*operation, status));
    int code = MPI_SUCCESS;
    if (operation->is_in_wave()) return wait_for_wave(*operation, status);
    if (operation->is_quick() && complete_quickly(*operation, status, code))
        return raised(*operation, code);
    return operation->is_running() ? wait(*operation, status) : wait(request, status);
}

} // namespace mpix::intercept
