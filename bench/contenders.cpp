// SPDX-License-Identifier: BSD-3-Clause
#include "contenders.hpp"

#include <algorithm>

namespace mpix::bench {

namespace {

// What cannot be run at all, because it would take the benchmark with it.
struct Crasher {
    std::string_view host; // how its version begins
    std::string_view operation;
    std::string_view contender;
    int ranks; // from so many on
};

constexpr Crasher crashers[] = {
    // Scatter_init aborts the program on three ranks and more: pmodels/mpich pull request 7550.
    {"MPICH Version: 4.0", "scatter", "persistent", 3},
};

bool crashes(const HostLibrary& host, const Operation& operation, std::string_view contender,
             int ranks) {
    return std::ranges::any_of(crashers, [&](const Crasher& known) {
        return host.version().starts_with(known.host) && operation.name == known.operation &&
               contender == known.contender && ranks >= known.ranks;
    });
}

// The functions that start and complete: the host's own, or the linked names, which are mpix.
struct Completion {
    decltype(MPI_Start)* start;
    decltype(MPI_Wait)* wait;
    decltype(MPI_Request_free)* free;
};

Completion completion_of(const HostLibrary& host) {
    return {host.find<decltype(MPI_Start)>("Start"), host.find<decltype(MPI_Wait)>("Wait"),
            host.find<decltype(MPI_Request_free)>("Request_free")};
}

constexpr Completion ours{&MPI_Start, &MPI_Wait, &MPI_Request_free};

using Begin = std::function<int(MPI_Request*)>;

void run_persistent(Contender& contender, const Begin& init, Completion by, const Ranks& ranks) {
    if (!init) return;
    contender.request =
        std::shared_ptr<MPI_Request>(new MPI_Request(MPI_REQUEST_NULL), [by](MPI_Request* request) {
            if (*request != MPI_REQUEST_NULL) by.free(request);
            delete request;
        });
    MPI_Request* const request = contender.request.get();
    const bool made = ranks.everywhere(init(request) == MPI_SUCCESS);
    contender.verdict = made ? Verdict::right : Verdict::wrong;
    contender.run = [=] {
        const int started = by.start(request);
        return started == MPI_SUCCESS ? by.wait(request, MPI_STATUS_IGNORE) : started;
    };
}

void run_nonblocking(Contender& contender, const Begin& begin, Completion by) {
    contender.verdict = Verdict::right;
    contender.run = [=] {
        MPI_Request request = MPI_REQUEST_NULL;
        const int begun = begin(&request);
        return begun == MPI_SUCCESS ? by.wait(&request, MPI_STATUS_IGNORE) : begun;
    };
}

} // namespace

Contenders make_contenders(const Operation& operation, const HostLibrary& host, const Ranks& ranks,
                           const Buffers& buffers) {
    const Calls calls = operation.calls(host, ranks, buffers);
    const Completion theirs = completion_of(host);
    Contenders made{Contender{"blocking"}, Contender{"nonblocking"}, Contender{"persistent"},
                    Contender{"mpix"}};
    auto& [blocking, nonblocking, persistent, mpix] = made;
    blocking.verdict = Verdict::right;
    blocking.run = calls.blocking;
    run_nonblocking(nonblocking, calls.nonblocking, theirs);
    if (crashes(host, operation, persistent.name, ranks.size()))
        persistent.verdict = Verdict::skipped;
    else
        run_persistent(persistent, calls.host_init, theirs, ranks);
    run_persistent(mpix, calls.mpix_init, ours, ranks);
    return made;
}

} // namespace mpix::bench
