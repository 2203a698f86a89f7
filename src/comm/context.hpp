// SPDX-License-Identifier: BSD-3-Clause
//
// What ranks know of each other, and the shadow communicator that carries the messages of all their
// plans, separated by tags. The communicators of the program that have these ranks in this order
// share it, where no two threads may make plans at once. It lives until the last plan on them is
// gone, even if the program frees its communicators first.
#pragma once

#include "comm/exchange.hpp"
#include "comm/node_peers.hpp"
#include "comm/race_results.hpp"
#include "comm/selection.hpp"
#include "comm/shadow.hpp"
#include "progress/tags.hpp"

#include <memory>
#include <string>

namespace mpix::comm {

class Context {
  public:
    // Local: all the memory that it takes.
    explicit Context(MPI_Comm comm);
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    // Completes it. Collective, when all ranks have entered.
    void meet(MPI_Comm comm);

    // The same on all ranks, who have met it together. A process has no other one of this name with
    // the same ranks.
    std::uint64_t name() const { return node_peers_.name(); }

    // The number of the plan that is made now, and one that no plan has had here. Ranks agree on
    // the largest: one may have failed where others have not.
    std::uint64_t plan() const { return plan_; }
    std::uint64_t next_plan() const { return plan_ + 1; }
    // Collective where the tags have run out, which follows from the number and the tags wanted.
    void begin_plan(std::uint64_t agreed, std::int64_t wanted);

    // The tags of that plan.
    progress::Tags tags() const;

    MPI_Comm shadow() const { return shadow_->comm; }
    NodePeers& node_peers() { return node_peers_; }
    const NodePeers& node_peers() const { return node_peers_; }
    const Selection& selection() const { return selection_; }
    RaceResults& race_results() { return race_results_; }
    const RaceResults& race_results() const { return race_results_; }

    // All ranks that take part, on an intercommunicator those of both groups, with numbers of their
    // own there.
    MPI_Comm everyone() const { return union_ ? union_->comm : shadow_->comm; }
    Ranks all_ranks() const { return {everyone(), rank_of_all, ranks_of_all}; }
    std::string name_of(int rank_of_all) const; // "rank 2", "rank 0 of the remote group"
    int of_all(int rank, bool is_remote) const; // its number among all

    int rank = 0;
    int ranks = 1;
    int remote_ranks = 0;
    bool is_inter = false;
    int rank_of_all = 0;
    int ranks_of_all = 1;

  private:
    void unite();

    std::shared_ptr<Shadow> shadow_;
    std::shared_ptr<Shadow> union_;    // of the two groups of an intercommunicator
    std::shared_ptr<Shadow> messages_; // of plans: the shadow or the union, until tags run out
    std::uint64_t plan_ = 0; // one that takes many tags has several numbers: this is its last
    std::uint64_t first_number_ = 1;
    std::uint64_t plans_per_shadow_ = 1; // that messages_ carries
    std::uint64_t shadows_ = 0;          // that messages_ has been before
    NodePeers node_peers_;
    Selection selection_;
    RaceResults race_results_;
};

} // namespace mpix::comm
