// SPDX-License-Identifier: BSD-3-Clause
// Several partitioned operations at once, completed in every way and among all other requests;
// requests that are inactive, null, or freed unused.
#include <memory>

#include "common/ways.hpp"
#include "partitioned/partitioned_marks.hpp"

using namespace mpitest;

namespace {

// Operations of several kinds and sizes; the last is never started.
class Several {
  public:
    Several() {
        for (const char* name : {"Pbcast", "Palltoallv", "Pallreduce", "Pscan", "Pgather",
                                 "Preduce_scatter", "Pallgather", "Palltoallv"}) {
            const auto seed = static_cast<std::uint32_t>(all_.size() + 1);
            all_.push_back(
                std::make_unique<PartedOperation>(PartedCase{.row = &row_of(name),
                                                             .granules = seed % 3 == 0 ? 400 : 2,
                                                             .root = size_of() - 1,
                                                             .seed = seed,
                                                             .most = seed % 2 == 0 ? 3 : 0}));
        }
    }

    std::size_t active() const { return all_.size() - 1; }
    PartedOperation& operator[](std::size_t i) { return *all_[i]; }

    // With Startall, from another one on each rank.
    void start(int round) {
        Requests requests;
        for (std::size_t i = 0; i < active(); i++) all_[i]->begin(round);
        for (std::size_t i = 0; i < active(); i++) requests.push_back(all_[turned(i)]->request);
        CHECK_MPI(MPI_Startall(static_cast<int>(requests.size()), requests.data()));
        for (std::size_t i = 0; i < active(); i++) CHECK(requests[i] == all_[turned(i)]->request);
    }
    void mark(int round) {
        for (std::size_t i = 0; i < active(); i++)
            Marker(*all_[turned(i)], static_cast<std::uint32_t>(round))
                .mark_all(static_cast<Marking>((i + static_cast<std::size_t>(round)) % markings));
    }
    void check() {
        for (std::size_t i = 0; i < active(); i++) {
            INFO(all_[i]->text());
            all_[i]->check();
        }
    }
    Requests requests() const {
        Requests of;
        for (const auto& one : all_) of.push_back(one->request);
        return of;
    }

  private:
    std::size_t turned(std::size_t i) const {
        return (i + static_cast<std::size_t>(rank_of())) % active();
    }

    std::vector<std::unique_ptr<PartedOperation>> all_;
};

void check_statuses(const Outcome& outcome, std::size_t count) {
    for (std::size_t i = 0; i < count; i++) {
        CHECK(outcome.codes[i] == MPI_SUCCESS);
        CHECK(is_empty(outcome.statuses[i]));
    }
}

} // namespace

TEST_CASE("several at once complete in every way") {
    Several several;
    int round = 0;
    for (const Completion& way : completions) {
        INFO(way.name);
        several.start(round);
        several.mark(round++);
        Requests requests = several.requests();
        const Outcome outcome = complete(way, requests);
        check_statuses(outcome, several.active());
        CHECK(requests == several.requests());
        several.check();
    }
}

TEST_CASE("partitioned operations complete among all other requests") {
    Several several;
    Ours sum;
    const Ring ring;
    int round = 20;
    for (const Completion& way : completions) {
        INFO(way.name);
        int sent = round, received = -1;
        Requests requests = several.requests();
        const std::size_t ours = requests.size();
        requests.resize(ours + 5, MPI_REQUEST_NULL);
        MPI_Irecv(&received, 1, MPI_INT, ring.previous, 9, MPI_COMM_WORLD, &requests[ours]);
        several.start(round);
        sum.start(round);
        requests[ours + 1] = sum.request;
        several.mark(round);
        MPI_Isend(&sent, 1, MPI_INT, ring.next, 9, MPI_COMM_WORLD, &requests[ours + 2]);
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[ours + 3]);
        const Outcome outcome = complete(way, requests);
        check_statuses(outcome, several.active());
        check_received(outcome, ours, ring.previous, 9);
        CHECK(received == round);
        CHECK(sum.right(round++));
        several.check();
    }
}

