// SPDX-License-Identifier: BSD-3-Clause
// Bundles start and complete any set of persistent requests, by every call; their members stay
// requests of their own.
#include <memory>
#include <numeric>

#include "channels/bundles.hpp"

using namespace mpitest;

TEST_CASE("a bundle of every kind, by every call, in one array with all other requests") {
    Kinds kinds;
    Bundle bundle(kinds.requests), asleep({kinds.own_task.request});
    Ours other;
    int sent = 0, received = -1, round = 0;
    Requests requests{bundle.request,   other.request,    MPI_REQUEST_NULL,
                      MPI_REQUEST_NULL, MPI_REQUEST_NULL, asleep.request};
    for (const Completion& way : completions)
        for (int again = 0; again < 2; again++, round++) {
            INFO(way.name);
            kinds.prepare(round);
            other.start(round);
            bundle.start();
            sent = round;
            received = -1;
            CHECK_MPI(MPI_Irecv(&received, 1, MPI_INT, kinds.ring.previous, 9, MPI_COMM_WORLD,
                                &requests[2]));
            CHECK_MPI(
                MPI_Isend(&sent, 1, MPI_INT, kinds.ring.next, 9, MPI_COMM_WORLD, &requests[3]));
            kinds.mark(round);
            Requests all = requests;
            const Outcome outcome = complete(way, all);
            CHECK(all[0] == bundle.request);
            CHECK(all[5] == asleep.request);
            CHECK(outcome.codes[0] == MPI_SUCCESS);
            CHECK(is_empty(outcome.statuses[0]));
            check_received(outcome, 2, kinds.ring.previous, 9);
            CHECK(received == round);
            CHECK(other.right(round));
            kinds.check(round);
        }
    CHECK(kinds.own_task.starts == round);
    CHECK(kinds.inner_task.queries == round);
}

TEST_CASE("members are started and completed by themselves between the rounds of their bundle") {
    Kinds kinds;
    Bundle bundle(kinds.requests);
    for (int round = 0; round < 4; round++) {
        kinds.prepare(round);
        Requests alone = kinds.requests;
        CHECK_MPI(MPI_Startall(static_cast<int>(alone.size()), alone.data()));
        CHECK(alone == kinds.requests);
        kinds.mark(round);
        const Outcome outcome = complete(completions[static_cast<std::size_t>(round) + 2], alone);
        check_received(outcome, Kinds::recv, kinds.ring.previous, kinds.tag);
        check_received(outcome, Kinds::recv_sync, kinds.ring.previous, kinds.tag + 1);
        CHECK(outcome.statuses[Kinds::task].MPI_TAG == 2 * round + 1);
        CHECK(is_empty(outcome.statuses[Kinds::inner]));
        kinds.check(round);
        kinds.prepare(round + 50);
        bundle.start();
        kinds.mark(round + 50);
        bundle.wait();
        kinds.check(round + 50);
    }
}

TEST_CASE("it does not complete before the last member") {
    Kinds kinds;
    Bundle bundle(kinds.requests);
    for (int round = 0; round < 3; round++) {
        kinds.prepare(round);
        kinds.inner_task.is_held = true;
        bundle.start();
        kinds.mark(round);
        for (int turn = 0; turn < 20; turn++) CHECK(!test(bundle.request));
        kinds.inner_task.is_held = false;
        CHECK(completes(bundle.request));
        CHECK(test(bundle.request)); // inactive
        kinds.check(round);
    }
}

TEST_CASE("what is not marked does not complete") {
    OnePair pair;
    Ours sum;
    Bundle bundle({pair.recv.request, sum.request, pair.send.request});
    for (int round = 0; round < 4; round++) {
        pair.recv.prepare(round);
        pair.send.prepare(round);
        sum.prepare(round);
        bundle.start();
        pair.send.mark_all(1, round);
        for (int turn = 0; turn < 20; turn++) CHECK(!test(bundle.request));
        for (int part = 0; part < 6; part++)
            if (part != round) CHECK(pair.recv.await({part}, 1));
        CHECK(!pair.recv.has(round));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        pair.send.mark(round);
        bundle.wait();
        pair.recv.check();
        CHECK(sum.right(round));
    }
}

