// SPDX-License-Identifier: BSD-3-Clause
//
// What is told of a message.
#include "intercept/message_trace.hpp"

#include "host/host.hpp"

#include <algorithm>

namespace mpix::intercept {
namespace {

// In MPI_COMM_WORLD; negative for any source and for none.
int world_rank(MPI_Comm comm, int peer) {
    return peer < 0 ? -1 : std::max(host::world_ranks(comm, {peer})[0], -1);
}

} // namespace

MessageTrace::MessageTrace(const char* init, bool receives, plan::Bytes bytes, int peer, int tag,
                           MPI_Comm comm)
    : is_traced_(true) {
    const progress::TracedStep message{.action = receives ? plan::Action::recv : plan::Action::send,
                                       .peer = world_rank(comm, peer),
                                       .match = tag,
                                       .bytes = bytes};
    const std::int32_t index = progress::trace().add_plan(init);
    if (index < 0) return;
    progress::trace().describe(
        index, {.operation = init, .is_message = true, .own_steps = 1, .steps = {message}});
    index_ = index;
}

} // namespace mpix::intercept