TEST_CASE("Testsome completes what is marked while others are not") {
    Several several;
    Random random(static_cast<std::uint32_t>(rank_of()));
    for (int round = 0; round < 6; round++) {
        several.start(round);
        std::vector<std::pair<std::size_t, Part>> left;
        for (std::size_t i = 0; i < several.active(); i++)
            for (const Part& part : several[i].sends()) left.push_back({i, part});
        std::shuffle(left.begin(), left.end(), random);
        Requests requests = several.requests();
        std::vector<int> indices(requests.size()), seen(requests.size());
        const int count = static_cast<int>(requests.size());
        for (int found = 0; found != MPI_UNDEFINED; std::this_thread::yield()) {
            CHECK_MPI(
                MPI_Testsome(count, requests.data(), &found, indices.data(), MPI_STATUSES_IGNORE));
            for (int i = 0; i < found; i++) {
                const auto at = static_cast<std::size_t>(indices[static_cast<std::size_t>(i)]);
                CHECK(seen[at]++ == 0);
                for (const auto& [operation, part] : left) CHECK(operation != at);
            }
            if (left.empty()) continue;
            Marker(several[left.back().first], 1).mark(left.back().second, Marking::one);
            left.pop_back();
        }
        several.check();
    }
}

TEST_CASE("what is asked of an inactive or a null request has arrived") {
    PartedOperation operation({.row = &row_of("Pallgather"), .granules = 1});
    const std::vector<int> list{0, 2, 1};
    for (int round = 0; round < 3; round++) {
        for (MPI_Request request : {operation.request, MPI_REQUEST_NULL}) {
            int flag = -1, index = -1, count = -1;
            std::vector<int> indices(3, -1);
            CHECK_MPI(MPI_Parrived(request, 0, &flag));
            CHECK(flag == 1);
            CHECK_MPI(MPIX_Parrived_extended(&request, 0, 0, &(flag = -1)));
            CHECK(flag == 1);
            CHECK_MPI(MPIX_Parrived_any(request, 0, list.data(), &index, &(flag = -1)));
            CHECK(flag == 0);
            CHECK(index == MPI_UNDEFINED);
            if (operation.receives().size() < 3) continue;
            CHECK_MPI(MPIX_Parrived_any(request, 3, list.data(), &index, &flag));
            CHECK(flag == 1);
            CHECK(index == 0);
            CHECK_MPI(MPIX_Parrived_some(request, 3, list.data(), &count, indices.data()));
            CHECK(count == 3);
            CHECK(indices == std::vector<int>{0, 1, 2});
        }
        operation.start(round);
        Marker(operation, 1).mark_all(Marking::one);
        CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
        operation.check();
    }
}

TEST_CASE("an arrival stays until the next Start, and is none after it") {
    PartedOperation operation({.row = &row_of("Pallreduce"), .granules = 3, .choices = {4}});
    for (int round = 0; round < 4; round++) {
        operation.start(round);
        Asker asker(operation, 1);
        for (const Part& part : operation.receives()) CHECK(!asker.has(part));
        MPI_Barrier(MPI_COMM_WORLD);
        Marker(operation, 1).mark_all(Marking::range);
        Asker(operation, 2).await_all(Asking::some);
        for (const Part& part : operation.receives()) CHECK(asker.has(part));
        CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
        for (const Part& part : operation.receives()) CHECK(asker.has(part));
        operation.check();
    }
}

TEST_CASE("a request that is freed before any Start leaves the others alone") {
    for (const Partitioned& row : partitioned_calls) {
        if (row.is_neighbor()) continue;
        PartedOperation used({.row = &row, .seed = 2});
        { PartedOperation unused({.row = &row, .seed = 3}); }
        used.start(1);
        { // its init moves what is active, or waits for nobody
            PartedOperation unused({.row = &row, .granules = 50, .seed = 4});
        }
        Marker(used, 1).mark_all(Marking::one);
        CHECK_MPI(MPI_Wait(&used.request, MPI_STATUS_IGNORE));
        used.check();
    }
}

TEST_CASE("hundreds of operations come and go") {
    for (int i = 0; i < 300; i++) {
        const Partitioned& row = partitioned_calls[static_cast<std::size_t>(i % 17)];
        PartedOperation operation({.row = &row, .seed = static_cast<std::uint32_t>(i)});
        if (i % 3 == 0) continue;
        operation.start(i);
        Marker(operation, 1).mark_all(Marking::list);
        CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
        operation.check();
    }
}
