// SPDX-License-Identifier: BSD-3-Clause
// Who sends which segment to whom in a partitioned collective, in how many partitions: every rank
// computes it for all ranks, without communication. What a partition of the receiver depends on
// follows from it.
#pragma once

#include <numeric>

#include "common/call.hpp"
#include "common/topology.hpp"
#include "partitioned/partitioned_calls.hpp"

namespace mpitest {

// Combines streams of ints, the lower rank's from the left: right = left (op) right.
using Fold = void (*)(const std::vector<int>& left, std::vector<int>& right);

inline void add_streams(const std::vector<int>& left, std::vector<int>& right) {
    for (std::size_t i = 0; i < right.size(); i++) right[i] += left[i];
}

// One operation to be tested.
struct PartedCase {
    const Partitioned* row;
    int granules = 1; // an ordinary segment has twelve units of each
    int root = 0;
    bool in_place = false;
    std::uint32_t seed = 1;             // of the numbers of partitions
    std::vector<int> choices = {};      // of those numbers, divisors of twelve; empty: all of them
    std::vector<int> recv_choices = {}; // of the receivers, or of a reduction's root; empty: those
    bool pairs_alike = false;           // both ends of a transfer have the same number
    std::vector<Side> send = {Side{}}, recv = {Side{}}; // in turn, for segments that may differ
    MPI_Op op = MPI_SUM;
    Fold fold = add_streams;
    MPI_Comm comm = MPI_COMM_WORLD;
    const Topology* topology = nullptr;
    std::int64_t least = 0, most = 0; // bytes of a message, messages of a segment; 0: not said
    std::vector<std::pair<const char*, const char*>> info = {}; // beside those two
    bool frees_early = false; // communicator and datatypes, right after the init
};

struct Shape {
    int units = 0;
    int parts = 1;
    int per_part() const { return units / parts; }
};

// A segment that someone sends, and a partition of it.
struct Sent {
    int rank, segment;
    bool operator==(const Sent&) const = default;
};

class Shapes {
  public:
    explicit Shapes(const PartedCase& of)
        : case_(of), ranks_(size_of(of.comm)), me_(rank_of(of.comm)) {}

    int ranks() const { return ranks_; }
    int me() const { return me_; }
    bool at_root() const { return me_ == case_.root; }

    // Of any rank.
    Shape sent(int rank, int segment) const {
        return {units(rank, segment), sent_parts(rank, segment)};
    }

    int segments_sent_by(int rank) const;

    // Of this rank.
    int segments_sent() const { return segments_sent_by(me_); }
    int segments_received() const;
    std::vector<Sent> sources(int segment) const; // in the order in which they are combined
    Shape received(int segment) const {
        const auto from = sources(segment);
        const int size = from.empty() ? nothing() : units(from[0].rank, from[0].segment);
        return {size, received_parts(me_, segment)};
    }
    // Where a segment for one peer, or for all, is told by its peer: that one, or -1.
    int peer_of_sent() const { return case_.row->has_root() && send_is_one() ? case_.root : -1; }
    int peer_of_received() const {
        return case_.row->has_root() && recv_is_one() && !case_.row->reduces() ? case_.root : -1;
    }
    bool send_is_one() const { return case_.row->send == Form::one; }
    bool recv_is_one() const { return case_.row->recv == Form::one; }

    // Messages of a segment that someone sends; of a reduction the pieces.
    int messages(Sent from) const;
    // Whether partition `part` of segment `received` here must wait for a partition of the sender:
    // it has a unit of the message with that.
    bool depends(int received, int part, Sent from, int sent_part) const;
    // Or may wait for it, because it is to be written over what it has not read: in place.
    bool may_wait(int received, int part, Sent from, int sent_part) const;

