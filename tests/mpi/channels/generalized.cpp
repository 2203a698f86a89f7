// SPDX-License-Identifier: BSD-3-Clause
// Persistent generalized requests: when each function of the program is called, what it may do, and
// what becomes of its errors.
#include <memory>

#include "channels/bundles.hpp"
#include "common/errors.hpp"

using namespace mpitest;

namespace {

void check_status(const MPI_Status& status, const Task& task, int cancelled = 0) {
    int count = -1, is_cancelled = -1;
    CHECK(status.MPI_SOURCE == 40 + task.number);
    CHECK(status.MPI_TAG == task.starts);
    CHECK_MPI(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_MPI(MPI_Test_cancelled(&status, &is_cancelled));
    CHECK(count == 5);
    CHECK(is_cancelled == cancelled);
}

} // namespace

TEST_CASE("started, polled until it is done, asked for its status, and freed") {
    Task task(5, nullptr, 3);
    CHECK(task.starts == 0);
    MPI_Status status = spoiled_status();
    CHECK_MPI(MPI_Wait(&task.request, &status)); // inactive
    CHECK(is_empty(status));
    CHECK(task.polls == 0);
    for (int round = 1; round <= 4; round++) {
        CHECK_MPI(MPI_Start(&task.request));
        CHECK(task.starts == round);
        CHECK_MPI(MPI_Wait(&task.request, &status));
        CHECK(task.polls == 5);
        CHECK(task.queries == round);
        check_status(status, task);
        CHECK(status.MPI_ERROR == untouched_error);
        CHECK_MPI(MPI_Wait(&task.request, &status));
        CHECK(is_empty(status));
    }
    CHECK(task.frees == 0);
    free_request(task.request);
    CHECK(task.frees == 1);
    CHECK(task.cancels == 0);
}

TEST_CASE("by every call, in one array with all other requests") {
    const Ring ring;
    Task quick(1, nullptr, 1), slow(20, nullptr, 2), asleep(1);
    Ours sum;
    int sent = 0, received = -1, round = 0;
    Requests requests{slow.request,     sum.request,    quick.request,   MPI_REQUEST_NULL,
                      MPI_REQUEST_NULL, asleep.request, MPI_REQUEST_NULL};
    for (const Completion& way : completions)
        for (int again = 0; again < 2; again++, round++) {
            INFO(way.name);
            sent = round;
            sum.start(round);
            CHECK_MPI(MPI_Start(&quick.request));
            CHECK_MPI(MPI_Start(&slow.request));
            CHECK_MPI(
                MPI_Irecv(&received, 1, MPI_INT, ring.previous, 9, MPI_COMM_WORLD, &requests[3]));
            CHECK_MPI(MPI_Isend(&sent, 1, MPI_INT, ring.next, 9, MPI_COMM_WORLD, &requests[4]));
            const Outcome outcome = complete(way, requests);
            CHECK((outcome.codes[0] == MPI_SUCCESS && outcome.codes[2] == MPI_SUCCESS));
            check_status(outcome.statuses[0], slow);
            check_status(outcome.statuses[2], quick);
            check_received(outcome, 3, ring.previous, 9);
            CHECK(received == round);
            CHECK(sum.right(round));
        }
    CHECK(asleep.starts == 0);
    CHECK(quick.queries == round);
}

TEST_CASE("Startall starts it beside others") {
    Task first(2), second(2);
    Ours sum;
    Requests all{first.request, sum.request, second.request};
    for (int round = 0; round < 3; round++) {
        sum.prepare(round);
        CHECK_MPI(MPI_Startall(3, all.data()));
        CHECK_MPI(MPI_Waitall(3, all.data(), MPI_STATUSES_IGNORE));
        CHECK(sum.right(round));
        CHECK((first.ends == round + 1 && second.ends == round + 1));
    }
}

TEST_CASE("any wait and test of the program polls it") {
    Task task(1'000'000);
    Ours sum;
    int sent = 1, received = 0;
    const Ring ring;
    CHECK_MPI(MPI_Start(&task.request));
    auto has_polled = [&, before = 0]() mutable {
        const bool has = task.polls > before;
        before = task.polls;
        return has;
    };
    sum.run(1);
    CHECK(has_polled());
    MPI_Request own[2];
    CHECK_MPI(MPI_Irecv(&received, 1, MPI_INT, ring.previous, 3, MPI_COMM_WORLD, &own[0]));
    CHECK_MPI(MPI_Isend(&sent, 1, MPI_INT, ring.next, 3, MPI_COMM_WORLD, &own[1]));
    int flag = 0;
    CHECK_MPI(MPI_Test(&own[1], &flag, MPI_STATUS_IGNORE));
    CHECK(has_polled());
    CHECK_MPI(MPI_Waitall(2, own, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Request_get_status(sum.request, &flag, MPI_STATUS_IGNORE));
    CHECK(has_polled());
    task.turns = 0;
    CHECK_MPI(MPI_Wait(&task.request, MPI_STATUS_IGNORE));
}

TEST_CASE("without the functions that may be null") {
    int rounds = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    const auto start = [](void* state) -> int {
        ++*static_cast<int*>(state);
        return MPI_SUCCESS;
    };
    const auto poll = [](void*, int* flag) -> int {
        *flag = 7;
        return MPI_SUCCESS;
    };
    CHECK_MPI(MPIX_Pgrequest_init(start, poll, nullptr, nullptr, nullptr, &rounds, &request));
    for (int round = 1; round < 4; round++) {
        MPI_Status status = spoiled_status();
        CHECK_MPI(MPI_Start(&request));
        CHECK_MPI(MPI_Wait(&request, &status));
        CHECK(is_empty(status));
        CHECK(rounds == round);
    }
    {
        const ErrorsReturn guard;
        CHECK_MPI(MPI_Start(&request));
        check_error(MPI_Cancel(&request), {MPI_ERR_REQUEST}, {"MPI_Cancel", "Pgrequest_init"});
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    free_request(request);
}

TEST_CASE("cancelled before it is done, and after") {
    const ErrorsReturn guard;
    for (int round = 0; round < 3; round++) {
        Task task;
        MPI_Status status = spoiled_status();
        check_error(MPI_Cancel(&task.request), {MPI_ERR_REQUEST}, {"MPI_Cancel"}); // inactive
        CHECK(task.cancels == 0);
        task.is_held = true;
        CHECK_MPI(MPI_Start(&task.request));
        for (int turn = 0; turn < 5; turn++) {
            int flag = -1;
            CHECK_MPI(MPI_Test(&task.request, &flag, &status));
            CHECK(flag == 0);
        }
        CHECK_MPI(MPI_Cancel(&task.request));
        CHECK((task.cancels == 1 && task.cancelled_complete == 0));
        CHECK_MPI(MPI_Wait(&task.request, &status));
        check_status(status, task, 1);
        task.is_held = false;
        CHECK_MPI(MPI_Start(&task.request));
        int flag = 0;
        while (flag == 0) CHECK_MPI(MPI_Request_get_status(task.request, &flag, &status));
        CHECK_MPI(MPI_Cancel(&task.request));
        CHECK((task.cancels == 2 && task.cancelled_complete == 1));
        CHECK_MPI(MPI_Wait(&task.request, &status));
        check_status(status, task, 0);
    }
}

TEST_CASE("an error of a function is that of the round, and the next round is good") {
    const ErrorsReturn guard;
    Task task(2);
    std::atomic<int>* const codes[] = {&task.start_code, &task.poll_code, &task.query_code};
    for (const Completion& way : completions)
        for (int which = 0; which < 3; which++) {
            INFO(way.name << ", function " << which);
            Ours sum;
            const int polls = task.polls, queries = task.queries;
            *codes[which] = MPI_ERR_INTERN;
            sum.start(which);
            CHECK_MPI(MPI_Start(&task.request));
            Requests all{sum.request, task.request};
            const Outcome outcome = complete(way, all);
            CHECK(outcome.codes[0] == MPI_SUCCESS);
            CHECK(class_of(outcome.codes[1]) == MPI_ERR_INTERN);
            CHECK(sum.right(which));
            if (which == 0) CHECK(task.polls == 0);
            if (which < 2) CHECK(task.queries == queries);
            *codes[which] = MPI_SUCCESS;
            if (which == 0) task.ends = task.starts.load(); // it saw no end
            start_and_wait(task.request);
            CHECK(task.polls == 2);
            CHECK(polls >= 0);
        }
}

TEST_CASE("an error of cancel_fn is that of the round, an error of free_fn that of the free") {
    const ErrorsReturn guard;
    Task task(2);
    task.cancel_code = MPI_ERR_IO;
    CHECK_MPI(MPI_Start(&task.request));
    CHECK_MPI(MPI_Cancel(&task.request));
    CHECK(class_of(MPI_Wait(&task.request, MPI_STATUS_IGNORE)) == MPI_ERR_IO);
    start_and_wait(task.request);
    task.free_code = MPI_ERR_IO;
    CHECK(class_of(MPI_Request_free(&task.request)) == MPI_ERR_IO);
    CHECK(task.request == MPI_REQUEST_NULL);
    CHECK(task.frees == 1);
}

TEST_CASE("an active one is neither started nor freed") {
    const ErrorsReturn guard;
    Task task(2);
    CHECK_MPI(MPI_Start(&task.request));
    check_error(MPI_Start(&task.request), {MPI_ERR_REQUEST}, {"MPI_Start", "active"});
    check_error(MPI_Request_free(&task.request), {MPI_ERR_REQUEST}, {"free", "active"});
    CHECK((task.starts == 1 && task.frees == 0));
    CHECK_MPI(MPI_Wait(&task.request, MPI_STATUS_IGNORE));
}

TEST_CASE("null pointers at init are errors of the argument") {
    const ErrorsReturn guard;
    const auto start = [](void*) -> int { return MPI_SUCCESS; };
    const auto poll = [](void*, int*) -> int { return MPI_SUCCESS; };
    MPI_Request made = MPI_REQUEST_NULL;
    check_error(MPIX_Pgrequest_init(nullptr, poll, nullptr, nullptr, nullptr, nullptr, &made),
                {MPI_ERR_ARG}, {"MPIX_Pgrequest_init", "start_fn"});
    check_error(MPIX_Pgrequest_init(start, nullptr, nullptr, nullptr, nullptr, nullptr, &made),
                {MPI_ERR_ARG}, {"MPIX_Pgrequest_init", "poll_fn"});
    check_error(MPIX_Pgrequest_init(start, poll, nullptr, nullptr, nullptr, nullptr, nullptr),
                {MPI_ERR_ARG}, {"MPIX_Pgrequest_init", "request"});
    CHECK(made == MPI_REQUEST_NULL);
}

TEST_CASE("functions that test a host's collective which they began") {
    const Ring ring;
    int in = 0, out = -1;
    MPI_Comm copy = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    MPI_Request inner = MPI_REQUEST_NULL;
    Task task(0);
    task.at_start = [&] {
        CHECK_MPI(MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, copy, &inner));
    };
    task.at_poll = [&] {
        int flag = 0;
        CHECK_MPI(MPI_Test(&inner, &flag, MPI_STATUS_IGNORE));
        task.turns = flag != 0 ? 0 : 1 << 30;
    };
    for (int round = 0; round < 20; round++) {
        in = round;
        start_and_wait(task.request);
        CHECK(inner == MPI_REQUEST_NULL);
        CHECK(out == round * ring.ranks);
    }
    CHECK_MPI(MPI_Comm_free(&copy));
}

TEST_CASE("functions that start, test and wait for requests of the library") {
    Ours tested, waited, begun;
    Task task(0), other(3);
    int round = 0;
    task.at_start = [&] {
        tested.start(round);
        begun.start(round);
        CHECK_MPI(MPI_Start(&other.request));
    };
    task.at_poll = [&] {
        int flag = 0;
        CHECK_MPI(MPI_Test(&tested.request, &flag, MPI_STATUS_IGNORE));
        task.turns = flag != 0 ? 0 : 1 << 30;
        if (flag == 0) return;
        waited.run(round);
        MPI_Request both[] = {begun.request, other.request};
        CHECK_MPI(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
    };
    for (; round < 20; round++) {
        start_and_wait(task.request);
        CHECK((tested.right(round) && begun.right(round) && waited.right(round)));
        CHECK(other.ends == round + 1);
    }
}

TEST_CASE("functions that make and free requests of the library") {
    std::vector<MPI_Request> made;
    Task task(3);
    task.at_start = [&] {
        const auto start = [](void*) -> int { return MPI_SUCCESS; };
        const auto poll = [](void*, int* flag) -> int {
            *flag = 1;
            return MPI_SUCCESS;
        };
        CHECK_MPI(MPIX_Pgrequest_init(start, poll, nullptr, nullptr, nullptr, nullptr,
                                      &made.emplace_back(MPI_REQUEST_NULL)));
        CHECK_MPI(MPI_Start(&made.back()));
    };
    task.at_poll = [&] {
        if (made.empty()) return;
        int flag = 0;
        CHECK_MPI(MPI_Test(&made.back(), &flag, MPI_STATUS_IGNORE));
        if (flag == 0) return;
        free_request(made.back());
        made.pop_back();
    };
    for (int round = 0; round < 100; round++) start_and_wait(task.request);
    for (MPI_Request& request : made) {
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        free_request(request);
    }
}

TEST_CASE("many whose functions test: each turn calls each once") {
    const Ring ring;
    constexpr int tasks = 60;
    std::vector<std::unique_ptr<Task>> all;
    std::vector<int> sent(tasks), received(tasks, -1);
    Requests inner(2 * tasks, MPI_REQUEST_NULL), requests;
    for (int i = 0; i < tasks; i++) {
        Task& task = *all.emplace_back(std::make_unique<Task>(0));
        const auto at = static_cast<std::size_t>(i);
        requests.push_back(task.request);
        task.at_start = [&, i, at] {
            CHECK_MPI(MPI_Irecv(&received[at], 1, MPI_INT, ring.previous, i, MPI_COMM_WORLD,
                                &inner[2 * at]));
            CHECK_MPI(
                MPI_Isend(&sent[at], 1, MPI_INT, ring.next, i, MPI_COMM_WORLD, &inner[2 * at + 1]));
        };
        task.at_poll = [&, at] {
            int first = 0, second = 0;
            task.faults += MPI_Test(&inner[2 * at], &first, MPI_STATUS_IGNORE) != MPI_SUCCESS;
            task.faults += MPI_Test(&inner[2 * at + 1], &second, MPI_STATUS_IGNORE) != MPI_SUCCESS;
            task.turns = first != 0 && second != 0 ? 0 : 1 << 30;
        };
    }
    Bundle bundle(requests);
    for (int round = 0; round < 20; round++) {
        std::fill(sent.begin(), sent.end(), round);
        for (const auto& task : all) task->is_held = true;
        bundle.start();
        for (int turn = 0; turn < 5; turn++) CHECK(!test(bundle.request));
        for (const auto& task : all) task->is_held = false;
        bundle.wait();
        CHECK(received == sent);
    }
}

TEST_CASE("functions in a bundle: the error of one is the bundle's, the others complete") {
    const ErrorsReturn guard;
    Ours sum;
    Task good(4), bad(2);
    Bundle bundle({good.request, bad.request, sum.request}), outer({bundle.request});
    for (int round = 0; round < 3; round++)
        for (MPI_Request* const request : {&bundle.request, &outer.request}) {
            bad.poll_code = MPI_ERR_INTERN;
            sum.prepare(round);
            CHECK_MPI(MPI_Start(request));
            CHECK(class_of(MPI_Wait(request, MPI_STATUS_IGNORE)) == MPI_ERR_INTERN);
            CHECK(sum.right(round));
            CHECK(good.ends == good.starts);
            bad.poll_code = MPI_SUCCESS;
            start_and_wait(*request);
        }
}

TEST_CASE("cancelled as a member") {
    const ErrorsReturn guard;
    Task early(2), late(2);
    Bundle bundle({late.request, early.request});
    bundle.after(0, 1);
    for (int round = 0; round < 3; round++) {
        early.is_held = late.is_held = true;
        bundle.start();
        check_error(MPI_Cancel(&late.request), {MPI_ERR_REQUEST}, {"MPI_Cancel"}); // not begun
        check_error(MPI_Cancel(&bundle.request), {MPI_ERR_REQUEST}, {"MPI_Cancel", "Bundle"});
        CHECK_MPI(MPI_Cancel(&early.request));
        while (late.starts == round) CHECK(!test(bundle.request));
        CHECK_MPI(MPI_Cancel(&late.request));
        bundle.wait();
        CHECK((early.cancels == round + 1 && late.cancels == round + 1));
    }
}
