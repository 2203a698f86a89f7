// SPDX-License-Identifier: BSD-3-Clause
//
// From the handles of partitioned requests to their operations, for threads that must not wait for
// each other: finding takes no lock. Adding and removing is done under one, by whoever calls.
//
// Memory order: an entry's operation is stored before its key, with release, and the key is loaded
// with acquire. The program orders the init of a request before its use, and that before its free,
// so an entry that is looked for neither comes nor goes meanwhile. A table that was outgrown stays
// readable until the end: some thread may still be in it.
#pragma once

#include "base/immortal.hpp"
#include "progress/operation.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace mpix::pready {

using progress::Operation;

class Requests {
  public:
    // Null if it is not there. Whatever is compiled with it: each Pready asks.
    [[gnu::always_inline]] Operation* find(MPI_Request request) const {
        const Table* const table = table_.load(std::memory_order_acquire);
        if (!table || request == MPI_REQUEST_NULL) return nullptr;
        const std::uintptr_t key = host::key(request);
        for (std::size_t at = table->home(key);; at = table->next(at)) {
            const std::uintptr_t found = table->entries[at].key.load(std::memory_order_acquire);
            if (found == key) return table->entries[at].operation.load(std::memory_order_relaxed);
            if (found == empty) return nullptr;
        }
    }

    void add(MPI_Request request, Operation& operation);
    void remove(MPI_Request request);

  private:
    static constexpr std::uintptr_t empty = 0, removed = ~std::uintptr_t{0};

    struct Entry {
        std::atomic<std::uintptr_t> key{empty};
        std::atomic<Operation*> operation{nullptr};
    };
    struct Table {
        explicit Table(std::size_t size) : entries(size) {}
        std::size_t home(std::uintptr_t key) const {
            return (key * 0x9e3779b97f4a7c15u >> 20) & (entries.size() - 1);
        }
        std::size_t next(std::size_t at) const { return (at + 1) & (entries.size() - 1); }
        void clear();
        void put(std::uintptr_t key, Operation* operation);

        std::vector<Entry> entries; // a power of two, at most half of them not empty
        std::size_t used = 0;       // not empty
        std::size_t live = 0;
    };

    Table& grown();

    std::atomic<Table*> table_{nullptr};
    std::vector<std::unique_ptr<Table>> tables_;
};

extern base::Immortal<Requests> the_requests;
inline Requests& requests() { return the_requests.value; }

} // namespace mpix::pready
