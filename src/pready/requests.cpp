// SPDX-License-Identifier: BSD-3-Clause
//
// Adding, removing and growing.
#include "pready/requests.hpp"

namespace mpix::pready {

constinit base::Immortal<Requests> the_requests;

void Requests::Table::put(std::uintptr_t key, Operation* operation) {
    std::size_t at = home(key);
    while (true) {
        const std::uintptr_t found = entries[at].key.load(std::memory_order_relaxed);
        if (found == empty || found == removed) break;
        at = next(at);
    }
    if (entries[at].key.load(std::memory_order_relaxed) == empty) ++used;
    ++live;
    entries[at].operation.store(operation, std::memory_order_relaxed);
    entries[at].key.store(key, std::memory_order_release);
}

// Nobody looks for anything in it.
void Requests::Table::clear() {
    for (Entry& entry : entries) entry.key.store(empty, std::memory_order_relaxed);
    used = 0;
}

// The same entries without those that were removed.
Requests::Table& Requests::grown() {
    Table* const old = table_.load(std::memory_order_relaxed);
    std::size_t size = 64;
    while (old && size < 4 * (old->live + 1)) size *= 2;
    tables_.reserve(tables_.size() + 1);
    auto made = std::make_unique<Table>(size);
    if (old)
        for (const Entry& entry : old->entries) {
            const std::uintptr_t key = entry.key.load(std::memory_order_relaxed);
            if (key != empty && key != removed)
                made->put(key, entry.operation.load(std::memory_order_relaxed));
        }
    table_.store(made.get(), std::memory_order_release);
    tables_.push_back(std::move(made));
    return *tables_.back();
}

void Requests::add(MPI_Request request, Operation& operation) {
    Table* table = table_.load(std::memory_order_relaxed);
    if (!table || 2 * (table->used + 1) > table->entries.size()) table = &grown();
    table->put(host::key(request), &operation);
}

void Requests::remove(MPI_Request request) {
    Table* const table = table_.load(std::memory_order_relaxed);
    if (!table) return;
    const std::uintptr_t key = host::key(request);
    for (std::size_t at = table->home(key);; at = table->next(at)) {
        Entry& entry = table->entries[at];
        const std::uintptr_t found = entry.key.load(std::memory_order_relaxed);
        if (found == empty) return;
        if (found != key) continue;
        entry.key.store(removed, std::memory_order_relaxed);
        if (--table->live == 0) table->clear();
        return;
    }
}

} // namespace mpix::pready
