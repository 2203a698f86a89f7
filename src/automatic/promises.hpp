// SPDX-License-Identifier: BSD-3-Clause
//
// What stands for nonblocking calls: each has a request of its own, a promise, which is kept when
// the program has completed it, for another call. Under the engine's guard.
#pragma once

#include "automatic/data.hpp"
#include "datatype/handle_references.hpp"
#include "host/failure.hpp"
#include "progress/operation.hpp"

#include <memory>
#include <new>
#include <optional>
#include <vector>

namespace mpix::automatic {

class Promises;

// A request that the host has no use for: the program's handle of a call.
class Carrier {
  public:
    Carrier(); // throws Failure
    ~Carrier();
    Carrier(const Carrier&) = delete;
    Carrier& operator=(const Carrier&) = delete;

    MPI_Request request = MPI_REQUEST_NULL;
};

// What is attached to a promise.
class PendingCall {
  public:
    static PendingCall& of(const progress::Operation& promise) {
        return *static_cast<PendingCall*>(promise.attached().get());
    }

    MPI_Request request() const { return carrier_.request; }
    const progress::Places& places() const { return data_->places(); }
    const char* solver() const { return solver_; } // of its plan

    // For a plan that is bound to those places. Throws Failure, bad_alloc.
    void prepare(const Invocation& call, const progress::Places& before, const char* solver);
    // What its round has come to.
    void conclude(int code) noexcept;

    PendingCall* next = nullptr; // on the same plan

  private:
    friend class Promises;
    Carrier carrier_;
    progress::Operation* promise_ = nullptr;
    std::shared_ptr<Promises> home_; // null while it is at home
    Invocation call_;
    Copies copies_;
    std::optional<Data> data_;
    const char* solver_ = nullptr;
    datatype::HandleReferences references_; // the program may free its types
};

// Those of a communicator.
class Promises {
  public:
    // Throws Failure, bad_alloc.
    static std::unique_ptr<progress::Operation>
    take(const std::shared_ptr<Promises>& from,
         const std::shared_ptr<const progress::ErrorCommunicator>& error_communicator);
    static void keep(std::unique_ptr<progress::Operation> promise) noexcept;
    static void end(); // of MPI

  private:
    std::vector<std::unique_ptr<progress::Operation>> idle_; // with room for all
    std::size_t made_ = 0;
};

// What `todo` throws, as a code.
template<class Do>
int code_of(Do todo) noexcept {
    try {
        todo();
        return MPI_SUCCESS;
    } catch (const host::Failure& failure) {
        return failure.code;
    } catch (const std::bad_alloc&) {
        return MPI_ERR_NO_MEM;
    }
}

} // namespace mpix::automatic
