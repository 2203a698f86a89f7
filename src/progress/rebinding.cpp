// SPDX-License-Identifier: BSD-3-Clause
//
// Other buffers for what is planned. It tells nobody: where a message is taken from its sender's
// memory its address travels with it.
#include "progress/operation.hpp"

#include "host/failure.hpp"

#include <utility>

namespace mpix::progress {
namespace {

// Those that the others have not.
void free_receives(std::vector<Bound>& bounds, const std::vector<Bound>& others) {
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        MPI_Request& receive = bounds[i].receive;
        if (receive != MPI_REQUEST_NULL && receive != others[i].receive)
            HOST(Request_free)(&receive);
    }
}

} // namespace

void Operation::rebind(const Places& to) {
    if (!is_bound_) {
        rebound_ = to;
        return;
    }
    std::vector<Bound> bounds = bound_;
    const Places before = binding_.places();
    binding_.move(to);
    try {
        for (std::size_t i = 0; i < bounds.size(); ++i) rebind_step(plan_.steps[i], bounds[i]);
    } catch (...) {
        free_receives(bounds, bound_);
        binding_.move(before);
        throw;
    }
    std::swap(bound_, bounds);
    free_receives(bounds, bound_);
    if (has_gates()) partitions()->send.rebind([this](plan::StepId id) { return bound(id).from; });
}

// The host's receive is made for one place. The old one stays.
void Operation::rebind_step(const plan::Step& step, Bound& bound) const {
    if (step.action == plan::Action::delegate) return;
    const Bound before = bound;
    set_addresses(step, bound);
    if (bound.out && !bound.out->reach(bound.from))
        throw host::Failure{
            host::error_code(MPI_ERR_NO_MEM, "no memory to send from the new buffer")};
    const bool has_moved = bound.to != before.to || bound.stage != before.stage;
    if (bound.receive == MPI_REQUEST_NULL || !has_moved) return;
    bound.receive = MPI_REQUEST_NULL;
    host::check(init_receive(step, bound));
}

} // namespace mpix::progress
