// SPDX-License-Identifier: BSD-3-Clause
//
// Partitioned operations of every kind for the simulator, with numbers of partitions, sizes,
// messages and places by chance. What must come, and what it may wait for, is computed from the
// definition of the operation, never by a plan.
#pragma once

#include "plan/partitioned.hpp"
#include "plan/simulator.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <random>

namespace mpix::plan::test {

// Bytes of a vector or of a segment.
struct Range {
    Bytes begin = 0, end = 0;
    bool overlaps(const Range& other) const {
        return std::max(begin, other.begin) < std::min(end, other.end);
    }
};

struct Parted {
    Kind kind = Kind::bcast;
    int ranks = 1;
    int root = 0;
    bool in_place = false;
    bool commutative = true;
    bool to_all_alike = false; // neighbor: an allgather
    bool is_typed = false;     // some buffers are not dense: a block a partition
    bool overlaps = false;     // segments may be sent from the same bytes
    bool shares_tags = false;  // fewer than there are messages
    bool in_fragments = false; // nothing waits for partitions that only share a message with it
    std::uint64_t seed = 0;    // of all else
};

// One of the kind by chance.
Parted some_parted(Kind kind, int ranks, std::uint64_t seed);

std::string describe(const Parted& parted);

using Data = std::vector<std::byte>;

// A send partition by its number, of a rank.
struct Mark {
    int rank = 0;
    int partition = 0;
};

// Marked after all others, of one rank.
using Held = std::vector<Mark>;

// An operation by its definition.
struct Definition {
    std::vector<Partitioned> problems; // of each rank, without tags
    std::int64_t messages = 0;         // from one rank to another, at most
    std::function<Data(Mark mark, int round)> given;
    // Nothing if an arrival leaves what is there.
    std::function<std::optional<Data>(int rank, int arrival, int round)> wanted;
    // Whether the arrival has to wait for the partition.
    std::function<bool(Mark mark, int rank, int arrival)> waits;
    // Whether a rank may have to wait for a partition of another before it has done its part.
    std::function<bool(Mark mark, int rank)> holds_up;
};

Definition define_movement(const Parted& parted);
Definition define_reduction(const Parted& parted);

struct PartitionedCase {
    std::shared_ptr<const Definition> definition;
    Model model;
    std::vector<Plan> plans;
    bool in_fragments = false;

    std::vector<Mark> marks() const; // all there are
    // With some partitions held back, if that is wanted.
    Simulator::Program program(const Held& held = {}) const;
};

PartitionedCase make(const Parted& parted);

// What is left to chance.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}

    bool coin() { return below(2) == 1; }
    std::int64_t below(std::int64_t limit) {
        return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
    }
    template<class T>
    T one_of(std::initializer_list<T> choices) {
        return choices.begin()[below(static_cast<std::int64_t>(choices.size()))];
    }
    template<class T>
    void shuffle(std::vector<T>& values) {
        std::shuffle(values.begin(), values.end(), random_);
    }
    std::mt19937_64& engine() { return random_; }

  private:
    std::mt19937_64 random_;
};

// Sizes of partitions that make up `bytes`, each a multiple of `grain`: alike, or some of them
// empty.
std::vector<Bytes> split(Bytes bytes, Bytes grain, Dice& dice);

// All partitions of segments by number.
std::vector<Place> numbered(const std::vector<Segment>& segments);

} // namespace mpix::plan::test
