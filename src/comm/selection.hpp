// SPDX-License-Identifier: BSD-3-Clause
//
// Which solver makes a plan. Asked in this order: MPIX_PLAN, the info of the request, the
// table of MPIX_TUNING, the model, whose constants are measured or from that table. Where the order
// of a reduction shows in its result nothing measured decides. What ranks do not have alike is left
// out on all of them, because ranks that choose differently deadlock.
#pragma once

#include "comm/network.hpp"
#include "comm/requested_solver.hpp"
#include "plan/collective.hpp"
#include "plan/solver.hpp"
#include "shmem/benchmark.hpp"

#include <cstdint>
#include <string>

namespace mpix::comm {

// What tells apart ranks that would choose differently, or not all count.
struct Fingerprints {
    std::uint64_t plan = 0;         // of MPIX_PLAN
    std::uint64_t tuning = 0;       // of the table
    std::uint64_t statistics = 0;   // MPIX_STATS
    std::uint64_t reproducible = 0; // MPIX_REPRODUCIBLE

    static Fingerprints own();
    Fingerprints complement() const { return {~plan, ~tuning, ~statistics, ~reproducible}; }
};

// The bits that any rank has, and those that every rank has.
struct AllFingerprints {
    Fingerprints any, every;

    bool is_alike(std::uint64_t Fingerprints::*member) const {
        return any.*member == every.*member;
    }
};

// Of one communicator.
class Selection {
  public:
    // Leaves out what differs; `reports` says whether this rank tells people. The costs were
    // agreed: what was measured, if anything was, and what is usual for a network like this.
    void settle(const AllFingerprints& fingerprints, const shmem::Costs& costs,
                const NetworkCosts& network, const NetworkCosts& usual_network, bool reports);

    bool all_count() const { return all_count_; }
    // Says in the shape what its order may depend on; `shows`: its result tells the order.
    void limit_order(plan::Shape& shape, bool shows) const;
    plan::Model model(const plan::Shape& shape) const;
    struct Choice {
        const plan::Solver* solver; // null delegates
        bool is_guess = false;      // the model's, with nothing that somebody has said
    };
    Choice choose(plan::Collective collective, const plan::Shape& shape,
                  RequestedSolver requested_solver) const;

  private:
    shmem::Costs costs_;
    NetworkCosts network_, usual_network_;
    bool has_plan_ = true;
    bool has_tuning_ = true;
    bool all_count_ = false;
    bool is_reproducible_ = false; // where one rank wants it
};

// Reads MPIX_PLAN and the table, which says what is wrong with them. Any number of times.
void read_choices();
std::string tuning_text(); // as it was read

} // namespace mpix::comm
