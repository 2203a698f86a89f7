// SPDX-License-Identifier: BSD-3-Clause
//
// The table of our requests: carrier handle to operation. Open addressing, because every wait of
// the program looks its requests up here once a plan is alive.
#pragma once

#include "run/operation.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace mpix::intercept {

class Handles {
  public:
    // False while no plan is alive: the one branch that calls cost which are not ours. Relaxed: a
    // thread that may use a request has synchronised with the init that made it.
    bool any() const { return count_.load(std::memory_order_relaxed) != 0; }

    run::Operation* find(MPI_Request request) const;
    void insert(MPI_Request request, std::unique_ptr<run::Operation> operation);
    std::unique_ptr<run::Operation> remove(MPI_Request request);

    // Removes and returns them all, with their carriers.
    struct Entry {
        std::uintptr_t key = 0; // 0 is an empty slot
        MPI_Request request = MPI_REQUEST_NULL;
        std::unique_ptr<run::Operation> operation;
    };
    std::vector<Entry> take_all();

  private:
    std::size_t home(std::uintptr_t key) const;
    std::size_t slot(std::uintptr_t key) const;
    void grow();

    std::atomic<std::size_t> count_{0};
    std::vector<Entry> slots_; // a power of two of them, at most half full
};

Handles& handles();

} // namespace mpix::intercept
