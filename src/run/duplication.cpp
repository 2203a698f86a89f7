// SPDX-License-Identifier: BSD-3-Clause
//
// Counting a duplication, and copying the identity when the host calls back.
#include "run/duplication.hpp"

#include "run/creations.hpp"

#include <new>
#include <utility>

namespace mpix::run {
namespace {

constinit thread_local Duplication* current = nullptr;

} // namespace

Duplication::Duplication(MPI_Comm of) : of_(of), outer_(current) { current = this; }

Duplication::~Duplication() { current = outer_; }

int Duplication::end(int code) {
    if (code != MPI_SUCCESS && parent_) parent_->take_back(creation_);
    return code;
}

// Its number.
std::uint64_t Duplication::count(std::shared_ptr<Identity> parent) {
    parent_ = std::move(parent);
    creation_ = parent_->count_creation();
    return number_of_child(*parent_, creation_);
}

// Counts in any case. Nothing is thrown at the host: without memory there is no identity.
int Duplication::copy(MPI_Comm of, int, void*, void* attribute, void* copied, int* is_copied) try {
    *is_copied = 0;
    if (!current || current->of_ != of) return MPI_SUCCESS;
    const auto& parent = *static_cast<std::shared_ptr<Identity>*>(attribute);
    const std::uint64_t number = current->count(parent);
    auto place = std::make_unique<std::shared_ptr<Identity>>();
    *place = std::make_shared<Identity>(number, parent->shared_post());
    *static_cast<void**>(copied) = place.release();
    *is_copied = 1;
    return MPI_SUCCESS;
} catch (const std::bad_alloc&) {
    return MPI_SUCCESS;
}

} // namespace mpix::run
