// SPDX-License-Identifier: BSD-3-Clause
// Requests for single partitions: each is active from Start until its partition has arrived, and is
// completed by every call in one array with all other requests.
#include <list>

#include "common/errors.hpp"
#include "partitioned/partitioned_requests.hpp"

using namespace mpitest;

TEST_CASE("partitions, operations and all other requests complete in one array by every call") {
    OnePair pair, asleep;
    PartedOperation sum({.row = &row_of("Pallreduce"), .granules = 2, .choices = {4}});
    Ours other;
    PartRequests of_pair(pair.recv.request, 6), of_sum(sum.request, 4);
    PartRequests of_asleep(asleep.recv.request, 1);
    Requests requests{pair.send.request, sum.request, pair.recv.request, other.request,
                      MPI_REQUEST_NULL};
    const std::size_t empty = requests.size() - 1;
    for (PartRequests* some : {&of_pair, &of_sum, &of_asleep})
        requests.insert(requests.begin() + 1, some->requests.begin(), some->requests.end());
    const std::size_t ours = requests.size(), partitions = ours - empty - 1;
    requests.resize(ours + 2, MPI_REQUEST_NULL);
    int round = 0;
    for (const Completion& way : completions)
        for (int again = 0; again < 2; again++, round++) {
            INFO(way.name);
            int sent = round, received = -1;
            pair.start(round);
            sum.start(round);
            other.start(round);
            CHECK_MPI(MPI_Irecv(&received, 1, MPI_INT, pair.ring.previous, 9, MPI_COMM_WORLD,
                                &requests[ours]));
            pair.send.mark_all(static_cast<std::uint32_t>(round));
            Marker(sum, 1).mark_all(Marking::one);
            CHECK_MPI(MPI_Isend(&sent, 1, MPI_INT, pair.ring.next, 9, MPI_COMM_WORLD,
                                &requests[ours + 1]));
            Requests all = requests;
            const Outcome outcome = complete(way, all);
            for (std::size_t i = 0; i < ours; i++) CHECK(all[i] == requests[i]);
            for (std::size_t i = 2; i <= partitions; i++) { // the first sleeps
                INFO("partition at " << i);
                CHECK(outcome.codes[i] == MPI_SUCCESS);
                CHECK(is_empty(outcome.statuses[i]));
            }
            check_received(outcome, ours, pair.ring.previous, 9);
            CHECK(received == round);
            CHECK(other.right(round));
            pair.recv.check();
            sum.check();
        }
}

TEST_CASE("each partition of a receive is taken once, when its data are there") {
    for (const int ints : {4, 6'000, 40'000}) {
        OnePair pair(8, ints);
        PartRequests parts(pair.recv.request, 8);
        for (int round = 0; round < 4; round++) {
            pair.start(round);
            pair.send.mark_all(static_cast<std::uint32_t>(round));
            take_each(parts.requests, [&](int part) { CHECK(pair.recv.is_right(part)); });
            pair.finish();
        }
    }
}

TEST_CASE("each partition of a collective is taken once, when its data are there") {
    for (const Partitioned& row : partitioned_calls) {
        if (row.is_neighbor()) continue;
        for (const int granules : {1, 300}) {
            PartedOperation operation({.row = &row, .granules = granules, .seed = 5, .least = 1});
            INFO(operation.text());
            PartRequests parts(operation.request, size_of_receives(operation));
            for (int round = 0; round < 3; round++) {
                operation.start(round);
                Marker(operation, 1).mark_all(Marking::list);
                take_each(parts.requests, [&](int part) {
                    const Part& there = operation.receives()[static_cast<std::size_t>(part)];
                    CHECK(operation.arrival_error(there) == "");
                });
                CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
                operation.check();
            }
        }
    }
}

TEST_CASE("Waitsome takes all but the one that is held back") {
    for (const int ints : {1, 5'000, 40'000}) {
        OnePair pair(8, ints);
        PartRequests parts(pair.recv.request, 8);
        parts.requests.push_back(pair.recv.request);
        std::vector<int> indices(9);
        for (int round = 0; round < 8; round++) {
            INFO("round " << round << ", " << ints << " ints");
            pair.start(round);
            pair.send.mark_all(static_cast<std::uint32_t>(round), round);
            int taken = 0, count = 0, flag = -1;
            while (taken < 7) {
                CHECK_MPI(MPI_Waitsome(9, parts.requests.data(), &count, indices.data(),
                                       MPI_STATUSES_IGNORE));
                if (count == MPI_UNDEFINED) break;
                for (int i = 0; i < count; i++) {
                    const int part = indices[static_cast<std::size_t>(i)];
                    CHECK((part != round && part < 8 && pair.recv.is_right(part)));
                }
                taken += count;
            }
            CHECK(taken == 7);
            for (int turn = 0; turn < 10; turn++) {
                CHECK_MPI(MPI_Testsome(9, parts.requests.data(), &count, indices.data(),
                                       MPI_STATUSES_IGNORE));
                CHECK(count == 0);
                CHECK_MPI(MPI_Testall(9, parts.requests.data(), &flag, MPI_STATUSES_IGNORE));
                CHECK(flag == 0);
            }
            CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); // all have seen that
            pair.send.mark(round);
            CHECK_MPI(MPI_Waitall(9, parts.requests.data(), MPI_STATUSES_IGNORE));
            pair.finish();
        }
        parts.requests.pop_back();
    }
}

