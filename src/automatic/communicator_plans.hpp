// SPDX-License-Identifier: BSD-3-Clause
//
// What hangs on a communicator whose plain collectives may run on plans.
#pragma once

#include "automatic/data.hpp"
#include "automatic/planned.hpp"
#include "collective/neighborhood.hpp"
#include "comm/communicator.hpp"
#include "progress/engine.hpp"
#include "progress/operation.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpix::automatic {

// The latest call of a collective that had a plan: what is like it has the same.
class LatestCall {
  public:
    void note(const RawArguments& arguments, const Invocation& call, Entry& entry);
    void forget() { entry_ = nullptr; }

    // Null for another call.
    Entry* find(const RawArguments& given) const {
        return entry_ && given.is_like(like_) ? entry_ : nullptr;
    }
    // Where the data are of one that is found, with other buffers than before. Nothing where they
    // may be wrong.
    std::optional<progress::Places> places(const RawArguments& given) const;

  private:
    Entry* entry_ = nullptr;
    bool has_send_ = false, has_recv_ = false, is_in_place_ = false;
    RawArguments like_{};
};

// Collectives, a bit each.
using Collectives = std::uint32_t;
inline constexpr Collectives bit_of(plan::Collective collective) {
    return Collectives{1} << static_cast<unsigned>(collective);
}

class CommunicatorPlans {
  public:
    // Local. Throws bad_alloc.
    CommunicatorPlans(MPI_Comm comm, Collectives wanted);

    bool wants(plan::Collective collective) const { return (wanted_ & bit_of(collective)) != 0; }
    bool wants_any() const { return wanted_ != 0; }
    void want(Collectives all);

    const MPI_Comm comm;
    int rank = 0;
    int ranks = 1;
    PlanCache<Planned> cache;
    std::array<LatestCall, plan::collectives> latest_calls;
    Race* host_race = nullptr; // in which the host has the next call
    Copies copies;             // of blocking calls

    // A nonblocking call whose plan is to be made. Its arrays may be gone by then.
    struct Due {
        explicit Due(const Invocation& of);
        std::vector<MPI_Count> counts;
        Invocation call;
    };
    std::vector<Due> due;
    void note_due(const Invocation& call);
    bool has_due() const { return !due.empty() || is_neighborhood_due_; }
    std::shared_ptr<Promises> promises; // of nonblocking calls; null before the first

    // The neighbourhood, in each call of a neighbourhood collective once. Null where the host does
    // them: there is no topology, a rank has no neighbours, so that it cannot tell one call from
    // another, or it is the first call. Collective in the second, or, if that may not wait, when
    // what is due is made. Throws Failure, bad_alloc.
    const collective::Neighborhood* neighborhood(bool may_wait);
    void take_neighborhood(); // if it is due

    // Have the ranks meet. False on all of them where one has no memory for that. Collective.
    bool meet();
    // After that: whether all ranks say yes. Takes no memory. Collective.
    bool all_say(bool yes);

    void forget_comm(); // it is going

  private:
    Collectives wanted_ = 0; // none where no plan would be any good
    bool is_inter_ = false;
    std::optional<collective::Neighborhood> neighborhood_;
    int neighborhood_calls_ = 0; // up to two
    bool is_neighborhood_due_ = false;
    bool are_all_neighbors_ = false;
    comm::Communicator::Place place_; // had early, so that meet() fails on all ranks or none
    int said_ = 0;                    // any thread that moves the host writes it
};

// Those of any communicator, for who asks in every call: relaxed, as all threads that ask too early
// look closer.
extern std::atomic<Collectives> wanted_anywhere;
inline bool may_want(plan::Collective collective) {
    return (wanted_anywhere.load(std::memory_order_relaxed) & bit_of(collective)) != 0;
}

// The communicator that was asked for last, where no two threads ask at once.
struct LatestCommunicator {
    MPI_Comm comm{};
    CommunicatorPlans* plans = nullptr;
};
extern LatestCommunicator latest_communicator;

// Null where no communicator has any plans. Throws Failure, bad_alloc.
CommunicatorPlans* look_up_plans(MPI_Comm comm);
inline CommunicatorPlans* find_plans(MPI_Comm comm) {
    const LatestCommunicator& latest = latest_communicator;
    const bool is_latest = !progress::engine().is_threaded() && latest.plans && latest.comm == comm;
    return is_latest ? latest.plans : look_up_plans(comm);
}

// Null where the host does all such calls on the communicator.
inline CommunicatorPlans* find_plans(MPI_Comm comm, plan::Collective collective) {
    CommunicatorPlans* const found = find_plans(comm);
    return found && found->wants(collective) ? found : nullptr;
}

// From the next call on. Every rank has to say the same. Throws Failure.
void set_wanted(MPI_Comm comm, Collectives wanted);

// What the words of MPIX_AUTO, or of an info, come to: 0, 1, or collectives. If one of them is none
// nothing, which is told once.
std::optional<Collectives> read_wanted(const char* of, const std::string& words);

// At the beginning of MPI: where plans are wanted the ranks of the world meet, which takes longer
// than to make a plan. Collective.
void begin_plans();
// At its end.
void drop_plans();

} // namespace mpix::automatic
