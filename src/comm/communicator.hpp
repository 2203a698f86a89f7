// SPDX-License-Identifier: BSD-3-Clause
//
// What hangs on a communicator of the program as an attribute: where errors of its operations are
// raised, and the context of its ranks.
#pragma once

#include "comm/attribute.hpp"
#include "comm/context.hpp"
#include "progress/error_communicator.hpp"

#include <memory>

namespace mpix::comm {

class Communicator : public progress::ErrorCommunicator {
  public:
    // The memory for it. Local. Throws bad_alloc.
    using Place = Attribute<Communicator>::Place;
    static Place place_for(MPI_Comm comm);

    // Collective where it is the first plan on it. Where `place` is not empty, missing memory fails
    // on all ranks or none.
    static std::shared_ptr<Communicator> of(MPI_Comm comm, Place& place);
    static std::shared_ptr<Communicator> of(MPI_Comm comm) {
        Place place;
        return of(comm, place);
    }

    explicit Communicator(MPI_Comm comm) : progress::ErrorCommunicator(comm) {}

    Context& context() { return *context_; }

  private:
    std::shared_ptr<Context> context_;
};

// Takes the contexts from the communicators that nobody frees.
void drop_contexts();

} // namespace mpix::comm