TEST_CASE("active from each Start on, whether the round before was noticed or not") {
    OnePair pair;
    PartRequests parts(pair.recv.request, 6);
    for (int round = 0; round < 4; round++) {
        for (MPI_Request& request : parts.requests)
            if (round == 0) CHECK(test(request)); // inactive
        pair.start(round);
        for (MPI_Request& request : parts.requests) CHECK(!test(request));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        pair.send.mark_all(3);
        if (round % 2 == 0) pair.finish();
        for (int part = 0; part < 6 && round < 2; part += 2) // not of the third and fourth
            CHECK(completes(parts.requests[static_cast<std::size_t>(part)]));
        if (round % 2 != 0) pair.finish();
    }
    for (MPI_Request& request : parts.requests) wait_empty(request); // the operation is inactive
}

TEST_CASE("made before its partition arrived, after it, and when all is complete") {
    OnePair pair;
    for (int round = 0; round < 3; round++) {
        PartRequests parts(pair.recv.request, 1);
        CHECK(test(parts.requests[0]));
        pair.start(round);
        parts.add(pair.recv.request, 5);
        CHECK(!test(parts.requests[1]));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        pair.send.mark_range(0, 3);
        pair.recv.await({0, 1, 2, 3}, 1);
        parts.add(pair.recv.request, 2);
        int index = -5;
        CHECK_MPI(MPI_Waitany(2, &parts.requests[1], &index, MPI_STATUS_IGNORE));
        CHECK(index == 1);
        CHECK(!test(parts.requests[1]));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        pair.send.mark_range(4, 5);
        pair.recv.await_all(1);
        int flag = 0;
        while (flag == 0) {
            CHECK_MPI(MPI_Request_get_status(pair.recv.request, &flag, MPI_STATUS_IGNORE));
            pause_briefly();
        }
        parts.add(pair.recv.request, 4);
        CHECK_MPI(MPI_Waitall(parts.size(), parts.requests.data(), MPI_STATUSES_IGNORE));
        pair.finish();
    }
}

TEST_CASE("several of one partition") {
    OnePair pair;
    PartRequests parts(pair.recv.request, 6);
    for (int again = 0; again < 3; again++) parts.add(pair.recv.request, 2);
    for (int round = 0; round < 3; round++) {
        pair.start(round);
        pair.send.mark_all(5);
        take_each(parts.requests, [](int) {});
        pair.finish();
    }
}

TEST_CASE("freed inactive, active and complete, before the operation and after it") {
    std::list<PartRequests> later;
    for (int round = 0; round < 3; round++) {
        OnePair pair;
        PartRequests kept(pair.recv.request, 6);
        { const PartRequests inactive(pair.recv.request, 6); }
        PartRequests& last = later.emplace_back(pair.recv.request, 6);
        {
            const PartRequests active(pair.recv.request, 6);
            pair.start(round);
        }
        {
            const PartRequests arrived(pair.recv.request, 6);
            pair.send.mark_all(5);
            pair.recv.await_all(1);
        }
        take_each(kept.requests, [](int) {});
        pair.finish();
        pair.run(round + 10);
        if (round == 1) take_each(last.requests, [](int) {});
    }
    for (PartRequests& parts : later) // their operations are gone
        CHECK_MPI(MPI_Waitall(parts.size(), parts.requests.data(), MPI_STATUSES_IGNORE));
    for (PartRequests& parts : later)
        for (MPI_Request& request : parts.requests) CHECK(test(request));
}

