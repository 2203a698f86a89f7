// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions: a vector on every rank, in partitions of equal size, and the pieces that every rank
// cuts it into. A reduce_scatter is a reduction of each segment to its rank.
#include "index.hpp"
#include "partitioned_cases.hpp"

#include "elements.hpp"
#include "nodes_of.hpp"

#include <numeric>

namespace mpix::plan::test {
namespace {

struct Piece : Range {
    int root;
};

std::vector<Bytes> ends(Bytes bytes, Bytes parts) {
    std::vector<Bytes> bounds;
    for (Bytes p = 1; bytes > 0 && p <= parts; ++p) bounds.push_back(bytes / parts * p);
    return bounds;
}

Segment divided(Buffer buffer, Bytes begin, Bytes bytes, Bytes parts) {
    Segment segment;
    for (Bytes p = 0; p < parts; ++p)
        segment.partitions.push_back({buffer, begin + bytes / parts * p, bytes / parts});
    return segment;
}

class Reduction {
  public:
    explicit Reduction(const Parted& parted) : p_(parted), dice_(parted.seed) {
        cut_segments();
        for (int rank = 0; rank < p_.ranks; ++rank) place(rank);
    }

    const std::vector<Partitioned>& problems() const { return problems_; }
    std::int64_t messages() const {
        return messages_of_piece * static_cast<std::int64_t>(pieces_.size());
    }
    Data given(Mark mark, int round) const {
        const Range range = sent(mark);
        return elements(range, std::uint64_t{1} << mark.rank, round);
    }
    Data wanted(int rank, int arrival, int round) const {
        int terms = p_.ranks;
        if (p_.kind == Kind::scan) terms = rank + 1;
        if (p_.kind == Kind::exscan) terms = rank;
        return elements(received(rank, arrival), (std::uint64_t{1} << terms) - 1, round);
    }
    bool waits(Mark mark, int rank, int arrival) const;

  private:
    static Data elements(const Range& range, std::uint64_t mask, int round) {
        Data data(index(range.end - range.begin));
        write_elements(data.data(), range.end - range.begin, mask, range.begin / element, round);
        return data;
    }
    Bytes parts_of(int rank) const {
        return p_.kind == Kind::reduce && rank == p_.root ? root_parts_ : parts_;
    }
    void cut_segments();
    void cut(const Range& segment, Bytes parts, int root);
    void place(int rank);
    Shape shape();
    Range sent(Mark mark) const;
    std::size_t segment_of(Mark mark) const;
    Range received(int rank, int arrival) const;

