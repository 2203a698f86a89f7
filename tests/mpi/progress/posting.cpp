// SPDX-License-Identifier: BSD-3-Clause
// When the host is asked of messages. To ask of one whether it is done moves all that are under
// way: of long ones, that are posted one right after another, the next would be posted late, and
// the ranks would send by turns.
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

// Who marks partitions computes in between, and makes no other call that could move them.
TEST_CASE("each mark of a long partition moves those before") {
    constexpr int count = 64 << 10, partitions = 4;
    const int me = rank_of(), ranks = size_of(), to = (me + 1) % ranks,
              from = (me + ranks - 1) % ranks;
    if (ranks == 1) return;
    std::vector<int> sent(std::size_t{partitions} * count), received(sent.size());
    MPI_Request requests[2];
    CHECK_MPI(MPI_Psend_init(sent.data(), partitions, count, MPI_INT, to, 0, MPI_COMM_WORLD,
                             MPI_INFO_NULL, &requests[0]));
    CHECK_MPI(MPI_Precv_init(received.data(), partitions, count, MPI_INT, from, 0, MPI_COMM_WORLD,
                             MPI_INFO_NULL, &requests[1]));
    for (int round = 0; round < 3; round++) {
        for (std::size_t i = 0; i < sent.size(); i++)
            sent[i] = me * 1'000 + static_cast<int>(i / count) * 10 + round;
        CHECK_MPI(MPI_Startall(2, requests));
        for (int p = 0; p < partitions; p++) {
            const int sends = host_sends(), asked = host_asked();
            CHECK_MPI(MPI_Pready(p, requests[0]));
            // In the first round no partition leaves before the ends have met.
            if (round > 0) {
                CHECK(host_sends() == sends + 1);
                CHECK(host_asked() > asked);
            }
        }
        CHECK_MPI(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        int wrong = 0;
        for (std::size_t i = 0; i < received.size(); i++)
            wrong += received[i] != from * 1'000 + static_cast<int>(i / count) * 10 + round;
        CHECK(wrong == 0);
    }
    for (MPI_Request& request : requests) free_request(request);
}

// Whoever calls the host moves such messages; who does not moves them as little as other requests
// of the host's.
TEST_CASE("a round that is the host's alone is asked for by nobody but who waits for it") {
    const Topology topology = dist_graph(everyone);
    const int me = rank_of(), ranks = size_of();
    std::vector<int> sent(static_cast<std::size_t>(ranks)), received(sent.size());
    MPI_Request exchange = MPI_REQUEST_NULL, alone = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT,
                                         topology.comm, MPI_INFO_NULL, &exchange));
    CHECK_MPI(MPI_Barrier_init(MPI_COMM_SELF, MPI_INFO_NULL, &alone));
    for (int round = 0; round < 10; round++) {
        for (std::size_t i = 0; i < sent.size(); i++)
            sent[i] = me * 1'000 + static_cast<int>(i) * 10 + round;
        CHECK_MPI(MPI_Start(&exchange));
        const int asked = host_asked();
        CHECK_MPI(MPI_Start(&alone));
        CHECK_MPI(MPI_Wait(&alone, MPI_STATUS_IGNORE));
        CHECK(host_asked() == asked);
        CHECK_MPI(MPI_Wait(&exchange, MPI_STATUS_IGNORE));
        int wrong = 0;
        for (std::size_t i = 0; i < received.size(); i++) {
            const Edge& edge = topology.in[i];
            wrong += received[i] != edge.peer * 1'000 + edge.block * 10 + round;
        }
        CHECK(wrong == 0);
    }
    free_request(exchange);
    free_request(alone);
}
