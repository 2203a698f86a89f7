// SPDX-License-Identifier: BSD-3-Clause
// Channels, binds and unbinds in every completion call, beside requests of all other kinds.
#include "channels/channels.hpp"

using namespace mpitest;

namespace {

// Rings of channels, beside a sum and a message of the program.
struct Rings {
    Neighbours near;
    std::vector<Ends> rings;
    Ours sum;
    int mine = 0, theirs = -1, round = 0;
    std::vector<MPI_Request> requests;

    Rings() {
        for (int i = 0; i < 3; i++) {
            rings.push_back(ring(i == 1 ? Mode::ssend : Mode::send, {5}, {5}));
            bind_all(rings.back());
        }
    }
    // Channels, then the sum, the message's ends and a null request.
    void start() {
        round++;
        requests.clear();
        for (const Ends& ends : rings)
            for (const auto& end : ends) {
                end->prepare();
                requests.push_back(end->out);
            }
        sum.prepare(round);
        requests.push_back(sum.request);
        CHECK_MPI(MPI_Startall(static_cast<int>(requests.size()), requests.data()));
        mine = 1000 * round + near.me;
        MPI_Request message[2] = {};
        CHECK_MPI(MPI_Irecv(&theirs, 1, MPI_INT, near.previous, 3, MPI_COMM_WORLD, &message[0]));
        CHECK_MPI(MPI_Isend(&mine, 1, MPI_INT, near.next, 3, MPI_COMM_WORLD, &message[1]));
        requests.insert(requests.end(), {message[0], message[1], MPI_REQUEST_NULL});
    }
    int count() const { return static_cast<int>(requests.size()); }
    ChannelEnd* end(std::size_t i) { return i < 6 ? rings[i / 2][i % 2].get() : nullptr; }
    void check(std::size_t i, MPI_Status status) {
        if (i < 6) {
            CHECK(requests[i] == end(i)->out);  // still there
            status.MPI_ERROR = untouched_error; // the plural calls write it
            end(i)->check(status);
        }
        if (i == 6) CHECK(sum.right(round));
        if (i == 7) CHECK(theirs == 1000 * round + near.previous);
    }
    void check_all(const std::vector<MPI_Status>& statuses) {
        for (std::size_t i = 0; i < requests.size(); i++) check(i, statuses[i]);
    }
    std::vector<MPI_Status> statuses() const {
        return std::vector<MPI_Status>(requests.size(), spoiled_status());
    }
};

} // namespace

TEST_CASE("waiting for all, testing all") {
    Rings all;
    for (int round = 0; round < 20; round++) {
        all.start();
        auto statuses = all.statuses();
        if (round % 2 == 0) {
            CHECK_MPI(MPI_Waitall(all.count(), all.requests.data(), statuses.data()));
        } else {
            int flag = 0;
            while (!flag) {
                CHECK_MPI(MPI_Testall(all.count(), all.requests.data(), &flag, statuses.data()));
                pause_briefly();
            }
        }
        all.check_all(statuses);
    }
}

TEST_CASE("waiting for any, testing any") {
    Rings all;
    for (int round = 0; round < 20; round++) {
        all.start();
        std::vector<int> found(all.requests.size());
        while (true) {
            int index = -1, flag = 1;
            MPI_Status status = spoiled_status();
            if (round % 2 == 0)
                CHECK_MPI(MPI_Waitany(all.count(), all.requests.data(), &index, &status));
            else
                CHECK_MPI(MPI_Testany(all.count(), all.requests.data(), &index, &flag, &status));
            if (flag && index == MPI_UNDEFINED) break;
            if (!flag) {
                pause_briefly();
                continue;
            }
            found[static_cast<std::size_t>(index)]++;
            all.check(static_cast<std::size_t>(index), status);
        }
        for (std::size_t i = 0; i < found.size(); i++) CHECK(found[i] == (i < 9 ? 1 : 0));
    }
}

