// SPDX-License-Identifier: BSD-3-Clause
//
// Meeting the ranks of a communicator, and giving tags to plans.
#include "comm/context.hpp"

#include "base/hash.hpp"
#include "host/failure.hpp"
#include "plan/builder.hpp"

#include <algorithm>

namespace mpix::comm {

Context::Context(MPI_Comm comm) : shadow_(std::make_shared<Shadow>()) {
    int inter = 0;
    HOST(Comm_rank)(comm, &rank);
    HOST(Comm_size)(comm, &ranks);
    HOST(Comm_test_inter)(comm, &inter);
    is_inter = inter != 0;
    if (is_inter) {
        host::check_raised(HOST(Comm_remote_size)(comm, &remote_ranks));
        union_ = std::make_shared<Shadow>();
    }
    node_peers_.prepare(ranks + remote_ranks);
}

void Context::unite() {
    MPI_Comm merged = MPI_COMM_NULL;
    Gathering gathering;
    host::check(gather_ranks(shadow(), gathering));
    host::check(HOST(Intercomm_merge)(shadow(), 0, &merged));
    union_->take(merged);
}

void Context::meet(MPI_Comm comm) {
    host::check_raised(split_shadow(comm, *shadow_));
    if (union_) unite();
    messages_ = union_ ? union_ : shadow_;
    HOST(Comm_rank)(everyone(), &rank_of_all);
    HOST(Comm_size)(everyone(), &ranks_of_all);
    const NodePeers::Findings found = node_peers_.find(all_ranks());
    plans_per_shadow_ =
        static_cast<std::uint64_t>(std::max(found.tag_limit / plan::Builder::default_tags, 1));
    selection_.settle(found.fingerprints, found.costs, found.network, found.usual_network,
                      rank_of_all == 0);
}

// The groups follow each other in the union, each in its own order: who has kept his number is in
// the first.
int Context::of_all(int of_group, bool is_remote) const {
    const bool is_first = rank_of_all == rank;
    if (is_remote) return is_first ? ranks + of_group : of_group;
    return is_first ? of_group : remote_ranks + of_group;
}

std::string Context::name_of(int of_all_ranks) const {
    const int first_of_mine = of_all(0, false), first_of_remote = of_all(0, true);
    const bool is_mine = of_all_ranks >= first_of_mine && of_all_ranks < first_of_mine + ranks;
    if (is_mine) return "rank " + std::to_string(of_all_ranks - first_of_mine);
    return "rank " + std::to_string(of_all_ranks - first_of_remote) + " of the remote group";
}

// Each number has the default number of tags, and a plan with more takes numbers that follow each
// other on one shadow. Where a shadow has too few for it, its tags are shared.
void Context::begin_plan(std::uint64_t agreed, std::int64_t wanted) {
    constexpr std::int64_t each = plan::Builder::default_tags;
    const std::uint64_t numbers = std::clamp<std::uint64_t>(
        static_cast<std::uint64_t>((wanted + each - 1) / each), 1, plans_per_shadow_);
    const std::uint64_t used = (agreed - 1) % plans_per_shadow_;
    first_number_ = agreed;
    if (used + numbers > plans_per_shadow_) first_number_ += plans_per_shadow_ - used;
    plan_ = first_number_ + numbers - 1;
    const std::uint64_t shadows = (plan_ - 1) / plans_per_shadow_;
    if (shadows == shadows_) return;
    messages_ = make_shadow(everyone());
    shadows_ = shadows;
}

progress::Tags Context::tags() const {
    constexpr int each = plan::Builder::default_tags;
    return {messages_->comm, messages_,
            static_cast<int>((first_number_ - 1) % plans_per_shadow_) * each,
            static_cast<std::int32_t>(plan_ - first_number_ + 1) * each,
            base::hash_of(name(), plan_)};
}

} // namespace mpix::comm