  private:
    Flow flow() const { return case_.row->flow; }
    struct Range { // of units in a segment
        int begin, end;
        bool meets(Range other) const { return begin < other.end && other.begin < end; }
    };
    Range of_partition(int segment, int part) const {
        const int size = received(segment).per_part();
        return {part * size, (part + 1) * size};
    }
    Range units_of(Sent from, int part) const;
    int message_parts(Sent from) const;
    int joined(Sent from) const;
    bool is_uneven() const {
        return case_.row->send >= Form::irregular || case_.row->recv >= Form::irregular;
    }
    int nothing() const { return 12 * case_.granules; }
    int units(int rank, int segment) const;
    int pick(int rank, int segment, std::uint32_t side) const;
    int sent_parts(int rank, int segment) const;
    int received_parts(int rank, int segment) const;

    const PartedCase& case_;
    const int ranks_, me_;
};

// In place sizes are symmetric. Nothing is sent now and then.
inline int Shapes::units(int rank, int segment) const {
    if (!is_uneven()) return 12 * case_.granules;
    if (flow() == Flow::reduce_scatter) return 12 * case_.granules * ((segment + 1) % 3);
    const int weight = case_.in_place ? rank + segment : rank + 2 * segment;
    return 12 * case_.granules * ((weight + 1) % 4);
}

inline int Shapes::pick(int rank, int segment, std::uint32_t side) const {
    static const std::vector<int> divisors{1, 2, 3, 4, 6, 12};
    const bool receives = side == 1 && !case_.recv_choices.empty();
    const std::vector<int>& chosen = receives ? case_.recv_choices : case_.choices;
    const std::vector<int>& from = chosen.empty() ? divisors : chosen;
    const auto mixed = mix(case_.seed * 4 + side, static_cast<std::uint32_t>(rank),
                           static_cast<std::uint32_t>(segment));
    return from[mixed % from.size()];
}

inline int Shapes::sent_parts(int rank, int segment) const {
    if (flow() == Flow::reduce) return pick(0, 0, rank == case_.root ? 1 : 0);
    if (flow() == Flow::reduce_scatter) return pick(0, is_uneven() ? segment : 0, 0);
    if (case_.row->reduces()) return pick(0, 0, 0);
    const bool at_root = rank == case_.root;
    if (case_.in_place && flow() == Flow::gather && at_root) return received_parts(rank, rank);
    if (case_.in_place && flow() == Flow::allgather) return received_parts(rank, rank);
    if (case_.in_place && flow() == Flow::alltoall) return received_parts(rank, segment);
    return pick(rank, case_.row->send >= Form::irregular ? segment : 0, 0);
}

inline int Shapes::received_parts(int rank, int segment) const {
    if (flow() == Flow::reduce_scatter) return sent_parts(0, rank);
    if (case_.row->reduces()) return sent_parts(rank, 0);
    if (case_.in_place && flow() == Flow::scatter && rank == case_.root)
        return sent_parts(rank, rank);
    const auto from = sources(segment);
    if (case_.pairs_alike && rank == me_ && !from.empty())
        return sent_parts(from[0].rank, from[0].segment);
    return pick(rank, case_.row->recv >= Form::irregular ? segment : 0, 1);
}

inline int Shapes::segments_sent_by(int rank) const {
    switch (flow()) {
    case Flow::bcast: return rank == case_.root ? 1 : 0;
    case Flow::scatter: return rank == case_.root ? ranks_ : 0;
    case Flow::alltoall:
    case Flow::reduce_scatter: return ranks_;
    case Flow::neighbor_alltoall: return case_.topology->out_degree_of(rank);
    default: return 1;
    }
}

inline int Shapes::segments_received() const {
    switch (flow()) {
    case Flow::bcast: return at_root() ? 0 : 1;
    case Flow::gather: return at_root() ? ranks_ : 0;
    case Flow::allgather:
    case Flow::alltoall: return ranks_;
    case Flow::reduce: return at_root() ? 1 : 0;
    case Flow::neighbor_allgather:
    case Flow::neighbor_alltoall: return static_cast<int>(case_.topology->in.size());
    default: return 1;
    }
}

inline std::vector<Sent> Shapes::sources(int segment) const {
    std::vector<Sent> all;
    const auto ranks_up_to = [&](int last, int theirs) {
        for (int r = 0; r <= last; r++) all.push_back({r, theirs});
        return all;
    };
    switch (flow()) {
    case Flow::bcast: return {{case_.root, 0}};
    case Flow::scatter: return {{case_.root, me_}};
    case Flow::gather:
    case Flow::allgather: return {{segment, 0}};
    case Flow::alltoall: return {{segment, me_}};
    case Flow::reduce:
    case Flow::allreduce: return ranks_up_to(ranks_ - 1, 0);
    case Flow::reduce_scatter: return ranks_up_to(ranks_ - 1, me_);
    case Flow::scan: return ranks_up_to(me_, 0);
    case Flow::exscan: return ranks_up_to(me_ - 1, 0);
    default: break;
    }
    const Edge& edge = case_.topology->in[static_cast<std::size_t>(segment)];
    if (edge.peer == MPI_PROC_NULL) return {};
    return {{edge.peer, flow() == Flow::neighbor_alltoall ? edge.block : 0}};
}

// Where messages may end: at partitions of the sender, of a reduction at those that all ranks have.
inline int Shapes::message_parts(Sent from) const {
    const int parts = sent(from.rank, from.segment).parts;
    if (flow() != Flow::reduce) return parts;
    const int others = ranks_ == 1 ? case_.root : (case_.root + 1) % ranks_;
    return std::gcd(sent(case_.root, 0).parts, sent(others, 0).parts);
}

// How many of those parts make up a message.
inline int Shapes::joined(Sent from) const {
    int size = 0;
    MPI_Type_size(case_.send[0].type, &size);
    const std::int64_t total =
        std::int64_t{sent(from.rank, from.segment).units} * size * case_.send[0].scale;
    const std::int64_t most = case_.most > 0 ? case_.most : 32;
    const std::int64_t least = std::max(case_.least, (total + most - 1) / most);
    const std::int64_t part = total / message_parts(from);
    return part == 0 ? 1 : static_cast<int>((least + part - 1) / part);
}

inline int Shapes::messages(Sent from) const {
    const int join = joined(from);
    return sent(from.rank, from.segment).units == 0 ? 1 : (message_parts(from) + join - 1) / join;
}

// The units of a partition: those that would travel with it do not wait for it.
inline Shapes::Range Shapes::units_of(Sent from, int part) const {
    const Shape there = sent(from.rank, from.segment);
    return {part * there.per_part(), (part + 1) * there.per_part()};
}

inline bool Shapes::depends(int segment, int part, Sent from, int sent_part) const {
    const auto all = sources(segment);
    if (std::find(all.begin(), all.end(), from) == all.end()) return false;
    const bool is_there = case_.in_place && all.size() == 1 && from.rank == me_;
    const bool is_empty = sent(from.rank, from.segment).units == 0;
    if (is_empty) return !is_there || case_.row->reduces(); // for all that is marked
    if (is_there) return part == sent_part;
    return units_of(from, sent_part).meets(of_partition(segment, part));
}

inline bool Shapes::may_wait(int segment, int part, Sent from, int sent_part) const {
    if (!case_.in_place || from.rank != me_) return false;
    Range range = units_of(from, sent_part);
    if (flow() == Flow::reduce_scatter) { // the result comes where the first segments stand
        for (int s = 0; s < from.segment; s++) {
            range.begin += sent(from.rank, s).units;
            range.end += sent(from.rank, s).units;
        }
        return range.meets(units_of({me_, me_}, part));
    }
    if (from.segment != segment || flow() == Flow::gather) return false;
    return range.meets(of_partition(segment, part));
}

} // namespace mpitest
