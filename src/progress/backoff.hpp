// SPDX-License-Identifier: BSD-3-Clause
//
// How a waiting rank passes its time: it spins a little, then gives its core to whoever needs it.
// Hosts that only spin lose three orders of magnitude when ranks outnumber cores. With
// MPIX_WAIT=park it sleeps in the end, and where the others get its core in no other way.
#pragma once

#include "progress/engine.hpp"
#include "progress/trace.hpp"
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

// MPI has begun. What a wait asks the kernel is asked here: that takes memory, which it may lack.
void prepare_waiting();

// For as long as one lives, who waits in this process sleeps rather than yields: others measure,
// and whom they share a core with has turns in what they see.
class LeaveCores {
  public:
    explicit LeaveCores(bool leaves);
    ~LeaveCores();
    LeaveCores(const LeaveCores&) = delete;
    LeaveCores& operator=(const LeaveCores&) = delete;

  private:
    const bool leaves_;
};

// The doorbell to sleep at; null if waiting does not sleep until it is woken.
shmem::Doorbell* doorbell_to_sleep_at();
// What mates ring; null if this rank never sleeps until it is woken.
shmem::Doorbell* doorbell_for_mates();

// To a rank on the other hardware thread of this core.
inline void leave_units() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb"); // its yield does nothing
#endif
}

// When the core is given away, where it is at all. With threads in none of the last three: a lock
// is not to be held by one that does not run.
enum class Manner : std::uint8_t {
    ours,     // after each vain look but the first
    promptly, // after that too: a look that asks the network as well takes as long as a turn
    in_turn,  // before the host asks the network, so that others have it as soon as this rank's
              // messages are sent; where those were sent a while ago, after the first look
    asleep,   // until a mate has what it waits for from the network, if yields are in vain
    of_host,  // by the host itself in each vain look, which has to poll it without KeepCore
};

class Backoff {
  public:
    // Before the first look.
    explicit Backoff(Manner manner = Manner::ours)
        : is_in_turn_(manner == Manner::in_turn),
          is_prompt_(manner == Manner::promptly && spins() == 1),
          is_of_host_(manner == Manner::of_host && leave_to_host()),
          sleeps_early_(manner == Manner::asleep && sleep_early()) {
        if (is_in_turn_) engine().yield_first(engine().has_just_started());
    }
    ~Backoff() {
        if (polls_ > 0) end();
        if (is_in_turn_) engine().yield_first(false);
    }
    Backoff(const Backoff&) = delete;
    Backoff& operator=(const Backoff&) = delete;

    void pause() {
        // Nothing else lies between a message and what is sent for it: what is used after others
        // have had the core is in no cache.
        if (is_in_turn_ && turns_ < quick_turns && !trace().is_on() && engine().spares_yield()) {
            ++turns_;
            return engine().yield_first(true);
        }
        if (polls_ == 0) [[unlikely]]
            begin();
        if (polls_ < spins())
            spin();
        else if (doorbell_)
            sleep();
        else
            yield();
    }

    // Polls before the first yield, in the first manner beside the first look: one when ranks
    // outnumber cores, because then the one waited for may need this core, and a poll of a network
    // takes as long as a turn. MPIX_YIELD decides otherwise.
    static int spins();

  private:
    // What comes at once is not waited for longer.
    static constexpr int eager_polls = 64;

    void spin() {
        if (++polls_ > eager_polls) leave_units();
    }
    static bool leave_to_host();
    static bool sleep_early();
    void announce(shmem::Doorbell* doorbell);
    void begin();
    void end();
    void yield();
    void sleep();

    // After so many it waits as others do, who may sleep.
    static constexpr int quick_turns = 50;

    int polls_ = 0;
    int turns_ = 0;
    int yields_ = 0;
    unsigned vain_yields_ = 0; // which goes on
    const bool is_in_turn_, is_prompt_, is_of_host_;
    bool sleeps_early_; // while all that is awaited is within the node
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
