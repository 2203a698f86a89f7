// SPDX-License-Identifier: BSD-3-Clause
// Arrays of our requests, and of messages that are completed here: all inactive, some active,
// always restarted.
#include <array>

#include "common/completion.hpp"
#include "common/ways.hpp"

using namespace mpitest;

namespace {

constexpr int width = 5;

struct Several {
    std::array<Ours, width> sums;
    std::array<MPI_Request, width> requests;

    Several() {
        for (std::size_t i = 0; i < width; i++) requests[i] = sums[i].request;
    }
    void start_all(int round) {
        for (auto& sum : sums) sum.prepare(round);
        CHECK_MPI(MPI_Startall(width, requests.data()));
    }
};

// Messages of each rank to itself that are complete at once, and sent again: persistent ones,
// nonblocking ones, and places with no request.
struct Messages {
    explicit Messages(const std::string& kinds)
        : layout(kinds), requests(kinds.size(), MPI_REQUEST_NULL), seen(kinds.size(), 0) {
        for (std::size_t i = 0; i < layout.size(); i++) {
            if (layout[i] == 'p')
                CHECK_MPI(MPI_Send_init(&sent, 1, MPI_INT, 0, static_cast<int>(i), MPI_COMM_SELF,
                                        &requests[i]));
            send(i);
        }
    }
    ~Messages() {
        CHECK_MPI(
            MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
        for (std::size_t i = 0; i < layout.size(); i++) {
            if (layout[i] != '0') receive(i);
            if (layout[i] == 'p') free_request(requests[i]);
        }
    }
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;

    void send(std::size_t i) {
        if (layout[i] == 'p') CHECK_MPI(MPI_Start(&requests[i]));
        if (layout[i] == 'i')
            CHECK_MPI(
                MPI_Isend(&sent, 1, MPI_INT, 0, static_cast<int>(i), MPI_COMM_SELF, &requests[i]));
    }
    void receive(std::size_t i) {
        int received = 0;
        CHECK_MPI(MPI_Recv(&received, 1, MPI_INT, 0, static_cast<int>(i), MPI_COMM_SELF,
                           MPI_STATUS_IGNORE));
        CHECK(received == sent);
    }
    void pass_any() {
        int index = -1;
        CHECK_MPI(MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index,
                              MPI_STATUS_IGNORE));
        const auto i = static_cast<std::size_t>(index);
        CHECK(i < layout.size());
        if (i >= layout.size()) return;
        seen[i]++;
        receive(i);
        send(i);
    }

    const int sent = 7;
    const std::string layout;
    Requests requests;
    std::vector<int> seen;
};

} // namespace

TEST_CASE("arrays of inactive requests are complete and name none") {
    Several several;
    for (int round = 0; round < 2; round++) {
        std::vector<MPI_Status> statuses(width, spoiled_status());
        CHECK_MPI(MPI_Waitall(width, several.requests.data(), statuses.data()));
        for (const auto& status : statuses) CHECK(is_empty(status));
        statuses.assign(width, spoiled_status());
        int done = 0, index = 0, count = 0, indices[width];
        CHECK_MPI(MPI_Testall(width, several.requests.data(), &done, statuses.data()));
        CHECK(done == 1);
        for (const auto& status : statuses) CHECK(is_empty(status));

        MPI_Status status = spoiled_status();
        CHECK_MPI(MPI_Waitany(width, several.requests.data(), &index, &status));
        CHECK(index == MPI_UNDEFINED);
        CHECK(is_empty(status));
        status = spoiled_status();
        index = done = 0;
        CHECK_MPI(MPI_Testany(width, several.requests.data(), &index, &done, &status));
        CHECK(done == 1);
        CHECK(index == MPI_UNDEFINED);
        CHECK(is_empty(status));

        CHECK_MPI(
            MPI_Waitsome(width, several.requests.data(), &count, indices, MPI_STATUSES_IGNORE));
        CHECK(count == MPI_UNDEFINED);
        count = 0;
        CHECK_MPI(
            MPI_Testsome(width, several.requests.data(), &count, indices, MPI_STATUSES_IGNORE));
        CHECK(count == MPI_UNDEFINED);

        several.start_all(round); // and the same again when they have been used
        CHECK_MPI(MPI_Waitall(width, several.requests.data(), MPI_STATUSES_IGNORE));
        for (const auto& sum : several.sums) CHECK(sum.right(round));
    }
}

