// SPDX-License-Identifier: BSD-3-Clause
//
// The attribute, and the ranks at the post.
#include "run/identity.hpp"

#include "host/failure.hpp"
#include "run/attribute.hpp"
#include "run/duplication.hpp"

namespace mpix::run {
namespace {

constinit Attribute<Identity> identities(Duplication::copy);

int find_rank(const Post& post, MPI_Comm comm, int peer) {
    MPI_Group group = MPI_GROUP_NULL;
    int is_inter = 0;
    HOST(Comm_test_inter)(comm, &is_inter);
    host::check_raised(is_inter ? HOST(Comm_remote_group)(comm, &group)
                                : HOST(Comm_group)(comm, &group));
    const int rank = post.rank_of(group, peer);
    HOST(Group_free)(&group);
    return rank;
}

} // namespace

// A copy does not know its communicator before it is asked for.
std::shared_ptr<Identity> Identity::of(MPI_Comm comm) {
    std::shared_ptr<Identity> found = identities.find(comm);
    if (found) found->comm_ = comm;
    return found;
}

std::shared_ptr<Identity> Identity::required(MPI_Comm comm) {
    auto identity = of(comm);
    if (!identity)
        throw host::Failure{host::error_code(
            MPI_ERR_UNSUPPORTED_OPERATION,
            "comm has processes that did not begin together: they have no way to meet")};
    return identity;
}

void Identity::give(MPI_Comm comm, std::uint64_t number, std::shared_ptr<Post> post) {
    auto place = std::make_unique<std::shared_ptr<Identity>>();
    *place = std::make_shared<Identity>(number, std::move(post));
    identities.hang(comm, std::move(place));
}

void Identity::end() { identities.end(); }

int Identity::post_rank(int peer) const {
    const std::lock_guard lock(mutex_);
    if (const auto found = post_ranks_.find(peer); found != post_ranks_.end()) return found->second;
    const MPI_Comm comm = comm_;
    if (comm == MPI_COMM_NULL) return MPI_UNDEFINED;
    return post_ranks_.emplace(peer, find_rank(*post_, comm, peer)).first->second;
}

} // namespace mpix::run
