// SPDX-License-Identifier: BSD-3-Clause
//
// What is told of a message.
#include "intercept/message_trace.hpp"

#include "intercept/point_to_point.hpp"

#include <algorithm>

namespace mpix::intercept {
namespace {

const char* call_of(Mode mode) {
    switch (mode) {
    case Mode::bsend: return "MPI_Bsend_init";
    case Mode::ssend: return "MPI_Ssend_init";
    case Mode::rsend: return "MPI_Rsend_init";
    case Mode::recv: return "MPI_Recv_init";
    default: return "MPI_Send_init";
    }
}

// In MPI_COMM_WORLD; negative for any source and for none.
int world_rank(MPI_Comm comm, int peer) {
    if (peer < 0) return -1;
    int is_inter = 0, found = -1;
    MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    HOST(Comm_test_inter)(comm, &is_inter);
    is_inter ? HOST(Comm_remote_group)(comm, &group) : HOST(Comm_group)(comm, &group);
    HOST(Comm_group)(MPI_COMM_WORLD, &world);
    HOST(Group_translate_ranks)(group, 1, &peer, world, &found);
    HOST(Group_free)(&group);
    HOST(Group_free)(&world);
    return std::max(found, -1);
}

} // namespace

MessageTrace::MessageTrace(const Envelope& envelope) {
    if (!progress::trace().is_on()) return;
    int size = 0;
    HOST(Type_size)(envelope.type, &size);
    const bool receives = envelope.mode == Mode::recv;
    const progress::TracedStep message{.action = receives ? plan::Action::recv : plan::Action::send,
                                       .peer = world_rank(envelope.comm, envelope.peer),
                                       .match = envelope.tag,
                                       .bytes = envelope.count * size};
    const std::int32_t index = progress::trace().add_plan(call_of(envelope.mode));
    if (index < 0) return;
    progress::trace().describe(index, {.operation = call_of(envelope.mode),
                                       .is_message = true,
                                       .own_steps = 1,
                                       .steps = {message}});
    index_ = index;
}

} // namespace mpix::intercept
