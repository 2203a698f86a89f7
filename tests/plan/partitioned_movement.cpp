// SPDX-License-Identifier: BSD-3-Clause
//
// Operations that move data: sizes, partitions, messages and places by chance.
#include "index.hpp"
#include "partitioned_cases.hpp"

#include "nodes_of.hpp"
#include "plan/relays.hpp"
#include "wiring.hpp"

#include <map>
#include <numeric>

namespace mpix::plan::test {
namespace {

// Places for the partitions of segments, one after the other; the segments in any order, with gaps.
class Layout {
  public:
    Layout(Buffer buffer, bool is_typed, bool overlaps)
        : buffer_(buffer), is_typed_(is_typed), overlaps_(overlaps) {}

    std::vector<Segment> place(const std::vector<std::vector<Bytes>>& sizes, Dice& dice) const {
        std::vector<Segment> segments(sizes.size());
        std::vector<std::size_t> order(sizes.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        Bytes block = 0;
        for (const std::size_t i : order)
            for (const Bytes bytes : sizes[i])
                if (is_typed_) segments[i].partitions.push_back({typed(), block++, bytes});
        if (is_typed_) return segments;
        if (dice.coin()) dice.shuffle(order);
        Bytes end = dice.below(5);
        for (const std::size_t i : order) {
            Bytes at = overlaps_ ? dice.below(20) : end;
            for (const Bytes bytes : sizes[i]) {
                segments[i].partitions.push_back({buffer_, at, bytes});
                at += bytes;
            }
            end = at + dice.below(5);
        }
        return segments;
    }

  private:
    Buffer typed() const {
        return buffer_ == Buffer::send ? Buffer::send_blocks : Buffer::recv_blocks;
    }

    Buffer buffer_;
    bool is_typed_;
    bool overlaps_;
};

Range range_of(const Segment& segment, std::size_t partition) {
    Bytes begin = 0;
    for (std::size_t p = 0; p < partition; ++p) begin += segment.partitions[p].bytes;
    return {begin, begin + segment.partitions[partition].bytes};
}

// The messages that have something of the range, from the first to the last.
Range messages_of(const Segment& segment, const Range& range) {
    Range found = range;
    for (std::size_t i = 0; i < segment.cuts.size(); ++i) {
        const Range message{segment.cuts[i],
                            i + 1 < segment.cuts.size() ? segment.cuts[i + 1] : segment.bytes()};
        if (!message.overlaps(range)) continue;
        found.begin = std::min(found.begin, message.begin);
        found.end = std::max(found.end, message.end);
    }
    return found;
}

struct Numbered {
    std::size_t segment, partition;
};

Numbered number(const std::vector<Segment>& segments, int linear) {
    auto partition = index(linear);
    std::size_t i = 0;
    for (; partition >= segments[i].partitions.size(); ++i)
        partition -= segments[i].partitions.size();
    return {i, partition};
}

class Movement {
  public:
    Movement(const Movement&) = delete;
    explicit Movement(const Parted& parted)
        : p_(parted), dice_(parted.seed), wiring_(p_, dice_), least_(dice_.one_of({1, 8, 30})),
          most_(dice_.one_of({1, 3, 128})) {
        for (const Flow& flow : wiring_.flows) flows_[{flow.to, flow.in}] = &flow;
        for (int rank = 0; rank < p_.ranks; ++rank) place(rank);
        for (int rank = 0; rank < p_.ranks; ++rank) cut_sent(rank);
        for (const Flow& flow : wiring_.flows) join(flow);
    }

    const std::vector<Partitioned>& problems() const { return problems_; }
    std::int64_t messages() const;
    Data given(Mark mark, int round) const;
    std::optional<Data> wanted(int rank, int arrival, int round) const;
    bool waits(Mark mark, int rank, int arrival) const;

  private:
    Bytes bytes_of(int from, std::size_t out);
    std::vector<Bytes> sizes_in(int rank, std::size_t in);
    Shape shape() const;
    void place(int rank);
    void cut_sent(int rank);
    void join(const Flow& flow);
    const Flow* flow_to(int rank, std::size_t in) const {
        const auto found = flows_.find({rank, in});
        return found == flows_.end() ? nullptr : found->second;
    }
    const Segment& sent(const Flow& flow) const {
        return problems_[index(flow.from)].send[flow.out];
    }

