// SPDX-License-Identifier: BSD-3-Clause
//
// From request handles to what they stand for. Open addressing with linear probing, because every
// wait of the program looks its requests up once anything is in it; removal moves later entries
// back, so that there are no tombstones. Callers hold the engine's guard.
#pragma once

#include "base/immortal.hpp"
#include "host/host.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace mpix::intercept {

using base::Immortal;

template<class Value>
class HandleTable {
  public:
    struct Entry {
        std::uintptr_t key = 0; // 0 is an empty slot
        MPI_Request request = MPI_REQUEST_NULL;
        std::unique_ptr<Value> value;
    };

    // False while it is empty: the one branch that calls cost which are not ours. Relaxed: a thread
    // that may use a request has synchronised with the init that made it.
    bool any() const { return count_.load(std::memory_order_relaxed) != 0; }

    // The null handle is never there.
    Value* find(MPI_Request request) const {
        return any() ? slots_[slot(host::key(request))].value.get() : nullptr;
    }

    // The same for who asks for one many times in a row.
    Value* find_again(MPI_Request request) {
        const std::uintptr_t key = host::key(request);
        if (key == last_key_) return last_;
        Value* const found = may_hold(request) ? find(request) : nullptr;
        if (!found) return nullptr;
        last_key_ = key;
        return last_ = found;
    }

    // Whether one of them is there. For most that are not it costs a few instructions and, because
    // they are asked several at a time, hardly a branch.
    bool holds_any(std::span<const MPI_Request> requests) const {
        constexpr std::size_t together = 8;
        for (; requests.size() >= together; requests = requests.subspan(together))
            if (may_hold(requests.first<together>()) && finds(requests.first(together)))
                return true;
        return finds(requests);
    }

    std::size_t count() const { return count_.load(std::memory_order_relaxed); }

    // Takes the place of an entry with this handle, which the host has freed of itself.
    void insert(MPI_Request request, std::unique_ptr<Value> value) {
        if (2 * (count() + 1) > slots_.size()) grow();
        forget_last();
        const std::uintptr_t key = host::key(request);
        Entry& entry = slots_[slot(key)];
        low_ = count() == 0 ? key : std::min(low_, key);
        high_ = count() == 0 ? key : std::max(high_, key);
        if (entry.key == 0) {
            set_count(count() + 1);
            std::uint8_t& entries = filter_[filter_at(key)];
            if (entries < full) ++entries;
        }
        entry = {key, request, std::move(value)};
    }

    // Null if it is not there.
    std::unique_ptr<Value> remove(MPI_Request request) {
        if (!find(request)) return nullptr;
        forget_last();
        std::size_t hole = slot(host::key(request));
        std::uint8_t& entries = filter_[filter_at(host::key(request))];
        if (entries < full) --entries; // of a full one nobody knows how many there were
        std::unique_ptr<Value> taken = std::move(slots_[hole].value);
        for (std::size_t at = (hole + 1) & mask_; slots_[at].key != 0; at = (at + 1) & mask_) {
            // An entry may fill the hole if its home is not between the hole and where it is.
            if (((at - home(slots_[at].key)) & mask_) < ((at - hole) & mask_)) continue;
            slots_[hole] = std::move(slots_[at]);
            hole = at;
        }
        slots_[hole] = {};
        set_count(count() - 1);
        return taken;
    }

    template<class Visit>
    void for_each(Visit visit) {
        for (Entry& entry : slots_)
            if (entry.key != 0) visit(*entry.value);
    }

    // Removes and returns them all.
    std::vector<Entry> take_all() {
        std::vector<Entry> taken;
        for (Entry& entry : slots_)
            if (entry.key != 0) taken.push_back(std::move(entry));
        slots_.clear();
        mask_ = 0;
        forget_last();
        filter_ = {};
        set_count(0);
        return taken;
    }

  private:
    bool may_hold(MPI_Request request) const {
        const std::uintptr_t key = host::key(request);
        return key - low_ <= high_ - low_ && filter_[filter_at(key)] != 0;
    }
    template<std::size_t number>
    bool may_hold(std::span<const MPI_Request, number> requests) const {
        unsigned entries = 0;
#pragma GCC unroll 8
        for (const MPI_Request request : requests)
            entries |= filter_[filter_at(host::key(request))];
        return entries != 0;
    }
    bool finds(std::span<const MPI_Request> requests) const {
        return std::ranges::any_of(
            requests, [this](MPI_Request request) { return may_hold(request) && find(request); });
    }

    void forget_last() {
        last_key_ = 0;
        last_ = nullptr;
    }

    void set_count(std::size_t count) { count_.store(count, std::memory_order_relaxed); }

    static constexpr std::uintptr_t mix = 0x9e3779b97f4a7c15u;
    static constexpr std::uint8_t full = 255;
    static constexpr std::size_t filter_size = 1 << 16;

    std::size_t home(std::uintptr_t key) const { return (key * mix >> 20) & mask_; }
    // Handles that follow each other have places that do: few cache lines, and few in one place.
    static std::size_t filter_at(std::uintptr_t key) { return host::ordinal(key) % filter_size; }

    // Where the key is, or the empty slot where it would be.
    std::size_t slot(std::uintptr_t key) const {
        std::size_t at = home(key);
        while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & mask_;
        return at;
    }

    void grow() {
        std::vector<Entry> old(slots_.empty() ? 64 : 2 * slots_.size());
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (Entry& entry : old)
            if (entry.key != 0) slots_[slot(entry.key)] = std::move(entry);
    }

    std::uintptr_t last_key_ = 0; // 0 is no request's
    Value* last_ = nullptr;
    std::atomic<std::size_t> count_{0};
    std::size_t mask_ = 0;                           // slots less one
    std::vector<Entry> slots_;                       // a power of two of them, at most half full
    std::uintptr_t low_ = 0, high_ = 0;              // all are between them
    std::array<std::uint8_t, filter_size> filter_{}; // entries of each of its places
};

} // namespace mpix::intercept
