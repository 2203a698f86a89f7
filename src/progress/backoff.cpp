// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the ranks on this node have a core each.
#include "progress/backoff.hpp"

#include "base/cores.hpp"
#include "base/settings.hpp"
#include "host/host.hpp"
#include "progress/engine.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>
#include <utility>

namespace mpix::progress {
namespace {

// What comes from other nodes takes longer, and a long message has parts that nobody else moves.
int yields_before_sleep() { return host::may_leave_node() ? 200 : 50; }

constinit std::atomic<int> leave_cores{0}; // how many live; orders nothing

// Nobody rings for the host's messages: who parks looks for them this often.
constexpr std::int64_t parked_ns = 250'000;

// Who sleeps early is woken soon. It sets no timer that ends before the tick for which the kernel
// has set one: to set another takes a virtual machine longer than the sleep.
std::int64_t early_ns() {
    static const std::int64_t known = [] {
        constexpr std::int64_t least = 1'000'000, most = 10'000'000;
        timespec tick{};
        clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
        return std::clamp<std::int64_t>(tick.tv_nsec, least, most) * 9 / 8;
    }();
    return known;
}

// Where a sleep was early and in vain, so many waits are awake: it is about a microsecond of each.
constexpr int waits_awake = 4096;
constinit std::atomic<int> awake_waits{0}; // that are left; orders nothing

bool may_sleep_early() {
    const int left = awake_waits.load(std::memory_order_relaxed);
    if (left > 0) awake_waits.store(left - 1, std::memory_order_relaxed);
    return left == 0;
}

bool parks() { return base::settings().MPIX_WAIT == "park"; }

// Awake it keeps the core from mates that wait for the network, and for longer than it takes to be
// woken.
bool sleeps_for_mates() {
    static const bool sleeps =
        Backoff::spins() == 1 && is_crowded() && yields_in_vain() && host::may_leave_node();
    return sleeps;
}

bool leaves_cores() { return leave_cores.load(std::memory_order_relaxed) > 0; }

// The shortest that there is: the kernel's timers add 50 us, unless the program says otherwise. To
// wake up that often disturbs who measures.
void nap() {
    constexpr timespec at_all{0, 1}, undisturbing{0, 1'000'000};
    nanosleep(leaves_cores() ? &undisturbing : &at_all, nullptr);
}

} // namespace

int cores() {
    static const int known = base::cores_of_job(host::here().ranks_variable());
    return known;
}

double ranks_per_core() {
    static const double ratio = static_cast<double>(host::ranks_on_node()) / cores();
    return ratio;
}

// Where each is a session of its own, and the kernel shares cores out among those, a rank that
// computes has used more of its share than one that yields, and is kept waiting until that one has
// used as much; and threads of one rank that yield to each other keep those of another from a core
// for seconds.
bool yields_in_vain() {
    static const bool is_apart = base::is_apart_from_job(host::here().ranks_variable());
    return is_apart;
}

void prepare_waiting() {
    is_crowded();
    yields_in_vain();
    if (sleeps_for_mates()) early_ns();
}

LeaveCores::LeaveCores(bool leaves) : leaves_(leaves) {
    if (leaves_) leave_cores.fetch_add(1, std::memory_order_relaxed);
}

LeaveCores::~LeaveCores() {
    if (leaves_) leave_cores.fetch_sub(1, std::memory_order_relaxed);
}

bool is_crowded() { return ranks_per_core() > 1; }

shmem::Doorbell* doorbell_to_sleep_at() {
    static shmem::Doorbell* const doorbell = parks() ? shmem::own_doorbell() : nullptr;
    return doorbell;
}

shmem::Doorbell* doorbell_for_mates() {
    static shmem::Doorbell* const doorbell =
        parks() || sleeps_for_mates() ? shmem::own_doorbell() : nullptr;
    return doorbell;
}

bool Backoff::sleep_early() {
    return sleeps_for_mates() && doorbell_for_mates() && !engine().is_threaded() &&
           may_sleep_early();
}

bool Backoff::leave_to_host() {
    return host::yields_itself() && spins() == 1 && !engine().is_threaded();
}

void Backoff::begin() {
    if (is_in_turn_ || is_of_host_ || is_prompt_ || sleeps_early_) polls_ = spins();
    if (trace().is_on()) begun_ = ticks.now();
}

void Backoff::end() {
    if (doorbell_) doorbell_->retract();
    if (begun_ > 0) trace().put(trace().reserve(1), Trace::Kind::wait, -1, 0, begun_, ticks.now());
}

// Before it sleeps it announces that, and its caller looks once more.
void Backoff::announce(shmem::Doorbell* doorbell) {
    doorbell_ = doorbell;
    number_ = doorbell_->announce();
}

void Backoff::yield() {
    sleeps_early_ = sleeps_early_ && engine().asks_no_host();
    if (sleeps_early_) return announce(doorbell_for_mates());
    if (naps_ || leaves_cores())
        nap();
    else if (!is_of_host_ && !(is_in_turn_ && engine().spares_yield()))
        sched_yield();
    if (naps_ || leaves_cores() || ++vain_yields_ % host::yields_between_polls() == 0)
        engine().ask_host_next();
    if (is_in_turn_ && !naps_) engine().yield_first(true);
    if (++yields_ + turns_ < yields_before_sleep()) return;
    if (shmem::Doorbell* doorbell = doorbell_to_sleep_at()) return announce(doorbell);
    naps_ = is_crowded() && yields_in_vain();
    yields_ = INT_MIN;
}

// Not all that moves is rung for, messages of the program's own above all: who slept early in vain
// goes back to yielding.
void Backoff::sleep() {
    const bool is_woken = doorbell_->sleep(number_, sleeps_early_ ? early_ns() : parked_ns);
    engine().ask_host_next();
    const std::uint32_t before = std::exchange(number_, doorbell_->number());
    const bool is_rung = is_woken || number_ != before; // while it waited for the core
    if (!sleeps_early_ || (is_rung && engine().asks_no_host())) return;
    sleeps_early_ = false;
    if (!is_rung) awake_waits.store(waits_awake, std::memory_order_relaxed);
    if (!doorbell_to_sleep_at()) std::exchange(doorbell_, nullptr)->retract();
}

void AskersBackoff::yield() {
    if (yields_ < yields_before_sleep())
        ++yields_;
    else if (yields_in_vain())
        return nap();
    sched_yield();
}

int Backoff::spins() {
    static const int polls = [] {
        const base::Settings::toggle wanted = base::settings().MPIX_YIELD;
        if (wanted == false) return INT_MAX;
        return wanted == true || is_crowded() ? 1 : 50000;
    }();
    return polls;
}

} // namespace mpix::progress
