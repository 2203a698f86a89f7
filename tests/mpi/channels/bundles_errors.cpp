// SPDX-License-Identifier: BSD-3-Clause
// Wrong use of bundles and their members, after which all still works; and members that fail.
#include <cstdlib>
#include <numeric>

#include "channels/bundles.hpp"
#include "common/errors.hpp"

using namespace mpitest;

namespace {

void check_refused(const Requests& members, std::initializer_list<const char*> words) {
    MPI_Request made = MPI_REQUEST_NULL;
    check_error(
        MPIX_Bundle_init(static_cast<int>(members.size()), members.data(), MPI_INFO_NULL, &made),
        {MPI_ERR_REQUEST}, words);
    CHECK(made == MPI_REQUEST_NULL);
}

} // namespace

TEST_CASE("numbers and pointers of the init are checked") {
    const ErrorsReturn guard;
    Ours sum;
    MPI_Request made = MPI_REQUEST_NULL;
    check_error(MPIX_Bundle_init(-1, &sum.request, MPI_INFO_NULL, &made), {MPI_ERR_ARG},
                {"MPIX_Bundle_init", "n is -1"});
    check_error(MPIX_Bundle_init(1, nullptr, MPI_INFO_NULL, &made), {MPI_ERR_ARG},
                {"MPIX_Bundle_init", "requests"});
    check_error(MPIX_Bundle_init(1, &sum.request, MPI_INFO_NULL, nullptr), {MPI_ERR_ARG},
                {"MPIX_Bundle_init", "bundle"});
    CHECK(made == MPI_REQUEST_NULL);
    CHECK_MPI(MPIX_Bundle_init(0, nullptr, MPI_INFO_NULL, &made));
    start_and_wait(made);
    free_request(made);
}