TEST_CASE("receivers of a bundle can be waited for before the first mark") {
    OnePair pair;
    Task task;
    Bundle bundle({pair.recv.request, pair.send.request, task.request});
    if (rank_of() % 2 == 0) bundle.after(0, 2);
    MPI_Request both[] = {pair.recv.request, pair.send.request};
    for (int round = 0; round < 3; round++) {
        pair.recv.prepare(round);
        pair.send.prepare(round);
        bundle.start();
        CHECK_MPI(MPIX_Pbuf_prepareall(2, both));
        pair.send.mark_all(1);
        bundle.wait();
        pair.recv.check();
    }
    CHECK(MPIX_Plan_name(bundle.request) == nullptr);
    CHECK(MPIX_Plan_name(task.request) == nullptr);
}

TEST_CASE("an empty bundle, and one of nothing but empty ones") {
    Bundle empty({}), also_empty({}), both({empty.request, also_empty.request});
    for (int round = 0; round < 3; round++) {
        empty.run();
        CHECK(test(both.request));
        both.start();
        CHECK(test(both.request));
        both.run();
    }
}

TEST_CASE("a member of several bundles") {
    Ours first, second, third;
    Bundle left({first.request, second.request}), right({second.request, third.request});
    for (int round = 0; round < 4; round++) {
        first.prepare(round);
        second.prepare(round);
        left.run();
        CHECK((first.right(round) && second.right(round)));
        second.prepare(round + 20);
        third.prepare(round + 20);
        right.run();
        CHECK((second.right(round + 20) && third.right(round + 20)));
        second.run(round + 30);
    }
}

TEST_CASE("Startall starts bundles beside other requests") {
    Kinds kinds;
    Ring ring;
    Ours other;
    int sent = 0, received = -1;
    Bundle first({kinds.requests.begin(), kinds.requests.begin() + 4}),
        second({kinds.requests.begin() + 4, kinds.requests.end()});
    Requests all{first.request, recv_from(ring.previous, 70, received), other.request,
                 second.request, send_to(ring.next, 70, sent)};
    for (int round = 0; round < 4; round++) {
        kinds.prepare(round);
        other.prepare(round);
        sent = round;
        CHECK_MPI(MPI_Startall(static_cast<int>(all.size()), all.data()));
        kinds.mark(round);
        CHECK_MPI(MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE));
        kinds.check(round);
        CHECK(other.right(round));
        CHECK(received == round);
    }
    free_request(all[1]);
    free_request(all[4]);
}

TEST_CASE("a thousand rounds") {
    const Ring ring;
    Ours sum;
    OnePair pair(2, 3);
    int sent = 0, received = -1;
    Requests own{recv_from(ring.previous, 71, received), send_to(ring.next, 71, sent)};
    {
        Bundle bundle({own[0], sum.request, own[1], pair.recv.request, pair.send.request});
        for (int round = 0; round < 1000; round++) {
            sum.prepare(round);
            sent = round + ring.me;
            pair.recv.prepare(round);
            pair.send.prepare(round);
            bundle.start();
            pair.send.mark_all(1);
            CHECK_MPI(MPI_Wait(&bundle.request, MPI_STATUS_IGNORE));
            CHECK(received == round + ring.previous);
            CHECK(sum.right(round));
            if (round % 100 == 0) pair.recv.check();
        }
    }
    for (MPI_Request& request : own) free_request(request);
}

