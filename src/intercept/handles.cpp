// SPDX-License-Identifier: BSD-3-Clause
//
// Linear probing; removal moves later entries back, so that there are no tombstones. Callers hold
// the engine's guard.
#include "intercept/handles.hpp"

#include "host/host.hpp"

namespace mpix::intercept {
namespace {

template<class T>
union Immortal { // constructed before any code runs, never destroyed
    constexpr Immortal() : value() {}
    ~Immortal() {}
    T value;
};

constinit Immortal<Handles> table;

} // namespace

Handles& handles() { return table.value; }

std::size_t Handles::home(std::uintptr_t key) const {
    return (key * 0x9e3779b97f4a7c15u >> 20) & (slots_.size() - 1);
}

// Where the key is, or the empty slot where it would be.
std::size_t Handles::slot(std::uintptr_t key) const {
    std::size_t at = home(key);
    while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
}

run::Operation* Handles::find(MPI_Request request) const {
    if (request == MPI_REQUEST_NULL || !any()) return nullptr;
    return slots_[slot(host::key(request))].operation.get();
}

void Handles::insert(MPI_Request request, std::unique_ptr<run::Operation> operation) {
    const std::size_t count = count_.load(std::memory_order_relaxed);
    if (2 * (count + 1) > slots_.size()) grow();
    const std::uintptr_t key = host::key(request);
    slots_[slot(key)] = {key, request, std::move(operation)};
    count_.store(count + 1, std::memory_order_relaxed);
}

void Handles::grow() {
    std::vector<Entry> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (Entry& entry : old)
        if (entry.key != 0) slots_[slot(entry.key)] = std::move(entry);
}

std::unique_ptr<run::Operation> Handles::remove(MPI_Request request) {
    std::size_t hole = slot(host::key(request));
    std::unique_ptr<run::Operation> taken = std::move(slots_[hole].operation);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = (hole + 1) & mask; slots_[at].key != 0; at = (at + 1) & mask) {
        // An entry may fill the hole if its home is not between the hole and where it is.
        if (((at - home(slots_[at].key)) & mask) < ((at - hole) & mask)) continue;
        slots_[hole] = std::move(slots_[at]);
        hole = at;
    }
    slots_[hole] = {};
    count_.store(count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    return taken;
}

std::vector<Handles::Entry> Handles::take_all() {
    std::vector<Entry> taken;
    for (Entry& entry : slots_)
        if (entry.key != 0) taken.push_back(std::move(entry));
    slots_.clear();
    count_.store(0, std::memory_order_relaxed);
    return taken;
}

} // namespace mpix::intercept
