// SPDX-License-Identifier: BSD-3-Clause
// Scenarios in which one allocation of mpix, or one call to its host, fails on one rank: each in
// turn, until a scenario passes untouched. What fails is an MPI error or nothing, and may be called
// again. Included by one file of a program, because it replaces its operator new.
#pragma once

#include <cstdlib>
#include <new>
#include <utility>

#include "channels/channels.hpp"
#include "common/errors.hpp"
#include "common/host_faults.h"

namespace mpitest {

enum class Fault { allocation, host_call };

// While one is armed.
struct Allocations {
    bool are_counted = false;
    long next = 0, first = -1, last = -1;

    bool fails() {
        if (!are_counted) return false;
        const long number = next++;
        return first >= 0 && number >= first && number <= last;
    }
};
inline Allocations allocations;

// Numbers `first` to `first + burst - 1` of what this rank does while it is Armed.
class Faults {
  public:
    static void set(Fault of, long begin, long burst) {
        kind = of;
        first = begin;
        last = begin + burst - 1;
        made = 0;
        is_on = begin >= 0;
    }
    static bool has_hit() { return is_on && made > first; }

    static inline Fault kind = Fault::allocation;
    static inline bool is_on = false;
    static inline long first = -1, last = -1, made = 0;
};

class Armed {
  public:
    Armed() { arm(); }
    ~Armed() { disarm(); }
    Armed(const Armed&) = delete;
    Armed& operator=(const Armed&) = delete;

  private:
    static void arm() {
        if (!Faults::is_on) return;
        const long first = Faults::first - Faults::made, last = Faults::last - Faults::made;
        const long begin = last < 0 ? -1 : first < 0 ? 0 : first;
        if (Faults::kind == Fault::allocation)
            allocations = {true, 0, begin, last};
        else
            refuse_host_calls(begin, last);
    }
    static void disarm() {
        if (!Faults::is_on) return;
        allocations.are_counted = false;
        Faults::made += Faults::kind == Fault::allocation ? allocations.next : host_calls();
        refuse_host_calls(-1, -1);
    }
};

// What may be reported of missing memory. What the host refuses may be any error.
inline void check_class(int code) {
    if (Faults::kind == Fault::host_call) return;
    const int error_class = class_of(code);
    INFO("\"" << error_text(code) << "\", fault " << Faults::first);
    CHECK((error_class == MPI_ERR_NO_MEM || error_class == MPI_ERR_OTHER ||
           error_class == MPI_ERR_INTERN));
}

// A call under fault.
template<class Call>
int attempt(Call call) {
    const Armed armed;
    return call();
}

// The same until it succeeds: a failure has changed nothing.
template<class Call>
void insist(Call call, MPI_Request* made = nullptr) {
    for (int tries = 0; tries < 200; tries++) {
        const int code = attempt(call);
        if (code == MPI_SUCCESS) return;
        check_class(code);
        if (made) CHECK(*made == MPI_REQUEST_NULL);
    }
    CHECK_MPI(call());
}

// What could not be sent or received is started once more: another may be waiting for it.
inline void complete(std::vector<MPI_Request*> requests) {
    while (!requests.empty()) {
        std::erase_if(requests, [](MPI_Request* request) {
            int flag = 0;
            const int code = attempt([&] { return MPI_Test(request, &flag, MPI_STATUS_IGNORE); });
            if (code == MPI_SUCCESS) return flag != 0;
            check_class(code);
            insist([&] { return MPI_Start(request); });
            return false;
        });
        pause_briefly();
    }
}

// Runs it with each fault on one rank. Returns how many there were.
template<class Scenario>
long sweep(Fault kind, int failing, long burst, Scenario scenario) {
    const ErrorsReturn guard;
    for (long number = 0; number < 5000; number += burst) {
        if (std::getenv("MPIX_TEST_NAMES") && rank_of() == failing)
            std::fprintf(stderr, "fault %ld\n", number);
        MPI_Barrier(MPI_COMM_WORLD);
        Faults::set(kind, rank_of() == failing ? number : -1, burst);
        scenario();
        int hit = Faults::has_hit();
        Faults::set(kind, -1, 0);
        MPI_Bcast(&hit, 1, MPI_INT, failing, MPI_COMM_WORLD);
        if (!hit) return number;
    }
    return -1;
}

// On the first rank and on the last, one failure and several.
template<class Scenario>
void sweep_all(Scenario scenario) {
    const int last = size_of() - 1;
    for (const Fault kind : {Fault::allocation, Fault::host_call}) {
        INFO("kind " << static_cast<int>(kind));
        CHECK(sweep(kind, 0, 1, scenario) >= 0);
        CHECK(sweep(kind, last, 3, scenario) >= 0);
    }
}

// All ranks make it until none has failed.
template<class Init>
MPI_Request make_together(Init init) {
    for (int tries = 0; tries < 200; tries++) {
        MPI_Request made = MPI_REQUEST_NULL;
        const int code = attempt([&] { return init(&made); });
        CHECK((code == MPI_SUCCESS) == (made != MPI_REQUEST_NULL));
        if (code != MPI_SUCCESS) check_class(code);
        int has_failed = code != MPI_SUCCESS, any_failed = 0;
        MPI_Allreduce(&has_failed, &any_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        if (!any_failed) return made;
        if (made != MPI_REQUEST_NULL) free_request(made);
    }
    return MPI_REQUEST_NULL;
}

} // namespace mpitest

namespace {

void* allocate(std::size_t bytes, std::size_t alignment) {
    void* memory = nullptr;
    if (!mpitest::allocations.fails())
        memory = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

} // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
