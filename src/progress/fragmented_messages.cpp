// SPDX-License-Identifier: BSD-3-Clause
//
// Fragments of messages over the host.
#include "progress/fragmented_round.hpp"
#include "progress/operation.hpp"

#include <utility>

namespace mpix::progress {

using plan::StepId;

void FragmentedRound::send_over_host(StepId id) {
    Flow& it = flow(id);
    const Bound& bound = operation_.bound(id);
    const int peer = operation_.step(id).peer;
    const auto isend = [&](const void* from, std::int64_t count, MPI_Datatype type,
                           std::size_t number) {
        operation_.note(HOST(Isend)(from, static_cast<int>(count), type, peer, bound.tag,
                                    operation_.comm(), &it.requests[number]));
    };
    if (is_whole(id) && !it.is_announced) return isend(bound.from, bound.count, bound.type, 0);
    if (!std::exchange(it.is_announced, true)) isend(nullptr, 0, MPI_BYTE, 0);
    it.header = {it.current.lower(), it.current.upper()};
    isend(it.header.data(), sizeof it.header, MPI_BYTE, 1);
    isend(bound.from + operation_.steps_.binding().extent_of(it.current.lower()),
          (it.current.upper() - it.current.lower()) / operation_.steps_.binding().grain(),
          operation_.steps_.binding().element_type, 2);
}

bool FragmentedRound::have_ended(Flow& it) {
    int flag = 0;
    MPI_Status statuses[3];
    const int code = HOST(Testall)(3, it.requests.data(), &flag, statuses);
    operation_.note(code);
    return flag || code != MPI_SUCCESS;
}

void FragmentedRound::poll() noexcept try {
    for (const StepId id : over_host_) {
        Flow& it = flow(id);
        if (it.state != State::ours) continue;
        if (receives(operation_.step(id).action))
            receive(id);
        else if (it.is_sending && proceed(id))
            send(id);
    }
    run();
    tell_of_sent();
} catch (...) {
    fail();
}

void FragmentedRound::expect(StepId id) noexcept try {
    Flow& it = flow(id);
    it.state = State::ours;
    it.ready = Set(Interval(0, fragments_.size(id)));
    it.is_announced = true;
    receive_header(id);
} catch (...) {
    fail();
}

void FragmentedRound::post(StepId id, void* to, int count, MPI_Datatype type) {
    operation_.note(HOST(Irecv)(to, count, type, operation_.step(id).peer, operation_.bound(id).tag,
                                operation_.comm(), &flow(id).requests[0]));
}

void FragmentedRound::receive_header(StepId id) {
    Flow& it = flow(id);
    it.has_header = false;
    post(id, it.header.data(), sizeof it.header, MPI_BYTE);
}

void FragmentedRound::receive_fragment(StepId id) {
    Flow& it = flow(id);
    const Binding& binding = operation_.steps_.binding();
    const auto count = static_cast<int>((it.header[1] - it.header[0]) / binding.grain());
    it.has_header = true;
    post(id, hold(id) + binding.extent_of(it.header[0]), count, binding.element_type);
}

void FragmentedRound::receive(StepId id) {
    Flow& it = flow(id);
    while (it.requests[0] != MPI_REQUEST_NULL) {
        int flag = 0;
        MPI_Status status;
        const int code = HOST(Test)(&it.requests[0], &flag, &status);
        operation_.note(code);
        if (!flag && code == MPI_SUCCESS) return;
        if (!it.is_announced && operation_.is_announcement(id, status)) {
            it.is_announced = true;
            receive_header(id);
        } else if (!it.is_announced) {
            came(id, {0, fragments_.size(id)});
        } else if (!it.has_header) {
            receive_fragment(id);
        } else {
            it.received += it.header[1] - it.header[0];
            const Interval part(it.header[0], it.header[1]);
            if (it.received < fragments_.size(id)) receive_header(id);
            came(id, part);
        }
    }
}

} // namespace mpix::progress
