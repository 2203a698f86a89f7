// SPDX-License-Identifier: BSD-3-Clause
// Requests of one rank that are started and completed together, some of them as a bundle in the
// bundle, and perhaps with one that the program makes of functions.
#pragma once

#include "completion.hpp"

namespace fuzz {

class Bundle {
  public:
    // Slots of operations, in an order in which the same operations stand on all ranks: what is
    // started after something else waits for one that stands before it, so that there is no
    // circle.
    void start(const std::vector<Slot*>& slots, Random random);
    void complete(Random random);

  private:
    struct Unit {
        MPI_Request request;
        std::vector<int> operations;
    };
    // A request of functions: one round, which is done at the last of the polls.
    struct Generalized {
        MPI_Request request = MPI_REQUEST_NULL;
        int started = 0, polls = 0, queried = 0, freed = 0;
    };

    static MPI_Request make(const std::vector<Unit>& units, Random& random);
    MPI_Request make_generalized(Random& random);

    Generalized generalized_;
    std::vector<MPI_Request> requests_; // the whole, and what has to be freed after it
};

} // namespace fuzz
