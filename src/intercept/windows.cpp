// SPDX-License-Identifier: BSD-3-Clause
//
// Moving the plans, and asking the host.
#include "intercept/windows.hpp"

#include "progress/engine.hpp"

namespace mpix::intercept {

int win_test(MPI_Win win, int* flag) {
    if (progress::engine().has_pending()) {
        const progress::Engine::Guard guard(progress::engine());
        progress::engine().progress();
    }
    return HOST(Win_test)(win, flag);
}

} // namespace mpix::intercept