    const Parted p_;
    Dice dice_;
    const Wiring wiring_;
    const Bytes least_;
    const std::int64_t most_;
    std::map<std::pair<int, std::size_t>, Bytes> bytes_;       // of what is sent
    std::map<std::pair<int, std::size_t>, const Flow*> flows_; // by what is received
    std::vector<Partitioned> problems_;
};

// In place an alltoall gives as much as it takes.
Bytes Movement::bytes_of(int from, std::size_t out) {
    if (p_.kind == Kind::alltoall && p_.in_place && static_cast<int>(out) < from)
        return bytes_of(static_cast<int>(out), index(from));
    const auto [found, is_new] = bytes_.try_emplace({from, out});
    if (is_new) found->second = dice_.one_of<Bytes>({0, 12, 24, 12 * (1 + dice_.below(6)), 7});
    return found->second;
}

std::vector<Bytes> Movement::sizes_in(int rank, std::size_t in) {
    const Flow* const flow = flow_to(rank, in);
    return split(flow ? bytes_of(flow->from, flow->out) : dice_.below(20), 1, dice_);
}

// On one node, or on several, in order or in turn.
Shape Movement::shape() const {
    Dice alike(p_.seed); // on every rank
    Shape shape{.kind = p_.kind, .ranks = p_.ranks, .root = p_.root, .nodes = {}};
    shape.largest = alike.one_of<Bytes>({0, 100, 1 << 20});
    const Bytes way = alike.below(4);
    if (way > 0)
        shape.nodes =
            nodes_of(p_.ranks, [&](int r) { return way == 1 ? r % 2 : r / static_cast<int>(way); });
    return shape;
}

// In place a segment that is sent has the places of one that is received, or in a scatter the
// other way round.
void Movement::place(int rank) {
    const auto chance = [this] { return p_.is_typed && dice_.coin(); };
    const auto r = index(rank);
    Partitioned& problem = problems_.emplace_back();
    problem.whole.shape = shape();
    problem.whole.rank = rank;
    problem.recv_order = wiring_.recv_order[r];
    std::vector<std::vector<Bytes>> out, in;
    for (std::size_t i = 0; i < wiring_.outs[r]; ++i)
        out.push_back(split(bytes_of(rank, i), 1, dice_));
    for (std::size_t j = 0; j < wiring_.ins[r]; ++j) in.push_back(sizes_in(rank, j));
    problem.send = Layout(Buffer::send, chance(), p_.overlaps).place(out, dice_);
    problem.recv = Layout(Buffer::recv, chance(), false).place(in, dice_);
    for (const Flow& flow : wiring_.flows) {
        const bool stays = flow.stays && flow.to == rank;
        const bool is_replaced = p_.in_place && p_.kind == Kind::alltoall && flow.to == rank;
        if (stays && p_.kind == Kind::scatter)
            problem.recv[flow.in].partitions = problem.send[flow.out].partitions;
        else if (stays)
            problem.send[flow.out].partitions = problem.recv[flow.in].partitions;
        else if (is_replaced)
            problem.send[flow.in] = {
                .peers = {}, .partitions = problem.recv[flow.in].partitions, .is_staged = true};
    }
}

// Messages end where the sender's partitions do, or in a broadcast where they like.
void Movement::cut_sent(int rank) {
    for (Segment& segment : problems_[index(rank)].send) {
        std::vector<Bytes> pieces, bounds;
        for (const Place& partition : segment.partitions) pieces.push_back(partition.bytes);
        if (p_.kind == Kind::bcast && dice_.below(3) == 0)
            pieces = split(segment.bytes(), 1, dice_);
        Bytes end = 0;
        for (const Bytes bytes : pieces)
            if (bytes > 0) bounds.push_back(end += bytes);
        segment.cuts = cuts(bounds, least_, most_);
    }
}

void Movement::join(const Flow& flow) {
    Segment& from = problems_[index(flow.from)].send[flow.out];
    Segment& to = problems_[index(flow.to)].recv[flow.in];
    to.cuts = from.cuts;
    from.is_joined = to.is_joined =
        p_.in_fragments && (p_.kind == Kind::bcast || from.cuts.size() < from.partitions.size());
    if (flow.stays) return;
    from.peers.push_back(flow.to);
    to.peers.push_back(flow.from);
}

// Of an allgather with relays no more than if all sources had as many as the one with most.
std::int64_t Movement::messages() const {
    std::map<std::pair<int, int>, std::int64_t> between;
    std::int64_t most = 0;
    for (const Flow& flow : wiring_.flows) {
        auto& count = between[{flow.from, flow.to}];
        count += static_cast<std::int64_t>(sent(flow).cuts.size());
        most = std::max(most, count);
    }
    return messages_with_relays(problems_[0].whole.shape.nodes, p_.kind, most);
}

// What a byte is depends on where it stands, so that partitions in one place agree.
Data Movement::given(Mark mark, int round) const {
    const auto& segments = problems_[index(mark.rank)].send;
    const Numbered at = number(segments, mark.partition);
    const Place& place = segments[at.segment].partitions[at.partition];
    Data data(index(place.bytes));
    for (std::size_t i = 0; i < data.size(); ++i) {
        const bool is_block = is_blocks(place.buffer);
        const auto where = static_cast<unsigned>(is_block ? place.offset : 0) * 1021 +
                           static_cast<unsigned>(is_block ? 0 : place.offset) +
                           static_cast<unsigned>(i);
        const auto value = where * 2654435761u + static_cast<unsigned>(mark.rank) * 40503u +
                           static_cast<unsigned>(round) * 7919u;
        data[i] = static_cast<std::byte>((value ^ value >> 15) * 2246822519u >> 25);
    }
    return data;
}

std::optional<Data> Movement::wanted(int rank, int arrival, int round) const {
    const auto& segments = problems_[index(rank)].recv;
    const Numbered at = number(segments, arrival);
    const Flow* const flow = flow_to(rank, at.segment);
    if (!flow) return {};
    int first = 0;
    for (std::size_t i = 0; i < flow->out; ++i)
        first += static_cast<int>(problems_[index(flow->from)].send[i].partitions.size());
    Data whole;
    for (std::size_t p = 0; p < sent(*flow).partitions.size(); ++p) {
        const Data part = given({flow->from, first + static_cast<int>(p)}, round);
        whole.insert(whole.end(), part.begin(), part.end());
    }
    const Range range = range_of(segments[at.segment], at.partition);
    return Data(whole.begin() + range.begin, whole.begin() + range.end);
}

// For the messages with something of it, or in fragments for that; or for the one that has nothing.
// In place, also for what stands where they are received.
bool Movement::waits(Mark mark, int rank, int arrival) const {
    const auto& problem = problems_[index(rank)];
    const Numbered at = number(problem.recv, arrival);
    const Segment& segment = problem.recv[at.segment];
    const Flow* const flow = flow_to(rank, at.segment);
    const Range range = range_of(segment, at.partition);
    const auto& marked = problems_[index(mark.rank)].send;
    const Numbered source = number(marked, mark.partition);
    if (flow && segment.bytes() == 0)
        return !flow->stays && mark.rank == flow->from && source.segment == flow->out;
    if (!flow || range.begin == range.end) return false;
    const Range messages = flow->stays || segment.is_joined ? range : messages_of(segment, range);
    const Range part = range_of(marked[source.segment], source.partition);
    if (mark.rank == flow->from && source.segment == flow->out && part.overlaps(messages))
        return true;
    const bool is_replaced = p_.in_place && p_.kind == Kind::alltoall && mark.rank == rank &&
                             source.segment == at.segment;
    return is_replaced && part.overlaps(is_blocks(segment.partitions[0].buffer) ? range : messages);
}

} // namespace

Definition define_movement(const Parted& parted) {
    const auto movement = std::make_shared<const Movement>(parted);
    Definition made;
    made.problems = movement->problems();
    made.messages = movement->messages();
    made.given = [movement](Mark mark, int round) { return movement->given(mark, round); };
    made.wanted = [movement](int rank, int arrival, int round) {
        return movement->wanted(rank, arrival, round);
    };
    made.waits = [movement](Mark mark, int rank, int arrival) {
        return movement->waits(mark, rank, arrival);
    };
    // Who receives nothing of it is not held up: what is sent is taken in where it belongs.
    made.holds_up = [movement](Mark mark, int rank) {
        const auto arrivals = numbered(movement->problems()[index(rank)].recv).size();
        for (int arrival = 0; arrival < static_cast<int>(arrivals); ++arrival)
            if (movement->waits(mark, rank, arrival)) return true;
        return mark.rank == rank;
    };
    return made;
}

} // namespace mpix::plan::test