TEST_CASE("waiting for some, testing some") {
    Rings all;
    for (int round = 0; round < 20; round++) {
        all.start();
        int left = 9;
        while (left > 0) {
            int count = 0;
            std::vector<int> indices(all.requests.size());
            auto statuses = all.statuses();
            if (round % 2 == 0)
                CHECK_MPI(MPI_Waitsome(all.count(), all.requests.data(), &count, indices.data(),
                                       statuses.data()));
            else
                CHECK_MPI(MPI_Testsome(all.count(), all.requests.data(), &count, indices.data(),
                                       statuses.data()));
            for (int i = 0; i < count; i++)
                all.check(static_cast<std::size_t>(indices[static_cast<std::size_t>(i)]),
                          statuses[static_cast<std::size_t>(i)]);
            left -= count;
            if (count == 0) pause_briefly();
        }
    }
}

TEST_CASE("a status can be had without completing") {
    const Ends ends = ring(Mode::send, {4}, {4});
    bind_all(ends);
    for (int round = 0; round < 5; round++) {
        for (const auto& end : ends) end->start();
        int flag = 0;
        MPI_Status status = spoiled_status();
        while (!flag) {
            CHECK_MPI(MPI_Request_get_status(ends[1]->out, &flag, &status));
            pause_briefly();
        }
        ends[1]->check_partner(status);
        for (const auto& end : ends) end->wait();
        CHECK_MPI(MPI_Request_get_status(ends[1]->out, &flag, &status));
        CHECK(flag);
        CHECK(is_empty(status));
    }
}

TEST_CASE("a slack channel several times in one array's life") {
    const Ends ends = ring(Mode::send, {2}, {2}, {4, 2}, {4, 2});
    bind_all(ends);
    for (int lap = 0; lap < 5; lap++) {
        for (int i = 0; i < 4; i++)
            for (const auto& end : ends) end->start();
        for (int i = 0; i < 4; i++) {
            MPI_Request both[2] = {ends[0]->out, ends[1]->out};
            MPI_Status statuses[2] = {spoiled_status(), spoiled_status()};
            CHECK_MPI(MPI_Waitall(2, both, statuses));
            for (std::size_t e = 0; e < 2; e++) {
                CHECK(statuses[e].MPI_ERROR == MPI_SUCCESS);
                statuses[e].MPI_ERROR = untouched_error;
                ends[e]->check(statuses[e]);
            }
        }
        MPI_Status status = spoiled_status();
        int flag = -1;
        CHECK_MPI(MPI_Test(&ends[0]->out, &flag, &status));
        CHECK(flag == 1);
        CHECK(is_empty(status));
    }
}

