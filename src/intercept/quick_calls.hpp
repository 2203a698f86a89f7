// SPDX-License-Identifier: BSD-3-Clause
//
// Start and Wait, of which a channel of short messages takes the quick way.
#pragma once

#include "intercept/completion.hpp"
#include "intercept/quick.hpp"

namespace mpix::intercept {

inline int start_quickly(MPI_Request* request) {
    progress::Operation* const operation = find_quick(request);
    if (operation && operation->is_plain() && operation->start_quickly()) return MPI_SUCCESS;
    return start(request);
}

inline int wait_quickly(MPI_Request* request, MPI_Status* status) {
    progress::Operation* const operation = find_quick(request);
    int code = MPI_SUCCESS;
    if (operation && operation->is_quick() && complete_quickly(*operation, status, code))
        return raised(*operation, code);
    return wait(request, status);
}

} // namespace mpix::intercept
