// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/contenders.hpp"

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
    // Allgather_init's answers are wrong, and in a run of every operation a start never completes.
    {"MPICH Version: 4.0", "allgather", "persistent", 3},
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

constexpr Completion our_completion{&MPI_Start, &MPI_Wait, &MPI_Request_free};

using Begin = std::function<int(MPI_Request*)>;

void run_persistent(Contender& contender, const Begin& init, Completion by, const Ranks& ranks) {
    if (!init) return;
    const std::shared_ptr<MPI_Request> owner(new MPI_Request(MPI_REQUEST_NULL),
                                             [by](MPI_Request* request) {
                                                 if (*request != MPI_REQUEST_NULL) by.free(request);
                                                 delete request;
                                             });
    MPI_Request* const request = owner.get();
    contender.bound = owner;
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

void run_mpix(Contender& contender, const Calls& calls, const Ranks& ranks) {
    const Hints hints(*contender.kind);
    const auto init = [&](MPI_Request* request) { return calls.mpix_init(hints.info(), request); };
    run_persistent(contender, init, our_completion, ranks);
}

// The communicator is the host's to the other contenders, who do not ask us for it.
void run_plain(Contender& contender, const Calls& calls, MPI_Comm comm) {
    MPIX_Auto_set(comm, 1);
    contender.verdict = Verdict::right;
    contender.run = calls.mpix_plain;
}

// Plans of nonblocking calls are made in a blocking one.
void run_plain_nonblocking(Contender& contender, const Calls& calls, MPI_Comm comm) {
    MPIX_Auto_set(comm, 1);
    run_nonblocking(contender, calls.mpix_nonblocking, our_completion);
    for (int call = 0; call < 2; ++call) contender.run();
    MPI_Barrier(comm);
}

// Its buffers are there.
void equip(Contender& contender, const Operation& operation, const HostLibrary& host,
           const Ranks& ranks) {
    const Calls calls = operation.calls(host, operation.comm(ranks), contender.data->buffers());
    const Completion theirs = completion_of(host);
    const std::string_view name = contender.kind->name;
    if (name == "plain") return run_plain(contender, calls, operation.comm(ranks));
    if (name == "plain-nonblocking")
        return run_plain_nonblocking(contender, calls, operation.comm(ranks));
    if (contender.kind->ours) return run_mpix(contender, calls, ranks);
    if (name == "nonblocking") return run_nonblocking(contender, calls.nonblocking, theirs);
    if (name == "blocking" || contender.kind->is_repeated) {
        contender.verdict = Verdict::right;
        contender.run = calls.blocking;
    } else if (crashes(host, operation, name, ranks.size())) {
        contender.verdict = Verdict::skipped;
    } else {
        run_persistent(contender, calls.host_init, theirs, ranks);
    }
}

} // namespace

const ContenderKind* find_contender(std::string_view name) {
    const auto found = std::ranges::find(contender_kinds, name, &ContenderKind::name);
    return found == contender_kinds.end() ? nullptr : found;
}

Hints::Hints(const ContenderKind& kind) {
    if (!kind.transport && !kind.plan) return;
    MPI_Info_create(&info_);
    if (kind.transport) MPI_Info_set(info_, "mpix_transport", kind.transport);
    if (kind.plan) MPI_Info_set(info_, "mpix_plan", kind.plan);
}

Hints::~Hints() {
    if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
}

std::vector<Contender> make_contenders(const Operation& operation, std::size_t bytes,
                                       const Kinds& kinds, const HostLibrary& host,
                                       const Ranks& ranks, bool integers) {
    std::shared_ptr<Data> of_memory[2];
    std::vector<Contender> made;
    for (const ContenderKind* kind : kinds) {
        std::shared_ptr<Data>& data = of_memory[kind->memory == Memory::arena];
        if (!data)
            data = std::make_shared<Data>(operation, Place{ranks.rank(), ranks.size()}, bytes,
                                          kind->memory, integers);
        Contender& contender = made.emplace_back(Contender{kind});
        contender.data = data;
        if (ranks.everywhere(data->exists())) equip(contender, operation, host, ranks);
    }
    return made;
}

} // namespace mpix::bench