TEST_CASE("what nobody sends, and what is empty, has arrived at Start") {
    RecvEnd nobody({4, 2}, {MPI_PROC_NULL, 3});
    OnePair empty(3, 0);
    PartRequests of_nobody(nobody.request, 4), of_empty(empty.recv.request, 3);
    PartedOperation scan({.row = &row_of("Pexscan"), .choices = {3}});
    PartRequests of_scan(scan.request, 3);
    for (int round = 0; round < 3; round++) {
        nobody.start(round);
        take_each(of_nobody.requests, [](int) {});
        nobody.finish();
        empty.start(round);
        empty.send.mark_all(1);
        take_each(of_empty.requests, [](int) {});
        empty.finish();
        scan.start(round);
        if (rank_of() == 0) take_each(of_scan.requests, [](int) {});
        Marker(scan, 1).mark_all(Marking::one);
        CHECK_MPI(MPI_Wait(&scan.request, MPI_STATUS_IGNORE));
        scan.check();
    }
}

TEST_CASE("inactive ones complete at once and hinder no other") {
    OnePair pair;
    PartRequests parts(pair.recv.request, 6);
    for (int round = 0; round < 2; round++) {
        int index = -5, flag = -1, indices[6];
        for (MPI_Request& request : parts.requests) {
            CHECK(test(request));
            wait_empty(request);
        }
        MPI_Request* const all = parts.requests.data();
        CHECK_MPI(MPI_Waitany(6, all, &index, MPI_STATUS_IGNORE));
        CHECK(index == MPI_UNDEFINED);
        CHECK_MPI(MPI_Testany(6, all, &index, &flag, MPI_STATUS_IGNORE));
        CHECK((flag == 1 && index == MPI_UNDEFINED));
        CHECK_MPI(MPI_Waitsome(6, all, &index, indices, MPI_STATUSES_IGNORE));
        CHECK(index == MPI_UNDEFINED);
        CHECK_MPI(MPI_Testsome(6, all, &index, indices, MPI_STATUSES_IGNORE));
        CHECK(index == MPI_UNDEFINED);
        CHECK_MPI(MPI_Waitall(6, all, MPI_STATUSES_IGNORE));
        CHECK_MPI(MPI_Testall(6, all, &flag, MPI_STATUSES_IGNORE));
        CHECK(flag == 1);
        pair.start(round);
        pair.send.mark_all(1);
        CHECK_MPI(MPI_Waitall(6, all, MPI_STATUSES_IGNORE));
        pair.finish();
    }
}

TEST_CASE("a partition that is not received has no request") {
    const ErrorsReturn guard;
    OnePair pair;
    PartedOperation bcast({.row = &row_of("Pbcast")}), gather({.row = &row_of("Pgather")});
    int value = 0;
    MPI_Request host = MPI_REQUEST_NULL, made = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Recv_init(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &host));
    PartRequests parts(pair.recv.request, 1);
    PartedOperation& sender = rank_of() == 0 ? bcast : gather;
    const bool receives_none = sender.receives().empty();
    for (const MPI_Request request : {MPI_REQUEST_NULL, host, pair.send.request, parts.requests[0],
                                      receives_none ? sender.request : MPI_REQUEST_NULL})
        check_error(MPIX_Partition_request(request, 0, &made), {MPI_ERR_REQUEST},
                    {"MPIX_Partition_request"});
    for (const int outside : {-1, 6, INT32_MAX, INT32_MIN})
        check_error(MPIX_Partition_request(pair.recv.request, outside, &made), {MPI_ERR_ARG},
                    {"MPIX_Partition_request", "partition"});
    CHECK(class_of(MPIX_Partition_request(pair.recv.request, 0, nullptr)) == MPI_ERR_ARG);
    CHECK(made == MPI_REQUEST_NULL);
    CHECK_MPI(MPI_Request_free(&host));
    pair.run(1);
}

TEST_CASE("one is not started, cancelled, marked or asked") {
    const ErrorsReturn guard;
    OnePair pair;
    PartRequests parts(pair.recv.request, 1);
    for (int round = 0; round < 3; round++) {
        MPI_Request& request = parts.requests[0];
        for (const bool is_active : {false, true}) {
            if (is_active) pair.start(round);
            int flag = -7;
            CHECK(class_of(MPI_Start(&request)) == MPI_ERR_REQUEST);
            CHECK(class_of(MPI_Startall(1, &request)) == MPI_ERR_REQUEST);
            CHECK(class_of(MPI_Cancel(&request)) == MPI_ERR_REQUEST);
            CHECK(class_of(MPI_Pready(0, request)) == MPI_ERR_REQUEST);
            CHECK(class_of(MPI_Parrived(request, 0, &flag)) == MPI_ERR_REQUEST);
            CHECK(class_of(MPIX_Pbuf_prepare(request)) == MPI_ERR_REQUEST);
            CHECK(flag == -7);
        }
        CHECK(!test(request));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        pair.send.mark_all(2);
        CHECK(completes(request));
        pair.finish();
    }
}
