// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the ranks on this node have a core each.
#include "progress/backoff.hpp"

#include "base/cores.hpp"
#include "base/settings.hpp"
#include "host/host.hpp"
#include "progress/engine.hpp"
#include "progress/trace.hpp"

#include <climits>
#include <ctime>

namespace mpix::progress {
namespace {

constexpr int yields_before_sleep = 50, yields_before_nap = 100;
constexpr timespec nap{0, 20'000};

} // namespace

int cores() {
    static const int known = base::cores_of_job(host::here().ranks_variable());
    return known;
}

double ranks_per_core() {
    static const double ratio = static_cast<double>(host::ranks_on_node()) / cores();
    return ratio;
}

bool is_crowded() { return ranks_per_core() > 1; }

shmem::Doorbell* doorbell_to_sleep_at() {
    static shmem::Doorbell* const doorbell =
        base::settings().MPIX_WAIT == "park" ? shmem::own_doorbell() : nullptr;
    return doorbell;
}

void Backoff::begin() {
    if (trace().is_on()) begun_ = ticks.now();
}

void Backoff::end() {
    if (doorbell_) doorbell_->retract();
    if (begun_ > 0) trace().record(Trace::Kind::wait, -1, 0, begun_, ticks.now());
}

// Before it sleeps it announces that, and its caller looks once more.
void Backoff::yield() {
    sched_yield();
    engine().ask_host_next();
    if (++yields_ < yields_before_sleep) return;
    doorbell_ = doorbell_to_sleep_at();
    if (doorbell_)
        number_ = doorbell_->announce();
    else
        yields_ = INT_MIN;
}

void Backoff::sleep() {
    doorbell_->sleep(number_);
    engine().ask_host_next();
    number_ = doorbell_->number();
}

int Backoff::spins() {
    static const int polls = [] {
        const base::Settings::toggle wanted = base::settings().MPIX_YIELD;
        if (wanted == false) return INT_MAX;
        return wanted == true || is_crowded() ? 1 : 50000;
    }();
    return polls;
}

// Where each rank is a session of its own (MPICH's launcher) and the kernel groups tasks by
// session, a yield reaches the threads of this rank alone, and many that yield to each other keep
// those of other ranks from a core for seconds. Who sleeps lets anybody run.
void AskersBackoff::yield() {
    if (yields_ < yields_before_nap) {
        ++yields_;
        sched_yield();
    } else {
        nanosleep(&nap, nullptr);
    }
}

} // namespace mpix::progress
