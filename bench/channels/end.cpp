// SPDX-License-Identifier: BSD-3-Clause
#include "bench/channels/end.hpp"

#include <array>
#include <string>

namespace mpix::bench {

ChannelEnds::ChannelEnds(const Exchanged& what, int slackness, MPI_Comm comm, MPI_Info info) {
    MPI_Send_init(what.out, what.bytes, MPI_BYTE, what.peer, what.tag, comm, &in_[0]);
    MPI_Recv_init(what.in, what.bytes, MPI_BYTE, what.peer, what.tag, comm, &in_[1]);
    MPI_Info increments = MPI_INFO_NULL;
    if (info == MPI_INFO_NULL)
        MPI_Info_create(&increments);
    else
        MPI_Info_dup(info, &increments);
    if (slackness > 1)
        MPI_Info_set(increments, "ADDRESS_BASE_INCREMENT", std::to_string(what.bytes).c_str());
    const std::array<int, 2> slacks{slackness, slackness};
    const std::array<MPI_Info, 2> infos{increments, increments};
    made_ = MPIX_Bind_slack_channels(in_, out_, 2, slacks.data(), infos.data()) == MPI_SUCCESS;
    MPI_Info_free(&increments);
}

ChannelEnds::~ChannelEnds() {
    if (made_) MPIX_Unbind_channels(out_, 2);
    for (MPI_Request& request : in_)
        if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

} // namespace mpix::bench