    const Parted p_;
    Dice dice_;
    Bytes parts_ = 1, root_parts_ = 1; // where all segments have the same
    std::vector<Range> segments_;      // one, or of a reduce_scatter those of the ranks
    std::vector<Bytes> parts_in_;      // of each segment of a reduce_scatter
    std::vector<Piece> pieces_;
    std::vector<Partitioned> problems_;
};

void Reduction::cut(const Range& segment, Bytes parts, int root) {
    const Bytes bytes = segment.end - segment.begin;
    const Bytes least = dice_.one_of<Bytes>({1, 1, 100, 1000});
    const auto begins = cuts(ends(bytes, parts), least, dice_.one_of({2, 128, 128}));
    for (std::size_t i = 0; i < begins.size(); ++i) {
        Piece& piece = pieces_.emplace_back();
        piece.begin = segment.begin + begins[i];
        piece.end = segment.begin + (i + 1 < begins.size() ? begins[i + 1] : bytes);
        piece.root = root;
    }
}

void Reduction::cut_segments() {
    const auto some_parts = [&] { return dice_.one_of<Bytes>({1, 2, 3, 4, 6, 12}); };
    const auto some_bytes = [&] { return element * dice_.one_of<Bytes>({0, 1, 1, 3, 3, 17}); };
    if (p_.kind != Kind::reduce_scatter) {
        const bool is_reduce = p_.kind == Kind::reduce;
        const Bytes alike = is_reduce ? dice_.one_of<Bytes>({1, 3, 5}) : some_parts();
        parts_ = alike * (is_reduce ? dice_.one_of<Bytes>({1, 2, 3}) : 1);
        root_parts_ = alike * (is_reduce ? dice_.one_of<Bytes>({1, 2, 3}) : 1);
        segments_ = {{0, parts_ * root_parts_ * some_bytes()}};
        return cut(segments_[0], std::gcd(parts_, root_parts_), p_.root);
    }
    const bool is_regular = dice_.coin();
    Bytes begin = 0, parts = some_parts(), bytes = some_bytes();
    for (int r = 0; r < p_.ranks; ++r) {
        if (!is_regular) parts = some_parts(), bytes = some_bytes();
        parts_in_.push_back(parts);
        segments_.push_back({begin, begin + parts * bytes});
        cut(segments_.back(), parts, r);
        begin += parts * bytes;
    }
}

Shape Reduction::shape() {
    Dice alike(p_.seed); // on every rank
    Shape shape{.kind = p_.kind == Kind::reduce_scatter ? Kind::reduce : p_.kind,
                .ranks = p_.ranks,
                .root = p_.root,
                .commutative = p_.commutative,
                .one_node = alike.coin(),
                .nodes = {},
                .grain = element};
    const Bytes way = alike.below(3);
    if (way > 0 && !shape.one_node)
        shape.nodes = nodes_of(p_.ranks, [&](int r) { return way == 1 ? r / 3 : r % 2; });
    return shape;
}

void Reduction::place(int rank) {
    Partitioned& problem = problems_.emplace_back();
    Problem whole;
    whole.rank = rank;
    whole.shape = shape();
    const bool is_scatter = p_.kind == Kind::reduce_scatter;
    const bool receives = p_.kind != Kind::reduce || rank == p_.root;
    const bool in_place = p_.in_place && receives;
    const Buffer from = in_place ? Buffer::recv : Buffer::send;
    const std::size_t own = is_scatter ? index(rank) : 0;
    const Bytes bytes = segments_[own].end - segments_[own].begin;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
        const Bytes parts = is_scatter ? parts_in_[i] : parts_of(rank);
        const Range& segment = segments_[i];
        problem.send.push_back(divided(from, segment.begin, segment.end - segment.begin, parts));
        problem.send[i].is_staged =
            in_place && segment.begin < bytes && (i != own || segment.begin > 0);
    }
    const bool is_nothing = p_.kind == Kind::exscan && rank == 0;
    if (receives) {
        const Bytes parts = static_cast<Bytes>(problem.send[own].partitions.size());
        problem.recv = {divided(Buffer::recv, 0, is_nothing ? 0 : bytes, parts)};
    }
    for (const Piece& cut : pieces_) {
        Problem& piece = problem.pieces.emplace_back(whole);
        const Bytes length = cut.end - cut.begin;
        piece.shape.root = cut.root;
        piece.shape.total = piece.shape.largest = length;
        piece.send = {{from, cut.begin, length}};
        if (receives && (!is_scatter || cut.root == rank))
            piece.recv = {{Buffer::recv, cut.begin - segments_[own].begin, length}};
    }
    problem.whole = whole;
    problem.are_joined = p_.in_fragments;
}

Range Reduction::sent(Mark mark) const {
    Bytes begin = 0;
    int number = 0;
    for (const Segment& segment : problems_[index(mark.rank)].send)
        for (const Place& partition : segment.partitions) {
            if (number++ == mark.partition) return {begin, begin + partition.bytes};
            begin += partition.bytes;
        }
    return {};
}

std::size_t Reduction::segment_of(Mark mark) const {
    const auto& segments = problems_[index(mark.rank)].send;
    auto partition = index(mark.partition);
    std::size_t i = 0;
    for (; partition >= segments[i].partitions.size(); ++i)
        partition -= segments[i].partitions.size();
    return i;
}

Range Reduction::received(int rank, int arrival) const {
    const Place& place = problems_[index(rank)].recv[0].partitions[index(arrival)];
    const Bytes base = p_.kind == Kind::reduce_scatter ? segments_[index(rank)].begin : 0;
    return {base + place.offset, base + place.offset + place.bytes};
}

// For the pieces with something of it, on the ranks whose share it is, or in fragments for that; or
// for all of a segment that has nothing. In place, also for what stands where they come.
bool Reduction::waits(Mark mark, int rank, int arrival) const {
    const Range range = received(rank, arrival), part = sent(mark);
    const bool has_a_share = p_.kind == Kind::scan     ? mark.rank <= rank
                             : p_.kind == Kind::exscan ? mark.rank < rank
                                                       : true;
    const bool is_replaced = p_.in_place && mark.rank == rank;
    const bool is_scatter = p_.kind == Kind::reduce_scatter;
    if (const std::size_t own = is_scatter ? index(rank) : 0;
        segments_[own].begin == segments_[own].end)
        return has_a_share && segment_of(mark) == own;
    const Bytes base = is_scatter ? segments_[index(rank)].begin : 0;
    if (p_.in_fragments)
        return (has_a_share && part.overlaps(range)) ||
               (is_replaced && part.overlaps({range.begin - base, range.end - base}));
    return range.begin < range.end && std::ranges::any_of(pieces_, [&](const Piece& piece) {
               const Range result{piece.begin - base, piece.end - base};
               return piece.overlaps(range) && ((has_a_share && piece.overlaps(part)) ||
                                                (is_replaced && result.overlaps(part)));
           });
}

} // namespace

Definition define_reduction(const Parted& parted) {
    const auto reduction = std::make_shared<const Reduction>(parted);
    Definition made;
    made.problems = reduction->problems();
    made.messages = reduction->messages();
    made.given = [reduction](Mark mark, int round) { return reduction->given(mark, round); };
    made.wanted = [reduction](int rank, int arrival, int round) {
        return reduction->wanted(rank, arrival, round);
    };
    made.waits = [reduction](Mark mark, int rank, int arrival) {
        return reduction->waits(mark, rank, arrival);
    };
    // A rank has its part in the sums of others.
    made.holds_up = [](Mark, int) { return true; };
    return made;
}

} // namespace mpix::plan::test