TEST_CASE("what cannot be a member is named with its place") {
    const ErrorsReturn guard;
    const Ring ring;
    Ours sum, other;
    OnePair pair;
    PartRequests parts(pair.recv.request, 1);
    int sent = 1, received = 0;
    MPI_Request once = MPI_REQUEST_NULL, persistent = recv_from(ring.previous, 5, received);
    CHECK_MPI(MPI_Irecv(&received, 1, MPI_INT, ring.previous, 4, MPI_COMM_WORLD, &once));
    check_refused({sum.request, MPI_REQUEST_NULL}, {"MPIX_Bundle_init", "requests[1]", "null"});
    check_refused({once, sum.request}, {"requests[0]", "not a persistent"});
    check_refused({sum.request, other.request, parts.requests[0]}, {"requests[2]", "partition"});
    check_refused({sum.request, other.request, sum.request}, {"requests[2]", "requests[0]"});
    check_refused({persistent, sum.request, persistent}, {"requests[2]", "requests[0]"});
    Bundle bundle({persistent, sum.request}), outer({bundle.request});
    check_refused({bundle.request, bundle.request}, {"requests[1]", "requests[0]"});
    check_refused({bundle.request, sum.request}, {"requests[1]", "requests[0]"});
    check_refused({persistent, other.request, outer.request}, {"requests[2]", "requests[0]"});
    check_refused({outer.request, bundle.request}, {"requests[1]", "requests[0]"});
    CHECK_MPI(MPI_Send(&sent, 1, MPI_INT, ring.next, 4, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Wait(&once, MPI_STATUS_IGNORE));
    sum.prepare(1);
    outer.start();
    CHECK_MPI(MPI_Send(&sent, 1, MPI_INT, ring.next, 5, MPI_COMM_WORLD));
    outer.wait();
    CHECK(sum.right(1));
    free_request(outer.request);
    free_request(bundle.request);
    free_request(persistent);
}

TEST_CASE("an active request is no member, and a member that is active keeps its bundle back") {
    const ErrorsReturn guard;
    Kinds kinds;
    kinds.prepare(0);
    CHECK_MPI(MPI_Startall(static_cast<int>(Kinds::slots), kinds.requests.data()));
    for (std::size_t slot = 0; slot < Kinds::slots; slot++) {
        INFO("slot " << slot);
        check_refused({kinds.requests[slot]}, {"requests[0]", "active"});
    }
    kinds.mark(0);
    CHECK_MPI(
        MPI_Waitall(static_cast<int>(Kinds::slots), kinds.requests.data(), MPI_STATUSES_IGNORE));
    kinds.check(0);
    Bundle bundle(kinds.requests), outer({bundle.request});
    for (std::size_t slot = 0; slot < Kinds::slots; slot++) {
        if (slot % 2 == 1 && slot < Kinds::sum) continue; // with the one before
        INFO("slot " << slot);
        const int round = static_cast<int>(slot) + 1;
        kinds.prepare(round);
        const std::size_t with = slot < Kinds::sum ? slot + 1 : slot;
        for (std::size_t i = slot; i <= with; i++) CHECK_MPI(MPI_Start(&kinds.requests[i]));
        const std::string member = "member " + std::to_string(slot);
        const int starts = kinds.own_task.starts;
        check_error(MPI_Start(&bundle.request), {MPI_ERR_REQUEST}, {member.c_str(), "active"});
        check_error(MPI_Start(&outer.request), {MPI_ERR_REQUEST},
                    {"member 0: ", member.c_str(), "active"});
        check_error(MPI_Startall(1, &bundle.request), {MPI_ERR_REQUEST}, {member.c_str()});
        CHECK(kinds.own_task.starts == starts);
        if (slot == Kinds::parted_send) kinds.pair.send.mark_all(1);
        if (slot == Kinds::parted_recv) { // its sender
            CHECK_MPI(MPI_Start(&kinds.requests[Kinds::parted_send]));
            kinds.pair.send.mark_all(1);
            CHECK_MPI(MPI_Wait(&kinds.requests[Kinds::parted_send], MPI_STATUS_IGNORE));
        }
        if (slot == Kinds::parted_send) { // its receiver
            CHECK_MPI(MPI_Start(&kinds.requests[Kinds::parted_recv]));
            CHECK_MPI(MPI_Wait(&kinds.requests[Kinds::parted_recv], MPI_STATUS_IGNORE));
        }
        if (slot == Kinds::parted_sum) Marker(kinds.parted, 1).mark_all(Marking::one);
        for (std::size_t i = slot; i <= with; i++)
            CHECK_MPI(MPI_Wait(&kinds.requests[i], MPI_STATUS_IGNORE));
        kinds.prepare(round + 40);
        outer.start();
        kinds.mark(round + 40);
        outer.wait();
        kinds.check(round + 40);
    }
}

TEST_CASE("no member of an active bundle is started, and none of any is freed") {
    const ErrorsReturn guard;
    Kinds kinds;
    Bundle bundle(kinds.requests), outer({bundle.request});
    for (int round = 0; round < 2; round++) {
        kinds.prepare(round);
        kinds.inner_task.is_held = true;
        for (const bool is_active : {false, true}) {
            if (is_active) outer.start();
            for (const MPI_Request request : kinds.requests) {
                MPI_Request handle = request;
                check_error(MPI_Request_free(&handle), {MPI_ERR_REQUEST}, {"bundle"});
                CHECK(handle == request);
                if (!is_active) continue;
                check_error(MPI_Start(&handle), {MPI_ERR_REQUEST}, {"MPI_Start", "active"});
                check_error(MPI_Startall(1, &handle), {MPI_ERR_REQUEST}, {"active"});
                CHECK(handle == request);
            }
            MPI_Request handle = bundle.request;
            check_error(MPI_Request_free(&handle), {MPI_ERR_REQUEST}, {"bundle"});
        }
        check_error(MPI_Start(&bundle.request), {MPI_ERR_REQUEST}, {"active"});
        check_error(MPI_Start(&outer.request), {MPI_ERR_REQUEST}, {"active"});
        check_error(MPI_Request_free(&outer.request), {MPI_ERR_REQUEST}, {"active"});
        check_error(MPI_Cancel(&outer.request), {MPI_ERR_REQUEST}, {"MPI_Cancel"});
        kinds.mark(round);
        turn_around();
        // Also of one that is done: its bundle is not.
        check_error(MPI_Start(&kinds.own_task.request), {MPI_ERR_REQUEST}, {"active"});
        kinds.inner_task.is_held = false;
        outer.wait();
        kinds.check(round);
    }
}

TEST_CASE("two bundles with a common member are not active at once") {
    const ErrorsReturn guard;
    Task common(2), first(2), second(2);
    Bundle left({first.request, common.request}), right({common.request, second.request});
    for (int round = 0; round < 3; round++) {
        common.is_held = round % 2 == 0;
        first.is_held = !common.is_held;
        left.start();
        turn_around();
        check_error(MPI_Start(&right.request), {MPI_ERR_REQUEST}, {"member 0", "active"});
        CHECK(second.starts == round);
        common.is_held = first.is_held = false;
        left.wait();
        right.run();
    }
}

TEST_CASE("orders that cannot be") {
    const ErrorsReturn guard;
    std::vector<int> log;
    Ours sum;
    Task first(2, &log, 0), second(2, &log, 1), third(2, &log, 2);
    Bundle bundle({first.request, second.request, third.request}), outer({bundle.request});
    const auto refused = [&](int later, int earlier, const char* word) {
        check_error(MPIX_Bundle_after(bundle.request, later, earlier), {MPI_ERR_ARG},
                    {"MPIX_Bundle_after", word});
    };
    for (const int outside : {-1, 3, INT32_MAX, INT32_MIN}) {
        refused(outside, 0, "later");
        refused(0, outside, "earlier");
    }
    refused(1, 1, "both 1");
    bundle.after(0, 1);
    refused(1, 0, "already");
    bundle.after(1, 2);
    refused(2, 0, "already");
    refused(2, 1, "already");
    for (const MPI_Request none : {MPI_REQUEST_NULL, sum.request, first.request})
        check_error(MPIX_Bundle_after(none, 0, 1), {MPI_ERR_REQUEST},
                    {"MPIX_Bundle_after", "not a bundle"});
    for (MPI_Request* const request : {&bundle.request, &outer.request}) {
        first.is_held = true;
        CHECK_MPI(MPI_Start(request));
        check_error(MPIX_Bundle_after(bundle.request, 0, 2), {MPI_ERR_REQUEST}, {"active"});
        first.is_held = false;
        CHECK_MPI(MPI_Wait(request, MPI_STATUS_IGNORE));
        CHECK(log == std::vector<int>{2, -3, 1, -2, 0, -1});
        log.clear();
    }
}

TEST_CASE("a message that is too long is the bundle's error, and the next round is good") {
    const ErrorsReturn guard;
    const Ring ring;
    Ours sum;
    int sent[2] = {}, received[2] = {};
    Requests own(3);
    CHECK_MPI(MPI_Recv_init(received, 1, MPI_INT, ring.previous, 6, MPI_COMM_WORLD, &own[0]));
    CHECK_MPI(MPI_Send_init(sent, 1, MPI_INT, ring.next, 6, MPI_COMM_WORLD, &own[1]));
    CHECK_MPI(MPI_Send_init(sent, 2, MPI_INT, ring.next, 6, MPI_COMM_WORLD, &own[2]));
    {
        Bundle good({own[0], sum.request, own[1]}), bad({own[2], sum.request, own[0]});
        for (const Completion& way : completions) {
            INFO(way.name);
            for (int round = 0; round < 2; round++) {
                sum.prepare(round);
                bad.start();
                Requests all{bad.request};
                CHECK(class_of(complete(way, all).codes[0]) == MPI_ERR_TRUNCATE);
                CHECK(all[0] == bad.request);
                CHECK(sum.right(round));
                sum.prepare(round + 10);
                sent[0] = round + 20 + ring.me;
                good.run();
                CHECK(sum.right(round + 10));
                CHECK(received[0] == round + 20 + ring.previous);
                CHECK_MPI(MPI_Start(&own[0])); // alone
                CHECK_MPI(MPI_Start(&own[1]));
                CHECK_MPI(MPI_Waitall(2, own.data(), MPI_STATUSES_IGNORE));
            }
        }
    }
    for (MPI_Request& request : own) free_request(request);
}

TEST_CASE("with MPIX_CHECK=1 an array of a member that has changed keeps its bundle back") {
    const char* const check = std::getenv("MPIX_CHECK");
    if (check == nullptr || *check != '1') return;
    const ErrorsReturn guard;
    const Ring ring;
    int mine = ring.me;
    std::vector<int> all(static_cast<std::size_t>(ring.ranks)), counts(all.size(), 1),
        places(all.size());
    std::iota(places.begin(), places.end(), 0);
    Ours sum;
    MPI_Request gather = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allgatherv_init(&mine, 1, MPI_INT, all.data(), counts.data(), places.data(),
                                  MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &gather));
    {
        Bundle bundle({sum.request, gather}), outer({bundle.request});
        for (int round = 0; round < 2; round++) {
            counts[0] = 0;
            check_error(MPI_Start(&outer.request), {MPI_ERR_ARG},
                        {"member 0: member 1: recvcounts", "changed"});
            counts[0] = 1;
            sum.prepare(round);
            outer.run();
            CHECK(sum.right(round));
            CHECK(all.back() == ring.ranks - 1);
        }
    }
    free_request(gather);
}

TEST_CASE("a message on a communicator that was freed before the init") {
    const ErrorsReturn guard;
    MPI_Comm copy = MPI_COMM_NULL;
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_SELF, &copy));
    CHECK_MPI(MPI_Recv_init(&value, 1, MPI_INT, 0, 1, copy, &request));
    CHECK_MPI(MPI_Comm_free(&copy));
    check_refused({request}, {"requests[0]", "freed"});
    free_request(request);
}
