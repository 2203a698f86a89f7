// SPDX-License-Identifier: BSD-3-Clause
//
// MPI 4.1 asks for the statuses of arrays, and completes nothing: arrays of a plan that waits for
// another rank, a plan, and receives of the host, persistent and not.
#include "common/check.hpp"

#include <array>

using namespace mpitest;

namespace {

constexpr int slots = 5;
constexpr int late = 0, plan = 1, persistent = 2, receive = 3, null = 4;

// All but the first are sure to complete; that does when release() has been called everywhere.
class Mixture {
  public:
    Mixture()
        : next_((rank_of() + 1) % size_of()), previous_((rank_of() + size_of() - 1) % size_of()) {
        MPI_Precv_init(&partition_, 1, 1, MPI_INT, previous_, 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[late]);
        MPI_Psend_init(&mine_, 1, 1, MPI_INT, next_, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send_);
        MPI_Allreduce_init(&mine_, &sum_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[plan]);
        MPI_Recv_init(&in_[0], 1, MPI_INT, previous_, 2, MPI_COMM_WORLD, &requests[persistent]);
    }
    Mixture(const Mixture&) = delete;
    Mixture& operator=(const Mixture&) = delete;
    ~Mixture() {
        for (const int slot : {late, plan, persistent}) MPI_Request_free(&requests[at(slot)]);
        MPI_Request_free(&send_);
    }
    void start() {
        MPI_Startall(3, requests.data());
        MPI_Start(&send_);
        MPI_Irecv(&in_[1], 1, MPI_INT, previous_, 3, MPI_COMM_WORLD, &requests[receive]);
        MPI_Send(&mine_, 1, MPI_INT, next_, 2, MPI_COMM_WORLD);
        MPI_Send(&mine_, 1, MPI_INT, next_, 3, MPI_COMM_WORLD);
    }
    void release() { MPI_Pready(0, send_); }
    void finish() {
        CHECK_MPI(MPI_Wait(&send_, MPI_STATUS_IGNORE));
        std::array<MPI_Status, slots> statuses;
        CHECK_MPI(MPI_Waitall(slots, requests.data(), statuses.data()));
        check(late, statuses[late]);
        check(persistent, statuses[persistent]);
        check(receive, statuses[receive]);
        CHECK(sum_ == size_of());
    }
    // The status of a message, whoever tells it; of others an empty one.
    void check(int slot, const MPI_Status& status) const {
        INFO("slot " << slot);
        const bool is_message = slot == late || slot == persistent || slot == receive;
        int count = -1;
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(count == (is_message ? 1 : 0));
        CHECK(status.MPI_SOURCE == (is_message ? previous_ : MPI_ANY_SOURCE));
    }

    std::array<MPI_Request, slots> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                                            MPI_REQUEST_NULL, MPI_REQUEST_NULL};

  private:
    static std::size_t at(int slot) { return static_cast<std::size_t>(slot); }

    int next_, previous_;
    int mine_ = 1, sum_ = 0, partition_ = 0;
    std::array<int, 2> in_{};
    MPI_Request send_ = MPI_REQUEST_NULL;
};

TEST_CASE("get_status_all waits for the last, and completes nothing") {
    Mixture mixture;
    for (int round = 0; round < 3; round++) {
        mixture.start();
        std::array<MPI_Status, slots> statuses;
        int flag = 1;
        for (int turn = 0; turn < 20; turn++) {
            CHECK_MPI(MPI_Request_get_status_all(slots, mixture.requests.data(), &flag,
                                                 MPI_STATUSES_IGNORE));
            CHECK(flag == 0);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        mixture.release();
        for (flag = 0; !flag;)
            CHECK_MPI(
                MPI_Request_get_status_all(slots, mixture.requests.data(), &flag, statuses.data()));
        for (int slot = 0; slot < slots; slot++)
            mixture.check(slot, statuses[static_cast<std::size_t>(slot)]);
        mixture.finish();
    }
}

TEST_CASE("get_status_some tells of each that is complete, again and again") {
    Mixture mixture;
    for (int round = 0; round < 3; round++) {
        mixture.start();
        std::array<MPI_Status, slots> statuses;
        std::array<int, slots> indices{};
        int count = 0;
        const auto ask = [&](int until) {
            for (count = 0; count < until;)
                CHECK_MPI(MPI_Request_get_status_some(slots, mixture.requests.data(), &count,
                                                      indices.data(), statuses.data()));
        };
        for (int turn = 0; turn < 2; turn++) {
            ask(3);
            CHECK(count == 3);
            int seen = 0;
            for (std::size_t i = 0; i < 3; i++) {
                seen |= 1 << indices[i];
                mixture.check(indices[i], statuses[i]);
            }
            CHECK(seen == (1 << plan | 1 << persistent | 1 << receive));
        }
        MPI_Barrier(MPI_COMM_WORLD);
        mixture.release();
        ask(4);
        mixture.finish();
        CHECK_MPI(MPI_Request_get_status_some(slots, mixture.requests.data(), &count,
                                              indices.data(), statuses.data()));
        CHECK(count == MPI_UNDEFINED);
    }
}

TEST_CASE("get_status_any finds one, none yet, or that nothing is active") {
    Mixture mixture;
    for (int round = 0; round < 3; round++) {
        mixture.start();
        MPI_Status status;
        int index = -1, flag = 0;
        const auto ask = [&](int first, int count) {
            CHECK_MPI(MPI_Request_get_status_any(count, mixture.requests.data() + first, &index,
                                                 &flag, &status));
        };
        ask(late, 1);
        CHECK(flag == 0);
        for (const int slot : {plan, persistent, receive}) {
            for (flag = 0; !flag;) ask(slot, 1);
            CHECK(index == 0);
            mixture.check(slot, status);
        }
        ask(late, slots);
        CHECK((flag != 0 && index > late && index < null));
        ask(null, 1);
        CHECK((flag != 0 && index == MPI_UNDEFINED));
        MPI_Barrier(MPI_COMM_WORLD);
        mixture.release();
        for (flag = 0; !flag;) ask(late, 1);
        mixture.check(late, status);
        mixture.finish();
        ask(late, slots);
        CHECK((flag != 0 && index == MPI_UNDEFINED));
    }
}

} // namespace
