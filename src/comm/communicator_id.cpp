// SPDX-License-Identifier: BSD-3-Clause
//
// The attribute, the ranks at the control communicator, and copying the identity when the host
// calls back.
#include "comm/communicator_id.hpp"

#include "base/hash.hpp"
#include "comm/attribute.hpp"
#include "host/failure.hpp"

#include <new>
#include <utility>

namespace mpix::comm {
namespace {

constinit thread_local Duplication* current = nullptr;

using Identities = Attribute<CommunicatorId>;
constinit Identities identities(Duplication::copy);

Identities::Place hung(std::uint64_t number, std::shared_ptr<ControlCommunicator> control) {
    return std::make_unique<Identities::Hung>(
        std::make_shared<CommunicatorId>(number, std::move(control)));
}

int find_rank(const ControlCommunicator& control, MPI_Comm comm, int peer) {
    MPI_Group group = MPI_GROUP_NULL;
    int is_inter = 0;
    HOST(Comm_test_inter)(comm, &is_inter);
    host::check_raised(is_inter ? HOST(Comm_remote_group)(comm, &group)
                                : HOST(Comm_group)(comm, &group));
    const int rank = control.rank_of(group, peer);
    HOST(Group_free)(&group);
    return rank;
}

} // namespace

// A copy does not know its communicator before it is asked for.
std::shared_ptr<CommunicatorId> CommunicatorId::of(MPI_Comm comm) {
    std::shared_ptr<CommunicatorId> found = identities.find(comm);
    if (found) found->comm_ = comm;
    return found;
}

std::shared_ptr<CommunicatorId> CommunicatorId::required(MPI_Comm comm) {
    auto identity = of(comm);
    if (!identity)
        throw host::Failure{host::error_code(
            MPI_ERR_UNSUPPORTED_OPERATION,
            "comm has processes that did not begin together: they have no way to meet")};
    return identity;
}

void CommunicatorId::give(MPI_Comm comm, std::uint64_t number,
                          std::shared_ptr<ControlCommunicator> control) {
    identities.hang(comm, hung(number, std::move(control)));
}

void CommunicatorId::end() { identities.end(); }

int CommunicatorId::control_rank(int peer) const {
    const std::lock_guard lock(mutex_);
    if (const auto found = control_ranks_.find(peer); found != control_ranks_.end())
        return found->second;
    const MPI_Comm comm = comm_;
    if (comm == MPI_COMM_NULL) return MPI_UNDEFINED;
    return control_ranks_.emplace(peer, find_rank(*control_, comm, peer)).first->second;
}

std::uint64_t CommunicatorId::number_of_child(std::uint64_t creation, std::uint64_t piece) const {
    return base::hash_of(Making::child, number_, creation, piece);
}

Duplication::Duplication(MPI_Comm of) : of_(of), outer_(current) { current = this; }

Duplication::~Duplication() { current = outer_; }

int Duplication::end(int code) {
    if (code != MPI_SUCCESS && parent_) parent_->take_back(creation_);
    return code;
}

// Its number.
std::uint64_t Duplication::count(std::shared_ptr<CommunicatorId> parent) {
    parent_ = std::move(parent);
    creation_ = parent_->count_creation();
    return parent_->number_of_child(creation_);
}

// Counts in any case. Nothing is thrown at the host: without memory there is no identity.
int Duplication::copy(MPI_Comm of, int, void*, void* attribute, void* copied, int* is_copied) try {
    *is_copied = 0;
    if (!current || current->of_ != of) return MPI_SUCCESS;
    const auto& parent = static_cast<Identities::Hung*>(attribute)->value;
    const std::uint64_t number = current->count(parent);
    *static_cast<void**>(copied) = hung(number, parent->shared_control()).release();
    *is_copied = 1;
    return MPI_SUCCESS;
} catch (const std::bad_alloc&) {
    return MPI_SUCCESS;
}

} // namespace mpix::comm