TEST_CASE("every kind of send, and messages to nobody") {
    const Ring ring;
    const AttachedBuffer buffer(1 << 16);
    for (const SendKind& kind : send_kinds) {
        INFO(kind.name);
        int sent = 0, received = -1, nothing = -1;
        Requests own{recv_from(ring.previous, 72, received), recv_from(MPI_PROC_NULL, 1, nothing),
                     send_to(ring.next, 72, sent, kind.init),
                     send_to(MPI_PROC_NULL, 1, sent, kind.init)};
        {
            Bundle receives({own[0], own[1]}), sends({own[2], own[3]});
            for (int round = 0; round < 5; round++) {
                sent = round * 10 + ring.me;
                receives.start();
                if (kind.ready) CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
                sends.start();
                sends.wait();
                receives.wait();
                CHECK(received == round * 10 + ring.previous);
                CHECK(nothing == -1);
            }
            for (int round = 0; round < 2; round++) { // each by itself
                sent = round;
                CHECK_MPI(MPI_Start(&own[0]));
                if (kind.ready) CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
                CHECK_MPI(MPI_Start(&own[2]));
                MPI_Status status = spoiled_status();
                CHECK_MPI(MPI_Wait(&own[0], &status));
                CHECK(status.MPI_SOURCE == ring.previous);
                CHECK_MPI(MPI_Wait(&own[2], MPI_STATUS_IGNORE));
                CHECK(received == round);
            }
        }
        for (MPI_Request& request : own) free_request(request);
    }
}

TEST_CASE("messages of one bundle that look alike come in its order") {
    const Ring ring;
    std::vector<int> sent(20), received(20, -1);
    Requests own;
    for (int& into : received) own.push_back(recv_from(ring.previous, 73, into));
    for (const int& from : sent) own.push_back(send_to(ring.next, 73, from));
    {
        Bundle bundle(own);
        for (int round = 0; round < 5; round++) {
            std::iota(sent.begin(), sent.end(), round * 100);
            bundle.run();
            CHECK(difference(sent, received) == "");
        }
    }
    for (MPI_Request& request : own) free_request(request);
}

TEST_CASE("large messages, and types that are freed with their communicator") {
    const Ring ring;
    constexpr int ints = 200'000;
    std::vector<int> from(2 * ints), into(2 * ints, -1);
    MPI_Comm copy = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    Requests own(2);
    {
        const Type gaps = vector_of(ints, 1, 2);
        CHECK_MPI(MPI_Send_init(from.data(), 1, gaps, ring.next, 1, copy, &own[0]));
        CHECK_MPI(MPI_Recv_init(into.data(), 1, gaps, ring.previous, 1, copy, &own[1]));
    }
    {
        Bundle bundle(own);
        CHECK_MPI(MPI_Comm_free(&copy));
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 2 * ints; i++)
                from[static_cast<std::size_t>(i)] = i % 2 == 0 ? i + round : -7;
            bundle.run();
            int wrong = 0;
            for (int i = 0; i < 2 * ints; i++)
                wrong += into[static_cast<std::size_t>(i)] != (i % 2 == 0 ? i + round : -1);
            CHECK(wrong == 0);
        }
    }
    for (MPI_Request& request : own) free_request(request);
}

TEST_CASE("a bundle goes before its members, which go on, and the array goes at once") {
    Kinds kinds;
    for (int round = 0; round < 3; round++) {
        auto array = std::make_unique<Requests>(kinds.requests);
        Bundle inner(*array);
        array.reset();
        auto outer = std::make_unique<Bundle>(Requests{inner.request});
        kinds.prepare(round);
        outer->start();
        kinds.mark(round);
        outer->wait();
        kinds.check(round);
        outer.reset();
        kinds.prepare(round);
        inner.start();
        kinds.mark(round);
        inner.wait();
        kinds.check(round);
    }
}

TEST_CASE("many bundles that come and go") {
    Kinds kinds;
    for (int round = 0; round < 200; round++) {
        Bundle bundle(kinds.requests);
        if (round % 20 != 0) continue;
        kinds.prepare(round);
        bundle.start();
        kinds.mark(round);
        bundle.wait();
        kinds.check(round);
    }
}

TEST_CASE("it moves while the program is in a blocking call") {
    Kinds kinds;
    Bundle bundle(kinds.requests);
    for (int round = 0; round < 3; round++) {
        kinds.prepare(round);
        bundle.start();
        kinds.mark(round);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        bundle.wait();
        kinds.check(round);
    }
}
