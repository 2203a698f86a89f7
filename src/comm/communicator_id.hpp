// SPDX-License-Identifier: BSD-3-Clause
//
// Which communicator this is, as a number that every member has without asking: creations.hpp
// says from what. It hangs on the communicator as an attribute and lives as long as it is used.
#pragma once

#include "comm/control_communicator.hpp"
#include "host/host.hpp"
#include "progress/error_communicator.hpp"

#include <boost/container/flat_map.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace mpix::comm {

// How a communicator was made: what its number is mixed of first.
enum class Making : unsigned char { origin, self, child, group, join };

class CommunicatorId : public progress::ErrorCommunicator {
  public:
    // Local. Null where nobody knows: with processes that did not begin together (MPI_Comm_spawn,
    // connect, accept, join), and where memory was missing. Throws Failure for what is no
    // communicator.
    static std::shared_ptr<CommunicatorId> of(MPI_Comm comm);

    // The same for what has to meet others there: throws Failure for null too.
    static std::shared_ptr<CommunicatorId> required(MPI_Comm comm);

    // Hangs a new one on a communicator.
    static void give(MPI_Comm comm, std::uint64_t number,
                     std::shared_ptr<ControlCommunicator> control);

    // Before the host ends: nobody has one any more.
    static void end();

    CommunicatorId(std::uint64_t number, std::shared_ptr<ControlCommunicator> control)
        : progress::ErrorCommunicator(MPI_COMM_NULL), number_(number),
          control_(std::move(control)) {}

    // Equal on all members, of both groups of an intercommunicator. No other communicator of any of
    // these processes has it, nor gets it when this one is freed.
    std::uint64_t number() const { return number_; }

    // Where the members reach each other, until the host ends, and the rank there of `peer`: a rank
    // of the communicator, of the remote group on an intercommunicator. MPI_UNDEFINED if it is
    // asked for the first time when the program has freed the communicator.
    MPI_Comm control() const { return control_->comm(); }
    int control_rank(int peer) const;

    // ---- for what is made of it ----

    const std::shared_ptr<ControlCommunicator>& shared_control() const { return control_; }

    // The number of a communicator that members make of this one together.
    std::uint64_t number_of_child(std::uint64_t creation, std::uint64_t piece = 0) const;

    // The next creation by a call that all members make, in the same order; taken back if it fails
    // and none has followed.
    std::uint64_t count_creation() { return ++creations_; }
    void take_back(std::uint64_t creation) {
        creations_.compare_exchange_strong(creation, creation - 1);
    }

  private:
    const std::uint64_t number_;
    const std::shared_ptr<ControlCommunicator> control_;
    // Sequentially consistent: not on any hot path.
    std::atomic<std::uint64_t> creations_{0};
    mutable std::mutex mutex_;
    mutable boost::container::flat_map<int, int> control_ranks_; // by peer: those asked for
};

// A nonblocking duplication, while the host is in the call. What it makes is not the program's
// before its request completes, and by then the program's variable may be anywhere. So the identity
// travels with the attributes, which are copied as they are at the call (MPI 4.1, section 7.4.2);
// both hosts call back for it within the call.
class Duplication {
  public:
    explicit Duplication(MPI_Comm of);
    ~Duplication();
    Duplication(const Duplication&) = delete;
    Duplication& operator=(const Duplication&) = delete;

    // Takes the host's code and returns it.
    int end(int code);

    // The copy callback of identities. Nothing is copied if no duplication is on its way.
    static int copy(MPI_Comm of, int, void*, void* attribute, void* copied, int* is_copied);

  private:
    std::uint64_t count(std::shared_ptr<CommunicatorId> parent);

    const MPI_Comm of_;
    Duplication* const outer_; // in whose callbacks the program has begun this one
    std::shared_ptr<CommunicatorId> parent_;
    std::uint64_t creation_ = 0;
};

} // namespace mpix::comm
