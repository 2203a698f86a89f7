// SPDX-License-Identifier: BSD-3-Clause
//
// Which plain calls of a communicator have a plan, and which plans are kept. Every rank asks the
// same questions in the same order, of what MPI makes equal on all ranks, and no answer depends on
// anything else: so all ranks make, use and drop the same plans without telling each other.
#pragma once

#include "base/hash.hpp"
#include "plan/collective.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace mpix::automatic {

// What is equal on all ranks of a call.
struct Key {
    plan::Collective collective = plan::Collective::barrier;
    bool in_place = false;     // where it is so on all ranks or on none
    std::int16_t op = -1;      // a number of it
    std::int16_t element = -1; // of a reduction
    std::int32_t root = 0;
    std::int64_t bytes = 0;   // of a block, or of all where they are not alike
    std::uint64_t counts = 0; // a hash of those that are not alike

    friend bool operator==(const Key&, const Key&) = default;
    std::uint64_t hash() const {
        const std::uint64_t small =
            static_cast<std::uint64_t>(collective) | static_cast<std::uint64_t>(in_place) << 8 |
            static_cast<std::uint64_t>(static_cast<std::uint16_t>(op)) << 16 |
            static_cast<std::uint64_t>(static_cast<std::uint32_t>(root)) << 32;
        const std::uint64_t more =
            static_cast<std::uint64_t>(bytes) ^ counts ^ static_cast<std::uint64_t>(element) << 48;
        return base::mix(small + base::mix(more + 0x9e3779b97f4a7c15u));
    }
};

template<class Plan>
class PlanCache {
  public:
    struct Entry {
        Key key;
        std::unique_ptr<Plan> plan; // null: the host does it
        bool stays = false;
        std::uint64_t uses = 0;
        std::uint64_t last_use = 0;
    };

    // Of no more than `most` plans.
    explicit PlanCache(std::size_t most)
        : most_(most), index_(std::bit_ceil(4 * most + 1), nullptr) {
        entries_.reserve(most_);
        while (unused_.size() < most_) unused_.push_back(std::make_unique<Entry>());
    }

    // Null where the call has none.
    Entry* find(const Key& key) {
        if (latest_ && latest_->key == key) return use(latest_);
        for (std::size_t at = place(key); index_[at]; at = next(at))
            if (index_[at]->key == key) return use(latest_ = index_[at]);
        return nullptr;
    }
    bool has(const Key& key) const {
        return std::ranges::any_of(entries_, [&](const auto& each) { return each->key == key; });
    }
    // Of one that was found otherwise.
    Entry* use(Entry* entry) {
        ++entry->uses;
        entry->last_use = ++clock_;
        return entry;
    }

    // Of one that has none: whether it is to be planned. A reduction whose bits tell their order is
    // planned at its first call or never, so that they do not change from call to call.
    bool is_due(const Key& key, bool order_shows) {
        if (order_shows) {
            is_closed_ = is_closed_ || staying_ >= most_ / 2;
            return !is_closed_;
        }
        if (most_ == 0) return false;
        const std::uint64_t hash = key.hash();
        Sighting& seen = sightings_[hash % sightings_.size()];
        if (seen.hash != hash) seen = {hash, 0};
        return ++seen.count >= calls_before_;
    }

    // After that. May drop the plan that has been idle for longest. Takes no memory: other ranks do
    // the same.
    Entry& add(const Key& key, bool order_shows, std::unique_ptr<Plan> plan) {
        if (entries_.size() >= most_) drop_idlest();
        auto& added = *entries_.emplace_back(std::move(unused_.back()));
        unused_.pop_back();
        added = {.key = key, .plan = std::move(plan), .stays = order_shows};
        staying_ += order_shows;
        enter(&added);
        return *use(latest_ = &added);
    }

    std::size_t most() const { return most_; }
    std::size_t plans() const {
        return static_cast<std::size_t>(std::ranges::count_if(
            entries_, [](const auto& entry) { return entry->plan != nullptr; }));
    }

  private:
    // A plan that went before it was used so often was not worth its making.
    static constexpr std::uint64_t worth_it = 32;
    static constexpr std::uint32_t most_calls_before = 4096;

    struct Sighting {
        std::uint64_t hash = 0;
        std::uint32_t count = 0;
    };

    std::size_t place(const Key& key) const { return key.hash() & (index_.size() - 1); }
    std::size_t next(std::size_t at) const { return (at + 1) & (index_.size() - 1); }
    void enter(Entry* entry) {
        std::size_t at = place(entry->key);
        while (index_[at]) at = next(at);
        index_[at] = entry;
    }
    // There is one: no more than half of them stay.
    void drop_idlest() {
        const auto idlest =
            std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
                return std::pair(a->stays, a->last_use) < std::pair(b->stays, b->last_use);
            });
        if ((*idlest)->uses < worth_it)
            calls_before_ = std::min(2 * calls_before_, most_calls_before);
        if (latest_ == idlest->get()) latest_ = nullptr;
        (*idlest)->plan = nullptr;
        unused_.push_back(std::move(*idlest));
        entries_.erase(idlest);
        std::fill(index_.begin(), index_.end(), nullptr);
        for (const auto& entry : entries_) enter(entry.get());
    }

    const std::size_t most_;
    std::vector<std::unique_ptr<Entry>> entries_, unused_; // as many as there may be
    std::vector<Entry*> index_;                            // by hash, with room
    Entry* latest_ = nullptr;
    std::uint64_t clock_ = 0;
    std::size_t staying_ = 0;
    bool is_closed_ = false; // one that would have stayed was refused: so are all that follow
    std::uint32_t calls_before_ = 2;
    std::array<Sighting, 256>
        sightings_{}; // of calls without a plan; a new one takes the old's place
};

} // namespace mpix::automatic
