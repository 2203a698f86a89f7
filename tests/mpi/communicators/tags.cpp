// SPDX-License-Identifier: BSD-3-Clause
// Thousands of plans on one communicator, of which some live long: the library takes another
// communicator of its own whenever the tags of one are used up, which MPIX_TAG_LIMIT makes soon.
#include "common/plans.hpp"

#include <deque>
#include <memory>

using namespace mpitest;

namespace {

constexpr int inits = 3'000;

// One block of two ints for each rank.
class Exchange {
  public:
    explicit Exchange(MPI_Comm comm)
        : me_(rank_of(comm)), ranks_(size_of(comm)), in_(2 * static_cast<std::size_t>(ranks_)),
          out_(in_.size()) {
        CHECK_MPI(MPI_Alltoall_init(in_.data(), 2, MPI_INT, out_.data(), 2, MPI_INT, comm,
                                    MPI_INFO_NULL, &request));
    }
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    ~Exchange() { free_request(request); }

    void start(int round) {
        round_ = round;
        for (std::size_t i = 0; i < in_.size(); i++) in_[i] = value_at(me_, round, i);
        out_.assign(out_.size(), 0);
        CHECK_MPI(MPI_Start(&request));
    }
    void wait() {
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        int wrong = 0;
        for (int r = 0; r < ranks_; r++)
            for (int i = 0; i < 2; i++)
                wrong += out_[static_cast<std::size_t>(2 * r + i)] !=
                         value_at(r, round_, static_cast<std::size_t>(2 * me_ + i));
        CHECK(wrong == 0);
    }

    MPI_Request request = MPI_REQUEST_NULL;

  private:
    int me_, ranks_, round_ = 0;
    std::vector<int> in_, out_;
};

// Plans of many ages on one communicator.
struct Veterans {
    std::deque<std::unique_ptr<Exchange>> exchanges;
    std::deque<std::unique_ptr<Sum>> sums;

    void join(MPI_Comm comm) {
        exchanges.push_back(std::make_unique<Exchange>(comm));
        sums.push_back(std::make_unique<Sum>(comm));
    }
    // Each rank retires one of its own choice first; both are gone in the end.
    void retire() {
        if (exchanges.size() < 6) return;
        if (rank_of() % 2 == 0) exchanges.pop_front();
        sums.pop_front();
        if (rank_of() % 2 != 0) exchanges.pop_front();
    }
    void use(int round) {
        for (auto& sum : sums) sum->start(++round);
        for (auto& exchange : exchanges) exchange->start(++round);
        for (auto& sum : sums) sum->wait();
        for (auto& exchange : exchanges) exchange->wait();
    }
};

} // namespace

TEST_CASE("plans made and freed by the thousand leave those alone that live on") {
    MPI_Comm comm = duplicate();
    Veterans veterans;
    for (int i = 0; i < inits; i += 10) {
        if (i % 250 == 0) veterans.join(comm);
        if (i % 500 == 0) veterans.retire();
        for (int fresh = 0; fresh < 5; fresh++) {
            const Exchange unused(comm);
            Sum(comm).run(1);
        }
        if (i % 100 == 0) veterans.use(i);
    }
    veterans.use(inits);
    free_comm(comm);
    veterans.use(inits + 1);
}

TEST_CASE("a plan that is active while tags run out completes") {
    MPI_Comm comm = duplicate();
    Sum old_sum(comm);
    Exchange old_exchange(comm);
    const bool is_early = rank_of() % 2 == 0;
    for (int round = 0; round < 20; round++) {
        // Some ranks wait in the inits for those that start late.
        if (is_early) old_sum.start(round);
        if (!is_early) old_exchange.start(round);
        for (int i = 0; i < 12; i++) Sum(comm).run(1);
        if (is_early) old_exchange.start(round);
        if (!is_early) old_sum.start(round);
        for (int i = 0; i < 12; i++) {
            Exchange fresh(comm);
            fresh.start(i);
            fresh.wait();
        }
        old_sum.wait();
        old_exchange.wait();
    }
    free_comm(comm);
}

TEST_CASE("plans on several communicators run out of tags each on their own") {
    MPI_Comm comms[2] = {duplicate(), MPI_COMM_NULL};
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, rank_of() % 2, 0, &comms[1]));
    Sum whole(comms[0]), half(comms[1]);
    // The halves differ in how many inits they have made.
    for (int i = 0; i < (rank_of() % 2 == 0 ? 450 : 150); i++) {
        half.start(i);
        Sum(comms[1]).run(1);
        half.wait();
    }
    for (int i = 0; i < 150; i++) {
        whole.start(i);
        Sum(comms[0]).run(1);
        half.run(1);
        whole.wait();
    }
    for (MPI_Comm& comm : comms) free_comm(comm);
}
