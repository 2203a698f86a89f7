// SPDX-License-Identifier: BSD-3-Clause
// Operations whose rounds are one wave, of the host's messages or of those and queues: each call
// that may complete them, alone and in arrays with others, also after another call has looked in
// vain.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>

#include "common/completion.hpp"
#include "common/errors.hpp"

using namespace mpitest;

namespace {

// Every rank sends every other a block of its own.
struct Exchange {
    static constexpr int count = 3;
    std::vector<int> sent, received;
    MPI_Request request = MPI_REQUEST_NULL;

    Exchange() : sent(static_cast<std::size_t>(size_of()) * count), received(sent.size()) {
        CHECK_MPI(MPI_Alltoall_init(sent.data(), count, MPI_INT, received.data(), count, MPI_INT,
                                    MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    }
    ~Exchange() { free_request(request); }
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    void prepare(int round) {
        for (std::size_t i = 0; i < sent.size(); i++) sent[i] = value_at(rank_of(), round, i);
        std::fill(received.begin(), received.end(), -1);
    }
    void start(int round) {
        prepare(round);
        CHECK_MPI(MPI_Start(&request));
    }
    bool right(int round) const {
        for (std::size_t i = 0; i < received.size(); i++) {
            const auto from = static_cast<int>(i / count);
            const std::size_t at = static_cast<std::size_t>(rank_of()) * count + i % count;
            if (received[i] != value_at(from, round, at)) return false;
        }
        return true;
    }
};

// Each completes all of them.
using Complete = std::function<void(std::vector<MPI_Request>&)>;

int size_as_int(const std::vector<MPI_Request>& requests) {
    return static_cast<int>(requests.size());
}

void wait_in_turn(std::vector<MPI_Request>& requests) {
    for (MPI_Request& request : requests) CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

void wait_backwards(std::vector<MPI_Request>& requests) {
    for (auto at = requests.rbegin(); at != requests.rend(); ++at) {
        MPI_Status status = spoiled_status();
        CHECK_MPI(MPI_Wait(&*at, &status));
        CHECK(is_empty(status));
        CHECK(status.MPI_ERROR == untouched_error);
    }
}

void test_each(std::vector<MPI_Request>& requests) {
    for (MPI_Request& request : requests)
        for (int done = 0; !done; pause_briefly())
            CHECK_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
}

void test_and_wait_for_all(std::vector<MPI_Request>& requests) {
    int done = 0;
    CHECK_MPI(MPI_Test(requests.data(), &done, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Waitall(size_as_int(requests), requests.data(), MPI_STATUSES_IGNORE));
}

void wait_for_all(std::vector<MPI_Request>& requests) {
    CHECK_MPI(MPI_Waitall(size_as_int(requests), requests.data(), MPI_STATUSES_IGNORE));
}

void test_all(std::vector<MPI_Request>& requests) {
    for (int done = 0; !done; pause_briefly())
        CHECK_MPI(MPI_Testall(size_as_int(requests), requests.data(), &done, MPI_STATUSES_IGNORE));
}

void wait_for_any(std::vector<MPI_Request>& requests) {
    std::vector<int> seen(requests.size(), 0);
    for (std::size_t i = 0; i < requests.size(); i++) {
        int index = -1;
        CHECK_MPI(MPI_Waitany(size_as_int(requests), requests.data(), &index, MPI_STATUS_IGNORE));
        if (index >= 0 && index < size_as_int(requests)) seen[static_cast<std::size_t>(index)]++;
    }
    CHECK(std::count(seen.begin(), seen.end(), 1) == size_as_int(requests));
}

void test_some(std::vector<MPI_Request>& requests) {
    std::vector<int> indices(requests.size());
    for (int done = 0, found = 0; done < size_as_int(requests); pause_briefly()) {
        CHECK_MPI(MPI_Testsome(size_as_int(requests), requests.data(), &found, indices.data(),
                               MPI_STATUSES_IGNORE));
        if (found == MPI_UNDEFINED) break;
        done += found;
    }
}

void ask_and_wait(std::vector<MPI_Request>& requests) {
    for (MPI_Request& request : requests) {
        for (int done = 0; !done; pause_briefly())
            CHECK_MPI(MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
}

const std::array<Complete, 9> ways = {wait_in_turn,          wait_backwards, test_each,
                                      test_and_wait_for_all, wait_for_all,   test_all,
                                      wait_for_any,          test_some,      ask_and_wait};

} // namespace

TEST_CASE("every call completes a wave, and several") {
    for (const std::size_t several : {1, 2, 3}) {
        std::vector<Exchange> exchanges(several);
        std::vector<MPI_Request> requests;
        for (const Exchange& one : exchanges) requests.push_back(one.request);
        int round = 0;
        for (const Complete& complete : ways)
            for (const bool at_once : {false, true}) {
                for (Exchange& one : exchanges) one.prepare(++round);
                if (at_once)
                    CHECK_MPI(MPI_Startall(size_as_int(requests), requests.data()));
                else
                    for (MPI_Request& request : requests) CHECK_MPI(MPI_Start(&request));
                complete(requests);
                int of = round - size_as_int(requests);
                for (const Exchange& one : exchanges) CHECK(one.right(++of));
            }
    }
}

TEST_CASE("a wave is completed among the host's requests") {
    const Ring ring;
    Exchange exchange;
    for (int round = 0; round < 20; round++) {
        int sent = round * 10 + ring.me, received = -1;
        MPI_Request requests[3] = {MPI_REQUEST_NULL, exchange.request, MPI_REQUEST_NULL};
        CHECK_MPI(MPI_Irecv(&received, 1, MPI_INT, ring.previous, 5, MPI_COMM_WORLD, &requests[0]));
        exchange.start(round);
        CHECK_MPI(MPI_Isend(&sent, 1, MPI_INT, ring.next, 5, MPI_COMM_WORLD, &requests[2]));
        if (round % 2 == 0) {
            CHECK_MPI(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
        } else {
            for (int done = 0, index = -1; done < 3; done++)
                CHECK_MPI(MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE));
        }
        CHECK(received == round * 10 + ring.previous);
        CHECK(exchange.right(round));
    }
}

// While one is under way the others go the way of their plans.
TEST_CASE("a wave waits for no other, and no other for it") {
    Exchange exchange;
    Ours sum;
    for (int round = 0; round < 20; round++) {
        exchange.start(round);
        if (round % 3 == 0) {
            sum.run(round);
        } else {
            sum.start(round);
            CHECK_MPI(MPI_Wait(&exchange.request, MPI_STATUS_IGNORE));
            CHECK(exchange.right(round));
            CHECK_MPI(MPI_Wait(&sum.request, MPI_STATUS_IGNORE));
            CHECK(sum.right(round));
            continue;
        }
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Wait(&exchange.request, MPI_STATUS_IGNORE));
        CHECK(exchange.right(round));
    }
}

TEST_CASE("a wave is neither started twice nor freed while it lasts") {
    Exchange exchange;
    exchange.start(0);
    {
        const ErrorsReturn errors_return;
        check_error(MPI_Start(&exchange.request), {MPI_ERR_REQUEST}, {"active"});
        MPI_Request same = exchange.request;
        check_error(MPI_Request_free(&same), {MPI_ERR_REQUEST}, {"active"});
    }
    CHECK_MPI(MPI_Wait(&exchange.request, MPI_STATUS_IGNORE));
    CHECK(exchange.right(0));
    MPI_Status status = spoiled_status();
    CHECK_MPI(MPI_Wait(&exchange.request, &status));
    CHECK(is_empty(status));
    exchange.start(1);
    CHECK_MPI(MPI_Wait(&exchange.request, MPI_STATUS_IGNORE));
    CHECK(exchange.right(1));
}

// What only a mate is waited for lets the host's messages move all the same: the mate waits for
// one.
TEST_CASE("while only a mate is waited for, the program's own messages move") {
    Exchange exchange;
    const int me = rank_of();
    const bool has_mate = size_of() > 1;
    for (int round = 0; round < 20; round++) {
        MPI_Request message = MPI_REQUEST_NULL;
        int told = -1;
        if (me == 0 && has_mate)
            CHECK_MPI(MPI_Irecv(&told, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &message));
        if (me == 1) {
            usleep(2'000); // by then all others' blocks have come
            CHECK_MPI(MPI_Ssend(&round, 1, MPI_INT, 0, 7, MPI_COMM_WORLD));
        }
        exchange.start(round);
        CHECK_MPI(MPI_Wait(&exchange.request, MPI_STATUS_IGNORE));
        CHECK(exchange.right(round));
        CHECK_MPI(MPI_Wait(&message, MPI_STATUS_IGNORE));
        CHECK((me > 0 || !has_mate || told == round));
    }
}

// One-way, so that the root has used up its room long before a mate begins.
TEST_CASE("a wave without room on a queue waits for it") {
    constexpr int rounds = 2000;
    const int me = rank_of();
    std::vector<int> sent(static_cast<std::size_t>(size_of()));
    int received = -1, wrong = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Scatter_init(sent.data(), 1, MPI_INT, &received, 1, MPI_INT, 0, MPI_COMM_WORLD,
                               MPI_INFO_NULL, &request));
    if (me == 1) usleep(100'000);
    for (int round = 0; round < rounds; round++) {
        for (std::size_t to = 0; to < sent.size(); to++) sent[to] = value_at(0, round, to);
        CHECK_MPI(MPI_Start(&request));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        wrong += received != value_at(0, round, static_cast<std::size_t>(me));
    }
    CHECK(wrong == 0);
    free_request(request);
}
