// SPDX-License-Identifier: BSD-3-Clause
// The end of a rank that has both is bound with the other one.
#include "ends.hpp"

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
    for (const int end : returning) {
        MPI_Request *const made = &slots[end].request, of = requests_[end];
        if (slack == 1)
            MUST(MPIX_Ibind_channel(of, made, infos[end]));
        else
            MUST(MPIX_Ibind_slack_channel(of, made, slack, infos[end]));
    }
    if (waiting.size() == 1) {
        MPI_Request* const made = &slots[waiting[0]].request;
        const MPI_Request of = requests_[waiting[0]];
        if (slack == 1)
            MUST(MPIX_Bind_channel(of, made, infos[waiting[0]]));
        else
            MUST(MPIX_Bind_slack_channel(of, made, slack, infos[waiting[0]]));
    } else if (waiting.size() == 2) {
        const int slacks[] = {slack, slack};
        MPI_Request made[2];
        MUST(MPIX_Bind_slack_channels(requests_, made, 2, slacks, infos));
        for (int end = 0; end < 2; end++) slots[end].request = made[end];
    }
    for (const int end : returning) MUST(MPI_Wait(&requests_[end], MPI_STATUS_IGNORE));
    for (MPI_Info& info : infos)
        if (info != MPI_INFO_NULL) MUST(MPI_Info_free(&info));
}

void Ends::unbind(Slot* slots, bool waits) {
    for (int end = 0; end < 2; end++) {
        MPI_Request& request = slots[end].request;
        if (request == MPI_REQUEST_NULL) continue;
        if (waits) {
            MUST(MPIX_Unbind_channel(&request));
        } else {
            MUST(MPIX_Iunbind_channel(request, MPI_INFO_NULL));
            MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        if (request != MPI_REQUEST_NULL) fail("an unbound channel is not null");
    }
}

void Ends::free() {
    for (MPI_Request& request : requests_)
        if (request != MPI_REQUEST_NULL) MUST(MPI_Request_free(&request));
}

} // namespace fuzz
