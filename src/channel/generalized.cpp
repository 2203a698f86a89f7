// SPDX-License-Identifier: BSD-3-Clause
//
// Making, cancelling and freeing generalized requests.
#include "channel/generalized.hpp"

#include "channel/local.hpp"
#include "plan/builder.hpp"

namespace mpix::channel {

using progress::Callbacks;
using progress::Operation;

std::unique_ptr<Operation> make_generalized(const Callbacks& callbacks) {
    auto operation = std::make_unique<Operation>(progress::About{
        .name = "MPIX_Pgrequest_init",
        .error_communicator = nowhere(),
        .callbacks = std::make_unique<Callbacks>(callbacks),
    });
    plan::Builder builder(1, 1);
    builder.call();
    bind_local(*operation, std::move(builder).finish({}, 0));
    return operation;
}

bool cancel(Operation& operation) {
    const Callbacks* const callbacks = operation.callbacks();
    const auto state = operation.state();
    if (!callbacks || !callbacks->cancel || !callbacks->has_begun ||
        state == Operation::State::inactive)
        return false;
    const bool is_complete = state == Operation::State::complete;
    operation.note(callbacks->cancel(callbacks->extra_state, is_complete));
    return true;
}

int free(const Operation& operation) {
    const Callbacks* const callbacks = operation.callbacks();
    return callbacks && callbacks->free ? callbacks->free(callbacks->extra_state) : MPI_SUCCESS;
}

} // namespace mpix::channel
