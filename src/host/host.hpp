// SPDX-License-Identifier: BSD-3-Clause
//
// The contract with the host MPI: what the rest of mpix needs and hosts do differently. A class in
// a file of its own says for each host what is not as in any_standard.cpp (openmpi.cpp, mpich.cpp),
// here.cpp chooses; what they share is in common.cpp. A new host or version is a change here and
// nowhere else.
#pragma once

#include "host/symbols.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace mpix::host {

// A request handle as a number that is never 0 for a live request.
template<class Handle>
std::uintptr_t number_of(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>)
        return reinterpret_cast<std::uintptr_t>(handle);
    else
        return static_cast<unsigned>(handle);
}
inline std::uintptr_t key(MPI_Request request) { return number_of(request); }

// Of requests that were made one after the other those numbers follow each other, mostly. Addresses
// are 64 bytes apart, or more; what the standard's ABI gives may be addresses or small numbers.
inline std::uintptr_t ordinal(std::uintptr_t key) {
    if constexpr (BUILT_FOR_abi) return key + (key >> 6);
    return std::is_pointer_v<MPI_Request> ? key >> 6 : key;
}

// ---- by host ----

// As it is here a host of which nothing is known but the standard: what is lost on some host may be
// lost on it.
class Host {
  public:
    // The variables in which the launcher tells a rank how many there are on its node, and which of
    // them it is.
    virtual const char* ranks_variable() const;
    virtual const char* rank_variable() const;

    // What carries the host's messages, as it calls that itself; empty where it does not tell.
    // Known once the host is initialised.
    virtual std::string device() const;

    // A new error code of class `error_class`, or as near to it as the host can.
    virtual int new_code(int error_class) const;

    // Has `callback` called while the host waits inside its own blocking calls, so that plans move
    // there too. Where the host has no such place nothing is called.
    virtual void hook_progress(void (*callback)()) const;

    // The function of the host that this hooks into; null where the host has none.
    virtual const char* progress_hook() const;

    // Whether that callback may call the host; else it may only signal. Known once the host is
    // initialised.
    virtual bool hook_may_call() const;

    // Whether MPI_T_PVAR_ALL_HANDLES may be handed to it. Libraries of the standard's ABI do not
    // know its value there, and take it for an address.
    virtual bool takes_all_handles() const;

    // Whether completion calls of persistent requests lose something: they free one whose message
    // failed, or its status once that was asked for.
    virtual bool loses_completions() const;

    // One that does not: status.MPI_ERROR is that of the message where it is complete. True if the
    // error handler has been called for it.
    virtual bool test_keeping(MPI_Request* request, int* flag, MPI_Status* status) const;
    // Whether Testall is one too, that calls no error handler.
    virtual bool testall_keeps() const;

    // As MPI_Topo_test, but that a distributed graph is told of as one.
    virtual int topology_of(MPI_Comm comm, int* topology) const;

    // Whether MPI_Reduce_local works, with what has begun so far.
    virtual bool reduces_locally() const;

    // Whether a thread may be in the host while another one has a file open, where the thread level
    // lets it.
    virtual bool files_allow_threads() const;

    // Messages between nodes, over TCP, for which this host asks no receiver first: of so many
    // bytes.
    virtual int longest_eager() const;

    // Moves the host's own messages a little.
    virtual void poll() const;

    // As MPI_Testsome, but that what failed is told of in any case.
    virtual int test_some(int count, MPI_Request requests[], int* found, int indices[],
                          MPI_Status statuses[]) const;

    // Those of requests just made that are complete already, before the first that is not, where
    // test_some moves messages before it looks: else none. Moves nothing if all are.
    virtual int test_new(int count, MPI_Request requests[], int* found, int indices[],
                         MPI_Status statuses[]) const;

    // As MPI_Test of a request that was just made, and moves nothing where it is complete already.
    virtual int test_at_once(MPI_Request* request) const;

    // As yield_when_idle() says.
    virtual void set_yielding(bool yields) const;

    // Has `before` called in each poll, before it asks the network for messages. True if it can.
    virtual bool hook_polls(void (*before)()) const;

    // Whether what a rank awaits has seldom come when it has sent its own. `is_mutual`: whoever
    // sends awaits something too; `bytes`: of the longest message.
    virtual bool comes_later(std::int64_t bytes, bool is_mutual) const;

    // Whether it gives the core away itself, where it has polled in vain.
    virtual bool yields_itself() const;

    // After so many yields who waits for shared memory alone asks the host for the program's own
    // messages: a poll takes as long as several turns of other ranks.
    virtual unsigned yields_between_polls() const;