TEST_CASE("binds complete in any call") {
    for (int way = 0; way < 6; way++) {
        const Ends ends = ring(Mode::send, {1}, {1});
        MPI_Request in[3] = {ends[0]->in, ends[1]->in, MPI_REQUEST_NULL};
        MPI_Request out[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        CHECK_MPI(MPIX_Ibind_channels(in, out, 2, nullptr));
        int left = 2;
        while (left > 0) {
            int flag = 1, index = -1, count = 0, indices[3];
            MPI_Status statuses[3];
            if (way == 0) CHECK_MPI(MPI_Waitall(3, in, statuses));
            if (way == 1) CHECK_MPI(MPI_Testall(3, in, &flag, statuses));
            if (way == 2) CHECK_MPI(MPI_Waitany(3, in, &index, statuses));
            if (way == 3) CHECK_MPI(MPI_Testany(3, in, &index, &flag, statuses));
            if (way == 4) CHECK_MPI(MPI_Waitsome(3, in, &count, indices, statuses));
            if (way == 5) CHECK_MPI(MPI_Testsome(3, in, &count, indices, statuses));
            if (way < 2 && flag) left = 0;
            if (way == 2 || way == 3) left -= flag && index != MPI_UNDEFINED;
            if (way > 3) left -= count;
            pause_briefly();
        }
        for (std::size_t i = 0; i < 2; i++) {
            CHECK(in[i] == ends[i]->in);
            ends[i]->out = out[i];
        }
        run_rounds(ends, 3);
    }
}

TEST_CASE("unbinds complete in any call, and leave no request") {
    for (int way = 0; way < 5; way++) {
        const Ends ends = ring(Mode::send, {1}, {1});
        bind_all(ends);
        run_rounds(ends, 2);
        MPI_Request out[2] = {ends[0]->out, ends[1]->out};
        for (const auto& end : ends) end->out = MPI_REQUEST_NULL;
        if (way % 2 == 0)
            CHECK_MPI(MPIX_Iunbind_channels(out, 2));
        else
            for (const MPI_Request one : out) CHECK_MPI(MPIX_Iunbind_channel(one, MPI_INFO_NULL));
        int flag = 0, index = -1, count = 0, indices[2];
        if (way == 0) CHECK_MPI(MPI_Waitall(2, out, MPI_STATUSES_IGNORE));
        if (way == 1)
            for (MPI_Request& one : out) CHECK_MPI(MPI_Wait(&one, MPI_STATUS_IGNORE));
        if (way == 2)
            for (int i = 0; i < 2; i++) CHECK_MPI(MPI_Waitany(2, out, &index, MPI_STATUS_IGNORE));
        if (way == 3)
            for (MPI_Request& one : out) CHECK_MPI(MPI_Test(&one, &flag, MPI_STATUS_IGNORE));
        if (way == 4) CHECK_MPI(MPI_Waitsome(2, out, &count, indices, MPI_STATUSES_IGNORE));
        CHECK(out[0] == MPI_REQUEST_NULL);
        CHECK(out[1] == MPI_REQUEST_NULL);
    }
}

TEST_CASE("what a channel was bound with is given back when it is gone") {
    static int types_freed = 0;
    types_freed = 0;
    int key = MPI_KEYVAL_INVALID;
    const auto count = [](MPI_Datatype, int, void*, void*) {
        types_freed++;
        return MPI_SUCCESS;
    };
    CHECK_MPI(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, count, &key, nullptr));
    const auto go_through = [&](bool waits) {
        int out[3] = {1, 2, 3}, in[3] = {};
        MPI_Datatype type = MPI_DATATYPE_NULL;
        CHECK_MPI(MPI_Type_contiguous(3, MPI_INT, &type));
        CHECK_MPI(MPI_Type_commit(&type));
        CHECK_MPI(MPI_Type_set_attr(type, key, nullptr));
        MPI_Request ends[2], channels[2];
        CHECK_MPI(MPI_Send_init(out, 1, type, 0, 1, MPI_COMM_SELF, &ends[0]));
        CHECK_MPI(MPI_Recv_init(in, 1, type, 0, 1, MPI_COMM_SELF, &ends[1]));
        CHECK_MPI(MPIX_Bind_channels(ends, channels, 2, nullptr));
        const int before = types_freed;
        CHECK_MPI(MPI_Type_free(&type));
        for (MPI_Request& end : ends) CHECK_MPI(MPI_Request_free(&end));
        CHECK_MPI(MPI_Startall(2, channels));
        CHECK_MPI(MPI_Waitall(2, channels, MPI_STATUSES_IGNORE));
        CHECK(in[2] == 3);
        CHECK(types_freed == before);
        if (waits) {
            CHECK_MPI(MPIX_Unbind_channels(channels, 2));
        } else {
            CHECK_MPI(MPIX_Iunbind_channels(channels, 2));
            CHECK_MPI(MPI_Waitall(2, channels, MPI_STATUSES_IGNORE));
        }
    };
    go_through(true);
    CHECK(types_freed == 1);
    go_through(false);
    go_through(true); // the next calls on channels
    CHECK(types_freed == 3);
    CHECK_MPI(MPI_Type_free_keyval(&key));
}
