// SPDX-License-Identifier: BSD-3-Clause
//
// The part of the host contract that is the same for every host.
#include "host/host.hpp"

#include "host/error_texts.hpp"

#include <sched.h>

#include <array>
#include <cstdlib>

namespace mpix::host {

namespace {

// Release and acquire pair: the communicator is complete before another thread uses it.
constinit std::atomic<bool> is_self_made{false};
constinit std::atomic_flag self_is_being_made{};
MPI_Comm own_self;
MPI_Request never_received = MPI_REQUEST_NULL; // who asks for it has messages moved

// Relaxed, all: in between a host, or who waits, may yield once more or once less.
constinit std::atomic<bool> host_yields{false}, may_yield_first{false}, leaves_node{false};
constinit std::atomic<unsigned> between_polls{1};
constinit std::atomic<int> keepers{0};

int told(const char* variable) {
    const char* const text = std::getenv(variable);
    return text ? std::atoi(text) : 0;
}

// Not of sessions, which have no world.
bool has_all_on_node() {
    int is_world = 0, ranks = 0;
    HOST(Initialized)(&is_world);
    if (!is_world) return false;
    HOST(Comm_size)(MPI_COMM_WORLD, &ranks);
    return ranks_on_node() >= ranks;
}

MPI_Comm group_of_one(MPI_Comm of) {
    int is_world = 0, is_inter = 0, rank = 0, ranks = 0;
    MPI_Comm made = MPI_COMM_NULL;
    HOST(Initialized)(&is_world);
    HOST(Comm_test_inter)(of, &is_inter);
    HOST(Comm_size)(of, &ranks);
    if (is_world || is_inter || ranks == 1) { // of one rank MPICH 4.0 has no group in a session
        HOST(Comm_split)(is_world ? MPI_COMM_SELF : of, 0, 0, &made);
        return made;
    }
    MPI_Group all, alone;
    HOST(Comm_group)(of, &all);
    HOST(Group_rank)(all, &rank);
    HOST(Group_incl)(all, 1, &rank, &alone);
    HOST(Comm_create_group)(of, alone, 0, &made);
    HOST(Group_free)(&alone);
    HOST(Group_free)(&all);
    return made;
}

} // namespace

constinit std::atomic<bool> KeepCore::may_yield{false};
constinit std::atomic<bool> YieldFirst::is_due{false};

void yield_when_idle(bool yields) {
    KeepCore::may_yield.store(yields, std::memory_order_relaxed);
    here().set_yielding(yields);
}

void prepare_yielding() {
    leaves_node.store(!has_all_on_node(), std::memory_order_relaxed);
    if (!KeepCore::may_yield.load(std::memory_order_relaxed)) return;
    const bool is_hooked = here().hook_polls([] {
        if (!YieldFirst::is_due.load(std::memory_order_relaxed)) return;
        YieldFirst::is_due.store(false, std::memory_order_relaxed);
        sched_yield();
    });
    may_yield_first.store(is_hooked, std::memory_order_relaxed);
    host_yields.store(here().yields_itself(), std::memory_order_relaxed);
    between_polls.store(here().yields_between_polls(), std::memory_order_relaxed);
}

bool yields_itself() { return host_yields.load(std::memory_order_relaxed); }

unsigned yields_between_polls() { return between_polls.load(std::memory_order_relaxed); }

bool may_leave_node() { return leaves_node.load(std::memory_order_relaxed); }

bool can_yield_first() { return may_yield_first.load(std::memory_order_relaxed); }

void KeepCore::keep() {
    if (keepers.fetch_add(1, std::memory_order_relaxed) == 0) here().set_yielding(false);
}

void KeepCore::let_go() {
    if (keepers.fetch_sub(1, std::memory_order_relaxed) == 1) here().set_yielding(true);
}

// Threads may meet here: the second waits for the first.
void make_self(MPI_Comm of) {
    if (is_self_made.load(std::memory_order_acquire)) return;
    while (self_is_being_made.test_and_set(std::memory_order_acquire)) {}
    if (!is_self_made.load(std::memory_order_relaxed)) {
        own_self = group_of_one(of);
        HOST(Comm_set_errhandler)(own_self, MPI_ERRORS_RETURN);
        if constexpr (BUILT_FOR_abi) // hosts of their own have a call for it
            HOST(Irecv)(nullptr, 0, MPI_BYTE, 0, 1, own_self, &never_received);
        is_self_made.store(true, std::memory_order_release);
    }
    self_is_being_made.clear(std::memory_order_release);
}

MPI_Comm self() { return own_self; }

void free_self() {
    if (!is_self_made.exchange(false, std::memory_order_relaxed)) return;
    if (never_received != MPI_REQUEST_NULL) {
        HOST(Cancel)(&never_received);
        HOST(Wait)(&never_received, MPI_STATUS_IGNORE);
    }
    HOST(Comm_free)(&own_self);
}

void ask_for_never_received() {
    int is_there = 0;
    if (is_self_made.load(std::memory_order_acquire))
        HOST(Request_get_status)(never_received, &is_there, MPI_STATUS_IGNORE);
}

int compare_ranks(MPI_Comm one, MPI_Comm other) {
    int ranks = 0, others = 0, result = MPI_UNEQUAL;
    HOST(Comm_size)(one, &ranks);
    HOST(Comm_size)(other, &others);
    if (ranks != others) return MPI_UNEQUAL;
    MPI_Group group, other_group;
    HOST(Comm_group)(one, &group);
    HOST(Comm_group)(other, &other_group);
    HOST(Group_compare)(group, other_group, &result);
    HOST(Group_free)(&group);
    HOST(Group_free)(&other_group);
    return result;
}

std::vector<int> world_ranks(MPI_Comm comm, const std::vector<int>& ranks) {
    std::vector<int> found(ranks.size());
    int is_inter = 0;
    MPI_Group group, world;
    HOST(Comm_test_inter)(comm, &is_inter);
    is_inter ? HOST(Comm_remote_group)(comm, &group) : HOST(Comm_group)(comm, &group);
    HOST(Comm_group)(MPI_COMM_WORLD, &world);
    HOST(Group_translate_ranks)
    (group, static_cast<int>(ranks.size()), ranks.data(), world, found.data());
    HOST(Group_free)(&group);
    HOST(Group_free)(&world);
    return found;
}

int make_carrier(MPI_Request* request) {
    return HOST(Recv_init)(nullptr, 0, MPI_BYTE, 0, 0, self(), request);
}

int ranks_on_node() { return told(here().ranks_variable()); }
int rank_on_node() { return told(here().rank_variable()); }

int error_code(int error_class, const std::string& text) {
    return error_texts().code(error_class, text, [=] { return here().new_code(error_class); });
}

int class_of(int code) { return error_texts().class_of(code); }

void clear(MPI_Status* status) {
    if (status == MPI_STATUS_IGNORE) return;
    const int error = status->MPI_ERROR;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    HOST(Status_set_elements)(status, MPI_BYTE, 0);
    HOST(Status_set_cancelled)(status, 0);
    status->MPI_ERROR = error;
}

int raise(MPI_Comm comm, int code) {
    HOST(Comm_call_errhandler)(comm, code);
    return code;
}

bool threads_multiple() {
    int level = MPI_THREAD_SINGLE;
    HOST(Query_thread)(&level);
    return level == MPI_THREAD_MULTIPLE;
}

int tag_limit(MPI_Comm comm) {
    int* limit = nullptr;
    int found = 0;
    // Open MPI has the attribute on MPI_COMM_WORLD alone; a program of sessions does not have that.
    HOST(Comm_get_attr)(comm, MPI_TAG_UB, &limit, &found);
    if (!found) HOST(Comm_get_attr)(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &found);
    return found ? *limit : 32767;
}

MPI_Datatype large_type(std::int64_t count, MPI_Datatype type, std::int64_t extent) {
    constexpr std::int64_t chunk = std::int64_t{1} << 24;
    MPI_Datatype whole_chunk, large;
    HOST(Type_contiguous)(static_cast<int>(chunk), type, &whole_chunk);
    const std::array lengths{static_cast<int>(count / chunk), static_cast<int>(count % chunk)};
    const std::array<MPI_Aint, 2> starts{0, static_cast<MPI_Aint>(count / chunk * chunk * extent)};
    const std::array types{whole_chunk, type};
    HOST(Type_create_struct)(2, lengths.data(), starts.data(), types.data(), &large);
    HOST(Type_commit)(&large);
    HOST(Type_free)(&whole_chunk);
    return large;
}

} // namespace mpix::host