TEST_CASE("Waitany never returns a completed request twice") {
    Several several;
    for (int round = 0; round < 10; round++) {
        several.start_all(round);
        std::vector<int> seen(width, 0);
        for (int i = 0; i < width; i++) {
            int index = -1;
            CHECK_MPI(MPI_Waitany(width, several.requests.data(), &index, MPI_STATUS_IGNORE));
            CHECK(index >= 0);
            CHECK(index < width);
            if (index >= 0 && index < width) CHECK(seen[static_cast<std::size_t>(index)]++ == 0);
        }
        int index = -1;
        CHECK_MPI(MPI_Waitany(width, several.requests.data(), &index, MPI_STATUS_IGNORE));
        CHECK(index == MPI_UNDEFINED);
        for (const auto& sum : several.sums) CHECK(sum.right(round));
    }
}

TEST_CASE("Waitany starves none of several requests that are restarted whenever they complete") {
    // On one rank everything completes at once: a Waitany that always looked from the front would
    // see only the first.
    std::array<MPI_Request, width> requests;
    int in = 1, out[width];
    for (std::size_t i = 0; i < width; i++)
        CHECK_MPI(MPI_Allreduce_init(&in, &out[i], 1, MPI_INT, MPI_SUM, MPI_COMM_SELF,
                                     MPI_INFO_NULL, &requests[i]));
    CHECK_MPI(MPI_Startall(width, requests.data()));
    std::vector<int> seen(width, 0);
    for (int i = 0; i < 40 * width; i++) {
        int index = -1;
        CHECK_MPI(MPI_Waitany(width, requests.data(), &index, MPI_STATUS_IGNORE));
        if (index < 0 || index >= width) break;
        seen[static_cast<std::size_t>(index)]++;
        CHECK_MPI(MPI_Start(&requests[static_cast<std::size_t>(index)]));
    }
    for (const int times : seen) CHECK(times >= 5);
    CHECK_MPI(MPI_Waitall(width, requests.data(), MPI_STATUSES_IGNORE));
    for (auto& request : requests) free_request(request);
}

TEST_CASE(
    "Waitany starves no persistent message that the library completes, whatever is beside it") {
    if (open_mpi_version() == 0 || open_mpi_version() >= 6'00'00) return; // the host's own then
    for (const std::string layout : {"ppp", "ppp0", "0p", "ip", "pi", "pip", "ppip"}) {
        INFO(layout);
        Messages messages(layout);
        for (std::size_t i = 0; i < 40 * layout.size(); i++) messages.pass_any();
        for (std::size_t i = 0; i < layout.size(); i++)
            CHECK((layout[i] == '0' || messages.seen[i] >= 5));
    }
}

TEST_CASE("a wait for one request moves all the others") {
    // Every rank waits for another sum first, so that no sum can finish on the calls of its own
    // waiters alone.
    Several several;
    for (int round = 0; round < 10; round++) {
        several.start_all(round);
        for (int i = 0; i < width; i++) {
            const auto mine = static_cast<std::size_t>((i + rank_of()) % width);
            int index = -1;
            MPI_Request one[] = {MPI_REQUEST_NULL, several.requests[mine]};
            if (round % 2 == 0)
                CHECK_MPI(MPI_Waitany(2, one, &index, MPI_STATUS_IGNORE));
            else
                CHECK_MPI(MPI_Wait(&several.requests[mine], MPI_STATUS_IGNORE));
            if (round % 2 == 0) CHECK(index == 1);
            CHECK(several.sums[mine].right(round));
        }
    }
}

TEST_CASE("an inner rank that waits for something else passes a broadcast on") {
    const int me = rank_of(), ranks = size_of();
    int data = -1, word = -1;
    MPI_Request bcast = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Bcast_init(&data, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &bcast));
    for (int round = 0; round < 10; round++) {
        data = me == 0 ? round : -1;
        CHECK_MPI(MPI_Start(&bcast));
        if (me == ranks - 1) {
            CHECK_MPI(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
            for (int r = 0; r < ranks - 1; r++)
                CHECK_MPI(MPI_Send(&round, 1, MPI_INT, r, 41, MPI_COMM_WORLD));
        } else {
            MPI_Request receive = MPI_REQUEST_NULL;
            CHECK_MPI(MPI_Irecv(&word, 1, MPI_INT, ranks - 1, 41, MPI_COMM_WORLD, &receive));
            int index = -1;
            if (round % 2 == 0)
                CHECK_MPI(MPI_Waitany(1, &receive, &index, MPI_STATUS_IGNORE));
            else
                CHECK_MPI(MPI_Wait(&receive, MPI_STATUS_IGNORE));
            CHECK(word == round);
            CHECK_MPI(MPI_Wait(&bcast, MPI_STATUS_IGNORE));
        }
        CHECK(data == round);
    }
    free_request(bcast);
}
