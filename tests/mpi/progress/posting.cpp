// SPDX-License-Identifier: BSD-3-Clause
// Long messages over the host are posted one right after another. To ask of one whether it is done
// moves all that are under way: the next would be posted late, and the ranks would send by turns.
#include "common/graphs.hpp"
#include "common/host_messages.h"
#include "common/topology.hpp"

using namespace mpitest;

TEST_CASE("no long message is asked for before the last is posted") {
    constexpr int count = 64 << 10;
    const Topology topology = dist_graph(everyone);
    const int me = rank_of(), ranks = size_of();
    std::vector<int> sent(static_cast<std::size_t>(ranks) * count), received(sent.size());
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Neighbor_alltoall_init(sent.data(), count, MPI_INT, received.data(), count,
                                         MPI_INT, topology.comm, MPI_INFO_NULL, &request));
    for (int round = 0; round < 4; round++) {
        for (std::size_t i = 0; i < sent.size(); i++)
            sent[i] = me * 1'000 + static_cast<int>(i / count) * 10 + round;
        const int sends = host_sends(), asked = host_asked();
        CHECK_MPI(MPI_Start(&request));
        CHECK(host_sends() == sends + ranks - 1);
        if (ranks > 1) CHECK(host_asked_at_send() == asked);
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        int wrong = 0;
        for (std::size_t i = 0; i < received.size(); i++) {
            const Edge& edge = topology.in[i / count];
            wrong += received[i] != edge.peer * 1'000 + edge.block * 10 + round;
        }
        CHECK(wrong == 0);
    }
    free_request(request);
}
