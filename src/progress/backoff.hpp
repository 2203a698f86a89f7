// SPDX-License-Identifier: BSD-3-Clause
//
// How a waiting rank passes its time: it spins a little, then gives its core to whoever needs it.
// Hosts that only spin lose three orders of magnitude when ranks outnumber cores. With
// MPIX_WAIT=park it sleeps in the end, and where the others get its core in no other way.
#pragma once

#include "progress/engine.hpp"
#include "shmem/doorbell.hpp"

#include <sched.h>

#include <cstdint>

namespace mpix::progress {

// Whether this job has more ranks on this node than cores, as far as can be seen without asking
// them.
bool is_crowded();
double ranks_per_core();
int cores(); // that its ranks on this node share

// Whether who yields keeps the core from other ranks all the same.
bool yields_in_vain();

// The doorbell to sleep at; null if waiting does not sleep until it is woken.
shmem::Doorbell* doorbell_to_sleep_at();

// To a rank on the other hardware thread of this core.
inline void leave_units() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb"); // its yield does nothing
#endif
}

// Whose way of waiting it is, where the core is given away at all. Where threads meet it is ours: a
// lock is not to be held by one that does not run.
enum class Manner : std::uint8_t {
    ours,
    of_host, // which keeps it where a message has moved, and gives it away after the first vain
             // look
};

class Backoff {
  public:
    // Before the first look.
    explicit Backoff(Manner manner = Manner::ours)
        : is_left_to_host_(manner == Manner::of_host && leave_to_host()) {}
    ~Backoff() {
        if (polls_ > 0) end();
        if (is_left_to_host_) engine().let_host_yield(false);
    }
    Backoff(const Backoff&) = delete;
    Backoff& operator=(const Backoff&) = delete;

    void pause() {
        if (polls_ == 0) [[unlikely]]
            begin();
        if (polls_ < spins())
            spin();
        else if (doorbell_)
            sleep();
        else
            yield();
    }

    // Polls before the first yield: one when ranks outnumber cores, because then the one waited for
    // may need this core, and a poll of a network takes as long as a turn. MPIX_YIELD decides
    // otherwise.
    static int spins();

  private:
    // What comes at once is not waited for longer.
    static constexpr int eager_polls = 64;

    void spin() {
        if (++polls_ > eager_polls) leave_units();
    }
    static bool leave_to_host();
    bool has_host_seen_to_it();
    void begin();
    void end();
    void yield();
    void sleep();

    int polls_ = 0;
    int yields_ = 0;
    const bool is_left_to_host_;
    bool has_polled_ = true; // the host, where it was free to yield, in the last look
    bool naps_ = false;
    std::int64_t begun_ = 0;              // to wait, if that is traced
    shmem::Doorbell* doorbell_ = nullptr; // announced at
    std::uint32_t number_ = 0;
};

// The same for a program that waits by asking until the answer is yes. Nobody could wake it.
class AskersBackoff {
  public:
    void in_vain() {
        if (asked_ < Backoff::spins() / polls_in_a_question)
            ++asked_;
        else
            yield();
    }
    void answered() { asked_ = yields_ = 0; }

  private:
    static constexpr int polls_in_a_question = 16; // about: the host is asked too, every time

    void yield();

    int asked_ = 0;
    int yields_ = 0;
};

} // namespace mpix::progress
