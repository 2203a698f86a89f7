// SPDX-License-Identifier: BSD-3-Clause
//
// MPI_THREAD_MULTIPLE, and error handlers of the program that do not return: they jump away, or
// throw, or wait for another thread that uses requests meanwhile. After each the requests of all
// threads must be as they were. Every error is one of ours: the hosts hold locks of their own when
// they call a handler for theirs. MPICH from 4.1 on holds one that is not recursive for ours too,
// so a handler that does not return makes the next error abort, bare as well (pmodels/mpich #7187,
// #6251): there they return. Exit code 1 where a value is wrong. (No test framework: it is not
// made for threads.)
#include "common/host_version.h"
#include "mpix/mpix.h"

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <unistd.h>

namespace {

enum class Manner { jump, raise, help };

struct Thrown {
    int code;
};

int rank = 0, wrong = 0, calls = 0;
const char* current = "none";
Manner manner = Manner::jump;
std::jmp_buf place;

void check(bool right, const char* what) {
    if (right) return;
    if (wrong++ == 0) std::fprintf(stderr, "rank %d: %s: wrong: %s\n", rank, current, what);
}

// A sum over this rank alone.
struct Sum {
    int in = 0, out = -1;
    MPI_Request request = MPI_REQUEST_NULL;

    Sum() {
        MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, MPI_INFO_NULL, &request);
    }
    Sum(const Sum&) = delete;
    Sum& operator=(const Sum&) = delete;
    ~Sum() { MPI_Request_free(&request); }

    void start(int value) {
        in = value;
        out = -1;
        MPI_Start(&request);
    }
    void finish(bool by_testing) {
        int done = !by_testing;
        if (!by_testing) MPI_Wait(&request, MPI_STATUS_IGNORE);
        while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        check(out == in, "a sum");
    }
    void run(int value, bool by_testing) {
        start(value);
        finish(by_testing);
    }
};

// What every thread may still do.
void use_requests_elsewhere(Sum& sum) {
    std::thread([&] {
        sum.run(7, false);
        sum.run(8, true);
    }).join();
}

Sum* others = nullptr;

void handle(MPI_Comm*, int* code, ...) {
    ++calls;
    if (manner == Manner::jump) std::longjmp(place, 1);
    if (manner == Manner::raise) throw Thrown{*code};
    use_requests_elsewhere(*others);
}

// The error comes, and where the handler returns so does the call.
void provoke(const char* name, const std::function<int()>& call) {
    current = name;
    const int before = calls;
    volatile int code = MPI_SUCCESS; // a jump would lose it
    try {
        if (setjmp(place) == 0) code = call();
    } catch (const Thrown& thrown) {
        check(thrown.code != MPI_SUCCESS, "what was thrown");
    }
    check(calls == before + 1, "how often the handler was called");
    if (manner == Manner::help) check(code != MPI_SUCCESS, "the code");
    use_requests_elsewhere(*others);
}

int start(MPI_Request& request) { return MPI_Start(&request); }

void misuse_bundles() {
    Sum first, second, third;
    MPI_Request bundle = MPI_REQUEST_NULL;
    const std::array members{first.request, second.request};
    MPIX_Bundle_init(2, members.data(), MPI_INFO_NULL, &bundle);
    provoke("freeing a member of a bundle", [&] { return MPI_Request_free(&first.request); });
    provoke("a bundle of a request twice", [&] {
        const std::array twice{third.request, third.request};
        MPI_Request made = MPI_REQUEST_NULL;
        return MPIX_Bundle_init(2, twice.data(), MPI_INFO_NULL, &made);
    });
    provoke("an order of no members", [&] { return MPIX_Bundle_after(bundle, 0, 5); });
    first.start(3);
    provoke("starting a bundle with an active member", [&] { return start(bundle); });
    first.finish(false);
    first.in = 4;
    second.in = 5;
    MPI_Start(&bundle);
    provoke("starting a bundle twice", [&] { return start(bundle); });
    provoke("starting a member of an active bundle", [&] { return start(first.request); });
    MPI_Wait(&bundle, MPI_STATUS_IGNORE);
    check(first.out == 4 && second.out == 5, "the members of a bundle");
    MPI_Request_free(&bundle);
}

void misuse_collectives() {
    Sum sum;
    int value = 0;
    MPI_Request made = MPI_REQUEST_NULL;
    provoke("an init with a bad root", [&] {
        return MPI_Bcast_init(&value, 1, MPI_INT, 9, MPI_COMM_SELF, MPI_INFO_NULL, &made);
    });
    sum.start(6);
    provoke("starting what is active", [&] { return start(sum.request); });
    provoke("starting all of what is active", [&] { return MPI_Startall(1, &sum.request); });
    provoke("freeing what is active", [&] { return MPI_Request_free(&sum.request); });
    provoke("cancelling a collective", [&] { return MPI_Cancel(&sum.request); });
    provoke("rebinding what is active",
            [&] { return MPIX_Request_rebind(sum.request, &value, &value); });
    sum.finish(false);
}

void misuse_partitions() {
    std::array<int, 2> in{1, 2}, out{};
    MPI_Request send = MPI_REQUEST_NULL, recv = MPI_REQUEST_NULL, part = MPI_REQUEST_NULL;
    MPI_Psend_init(in.data(), 2, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_INFO_NULL, &send);
    MPI_Precv_init(out.data(), 2, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_INFO_NULL, &recv);
    provoke("marking what is inactive", [&] { return MPI_Pready(0, send); });
    MPIX_Partition_request(recv, 0, &part);
    provoke("starting the request of a partition", [&] { return start(part); });
    MPI_Start(&send);
    MPI_Start(&recv);
    provoke("marking no partition", [&] { return MPI_Pready(2, send); });
    MPI_Pready_range(0, 1, send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&recv, MPI_STATUS_IGNORE);
    MPI_Wait(&part, MPI_STATUS_IGNORE);
    check(out == in, "partitions");
    for (MPI_Request* request : {&part, &send, &recv}) MPI_Request_free(request);
}

bool handlers_may_leave() { return mpich_version() < 40100; }

void time_is_up(int) {
    std::fprintf(stderr, "rank %d: TIME LIMIT: %s, manner %d\n", rank, current,
                 static_cast<int>(manner));
    _exit(124);
}

} // namespace

int main(int argc, char** argv) {
    const char* limit = std::getenv("MPIX_TEST_LIMIT");
    std::signal(SIGALRM, time_is_up);
    alarm(limit ? static_cast<unsigned>(std::atoi(limit)) : 60);
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    check(level == MPI_THREAD_MULTIPLE, "the thread level");
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(handle, &handler);
    {
        Sum sum;
        others = &sum;
        MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        for (const Manner each : {Manner::jump, Manner::raise, Manner::help}) {
            if (each != Manner::help && !handlers_may_leave()) continue;
            manner = each;
            misuse_bundles();
            misuse_collectives();
            misuse_partitions();
        }
    }
    for (const MPI_Comm comm : {MPI_COMM_SELF, MPI_COMM_WORLD})
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    int all = 0;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
