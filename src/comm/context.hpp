// SPDX-License-Identifier: BSD-3-Clause
//
// What all plans on one communicator share: the shadow communicator that carries their messages,
// separated by tags. It hangs on the program's communicator as an attribute and lives until the
// last plan on it is gone, even if the program frees its communicator first.
#pragma once

#include "comm/exchange.hpp"
#include "comm/node_peers.hpp"
#include "comm/selection.hpp"
#include "host/host.hpp"
#include "progress/error_communicator.hpp"
#include "progress/tags.hpp"

#include <memory>
#include <string>

namespace mpix::comm {

// A communicator of ours with the same ranks, or the same two groups, as the program's. Freed with
// its last user; freeing is local on both hosts.
class Shadow {
  public:
    Shadow() = default; // room for one
    explicit Shadow(MPI_Comm made) { take(made); }
    ~Shadow();
    Shadow(const Shadow&) = delete;
    Shadow& operator=(const Shadow&) = delete;
    void take(MPI_Comm made);

    MPI_Comm comm = MPI_COMM_NULL;
};

// Collective over `of`; its error handler is called by the host if it is the program's. Throws on
// all ranks where one has no memory.
struct Gathering;
std::shared_ptr<Shadow> make_shadow(MPI_Comm of);
std::shared_ptr<Shadow> make_shadow(MPI_Comm of, Gathering& gathering, bool is_programs);

class Context : public progress::ErrorCommunicator {
  public:
    // The context of a communicator. Collective where it is the first plan on it.
    static std::shared_ptr<Context> of(MPI_Comm comm);

    // Local: all the memory that it takes. Then meet() completes it.
    explicit Context(MPI_Comm comm);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

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
    void meet(); // collective
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
};

// Takes the contexts from the communicators that nobody frees.
void drop_contexts();

} // namespace mpix::comm
