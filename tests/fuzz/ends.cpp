// SPDX-License-Identifier: BSD-3-Clause
// The end of a rank that has both is bound with the other one.
#include "ends.hpp"

#include <algorithm>
#include <utility>

namespace fuzz {
namespace {

MPI_Info info_of(long increment) {
    MPI_Info info = MPI_INFO_NULL;
    if (increment == 0) return info;
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "ADDRESS_BASE_INCREMENT", std::to_string(increment).c_str()));
    return info;
}

} // namespace

void Ends::bind(const Message& message, const long increments[2], Slot* slots) {
    const Binding bindings[] = {message.send_binding, message.recv_binding};
    MPI_Info infos[] = {info_of(increments[0]), info_of(increments[1])};
    const int slack = message.slack;
    std::vector<int> waiting, returning;
    for (int end = 0; end < 2; end++) {
        if (slots[end].request == MPI_REQUEST_NULL || bindings[end] == Binding::init) continue;
        (bindings[end] == Binding::waits ? waiting : returning).push_back(end);
        requests_[end] = slots[end].request;
        slots[end].request = MPI_REQUEST_NULL;
    }
    MPI_Request made[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    const int slacks[] = {slack, slack};
    if (returning.size() == 2 && message.tag % 2 == 0) {
        MUST(MPIX_Ibind_slack_channels(requests_, made, 2, slacks, infos));
    } else {
        for (const int end : returning) {
            const MPI_Request of = requests_[end];
            if (slack == 1)
                MUST(MPIX_Ibind_channel(of, &made[end], infos[end]));
            else
                MUST(MPIX_Ibind_slack_channel(of, &made[end], slack, infos[end]));
        }
    }
    if (waiting.size() == 1) {
        const int end = waiting[0];
        const MPI_Request of = requests_[end];
        if (slack == 1)
            MUST(MPIX_Bind_channel(of, &made[end], infos[end]));
        else
            MUST(MPIX_Bind_slack_channel(of, &made[end], slack, infos[end]));
    } else if (waiting.size() == 2) {
        MUST(MPIX_Bind_slack_channels(requests_, made, 2, slacks, infos));
    }
    for (const int end : returning) MUST(MPI_Wait(&requests_[end], MPI_STATUS_IGNORE));
    for (int end = 0; end < 2; end++)
        if (made[end] != MPI_REQUEST_NULL) slots[end].request = made[end];
    for (MPI_Info& info : infos)
        if (info != MPI_INFO_NULL) MUST(MPI_Info_free(&info));
}

void Ends::unbind(Slot* slots, bool waits) {
    std::vector<MPI_Request> bound;
    for (int end = 0; end < 2; end++) {
        MPI_Request& request = slots[end].request;
        if (request != MPI_REQUEST_NULL) bound.push_back(std::exchange(request, MPI_REQUEST_NULL));
    }
    const int n = static_cast<int>(bound.size());
    if (waits) {
        MUST(n == 1 ? MPIX_Unbind_channel(&bound[0]) : MPIX_Unbind_channels(bound.data(), n));
    } else {
        MUST(n == 1 ? MPIX_Iunbind_channel(bound[0], MPI_INFO_NULL)
                    : MPIX_Iunbind_channels(bound.data(), n));
        MUST(MPI_Waitall(n, bound.data(), MPI_STATUSES_IGNORE));
    }
    if (std::ranges::any_of(bound, [](MPI_Request of) { return of != MPI_REQUEST_NULL; }))
        fail("an unbound channel is not null");
}

void Ends::free() {
    for (MPI_Request& request : requests_)
        if (request != MPI_REQUEST_NULL) MUST(MPI_Request_free(&request));
}

} // namespace fuzz
