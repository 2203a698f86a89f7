// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of this process alone, which have no messages and no communicator.
#pragma once

#include "progress/operation.hpp"

namespace mpix::channel {

// Where their errors are raised: MPI_COMM_WORLD.
inline std::shared_ptr<const progress::ErrorCommunicator> nowhere() {
    return std::make_shared<const progress::ErrorCommunicator>(MPI_COMM_NULL);
}

inline void bind_local(progress::Operation& operation, plan::Plan plan) {
    operation.bind(std::move(plan), {}, {}, [](const plan::Plan& bound, const auto&) {
        return std::make_unique<progress::Links>(bound);
    });
}

} // namespace mpix::channel