    // All ranks of MPI_COMM_WORLD come here when they have sent and received all that they will,
    // right before the host ends.
    virtual void before_end() const;
};

// Those that there are.
const Host& openmpi();
const Host& mpich();
const Host& any_standard(); // none of these

// The one behind us.
const Host& here();

// What it says of itself.
const std::string& library_version();

// Whether this is built for the standard's ABI, and which version of it the host has.
bool standard_abi(int* major, int* minor);

// ---- on every host ----

// A communicator of this process alone that returns errors, made once out of any communicator of
// the program: in a program of sessions there is no MPI_COMM_SELF.
void make_self(MPI_Comm of);
MPI_Comm self();
void free_self();

// Moves the host's messages by asking for one that is never sent.
void ask_for_never_received();

// MPI_IDENT if two communicators have the same processes in the same order, as MPI_Group_compare.
// By size first, because to MPICH 5.0 the group of a grid is that of the communicator which it was
// made of, also where that has more; and by group, because Open MPI 5.0 refuses to compare
// communicators of two sessions.
int compare_ranks(MPI_Comm one, MPI_Comm other);

// Those ranks in MPI_COMM_WORLD: of an intercommunicator ranks of the other side. MPI_UNDEFINED for
// what is not there.
std::vector<int> world_ranks(MPI_Comm comm, const std::vector<int>& ranks);

// A request that stands for an operation of ours: a persistent receive that is never started, so
// that it survives c2f, and the host treats it as inactive wherever it meets it. Receives from
// MPI_PROC_NULL are no substitute: on MPICH 4.0 a freed one makes a later persistent collective
// hang.
int make_carrier(MPI_Request* request);

// The ranks of this job on this node as the launcher tells, and this one's number among them; 0 if
// it does not.
int ranks_on_node();
int rank_on_node();

// Whether the host gives its core away when it polls in vain. May be called before its Init, but
// that may overwrite it.
void yield_when_idle(bool yields);

// To be called after its Init and that, if it is: puts what YieldFirst needs in front of its polls.
void prepare_yielding();
bool yields_itself(); // as Host has it, where ranks yield
unsigned yields_between_polls();
bool may_leave_node();  // false where the launcher says that the whole of MPI_COMM_WORLD is on one
bool can_yield_first(); // whether YieldFirst does anything

// While one lives it does not: who waits here gives the core away after having looked at
// everything, and twice is once too often. Any thread; others may keep theirs meanwhile too.
class KeepCore {
  public:
    KeepCore() : keeps_(may_yield.load(std::memory_order_relaxed)) {
        if (keeps_) keep();
    }
    ~KeepCore() {
        if (keeps_) let_go();
    }
    KeepCore(const KeepCore&) = delete;
    KeepCore& operator=(const KeepCore&) = delete;

  private:
    friend void yield_when_idle(bool yields);
    friend void prepare_yielding();
    static void keep();
    static void let_go();

    // Relaxed: in between a host, or who waits, may yield once more or once less.
    static constinit std::atomic<bool> may_yield;
    const bool keeps_;
};

// The first poll while one lives gives the core away before it asks the network: for who has just
// sent what others need before they send what is waited for. They get the core at once, and one
// poll finds what two would have been needed for. For a thread that is alone in MPI.
class YieldFirst {
  public:
    explicit YieldFirst(bool yields) : yields_(yields) {
        if (yields_) is_due.store(true, std::memory_order_relaxed);
    }
    ~YieldFirst() {
        if (yields_) is_due.store(false, std::memory_order_relaxed);
    }
    YieldFirst(const YieldFirst&) = delete;
    YieldFirst& operator=(const YieldFirst&) = delete;

    bool has_yielded() const { return yields_ && !is_due.load(std::memory_order_relaxed); }

  private:
    friend void prepare_yielding();
    static constinit std::atomic<bool> is_due; // relaxed: of one thread
    const bool yields_;
};

// An error code of class `error_class` whose string is `text`. Codes are reused when too many
// different texts were asked for.
int error_code(int error_class, const std::string& text);

// The class of a code made by error_code, or -1 for a code of the host's.
int class_of(int code);

// Makes `status` the empty status of an inactive request; MPI_ERROR is left as it is.
void clear(MPI_Status* status);

// Calls the communicator's error handler and returns the code.
int raise(MPI_Comm comm, int code);

bool threads_multiple();

// The largest tag.
int tag_limit(MPI_Comm comm);

// `count` elements of `type`, `extent` bytes apart, as one element of a committed type, for counts
// that an int does not hold. The caller frees it.
MPI_Datatype large_type(std::int64_t count, MPI_Datatype type, std::int64_t extent);

} // namespace mpix::host
