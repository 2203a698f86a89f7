// SPDX-License-Identifier: BSD-3-Clause
//
// Calling the program's functions, and what they return.
#include "progress/callbacks.hpp"

#include "host/host.hpp"

namespace mpix::progress {

void Callbacks::begin_round() {
    has_begun = false;
    host::clear(&status);
}

bool Callbacks::turn(int& code) {
    if (!has_begun) {
        has_begun = true;
        code = start(extra_state);
        return code != MPI_SUCCESS;
    }
    int flag = 0;
    code = poll(extra_state, &flag);
    if (code != MPI_SUCCESS) return true;
    if (flag && query) code = query(extra_state, &status);
    return flag;
}

void Callbacks::tell(MPI_Status* to) const {
    if (to == MPI_STATUS_IGNORE) return;
    const int error = to->MPI_ERROR;
    *to = status;
    to->MPI_ERROR = error;
}

} // namespace mpix::progress
