// SPDX-License-Identifier: BSD-3-Clause
//
// What the simulator calls: data are written when their partition is marked, and all else is
// garbage, so that nothing can travel early unseen.
#include "partitioned_cases.hpp"
#include "index.hpp"

#include "elements.hpp"
#include "images.hpp"

namespace mpix::plan::test {
namespace {

Data contents(Memory& memory, const Place& place) {
    const std::byte* const begin = at(memory, place);
    return {begin, begin + place.bytes};
}

void write(Memory& memory, const Place& place, const Data& data) {
    std::copy(data.begin(), data.end(), at(memory, place));
}

class Watch {
  public:
    Watch(std::shared_ptr<const Definition> definition, Held held)
        : definition_(std::move(definition)), held_(std::move(held)), rounds_marked_(held_.size()) {
        for (const Partitioned& problem : definition_->problems)
            ranks_.push_back({.gates = numbered(problem.send), .arrivals = numbered(problem.recv)});
    }

    void fill(int rank, int round, Memory& memory);
    void ready(Mark mark, int round, Memory& memory);
    std::string check_arrival(int rank, int round, int arrival, Memory& memory);
    std::string check(int rank, int round, Memory& memory);

  private:
    struct Rank {
        std::vector<Place> gates, arrivals;
        Memory image = {};             // what the user has written
        std::vector<int> arrived = {}; // in their order
        int rounds = 0;                // that are done
        std::string wrong = {};
    };
    Rank& at_rank(int rank) { return ranks_[index(rank)]; }
    std::string look(int rank, int round, int arrival, Memory& memory);
    void check_the_others(int round);
    bool is_too_early(int rank, int round, int arrival) const;

    const std::shared_ptr<const Definition> definition_;
    const Held held_;
    std::vector<int> rounds_marked_; // in which each of them has been
    std::vector<Rank> ranks_;
};

// No byte of the garbage is one of data.
void Watch::fill(int rank, int round, Memory& memory) {
    Rank& self = at_rank(rank);
    auto seed = static_cast<unsigned>(rank * 1009 + round * 31);
    memory = {};
    size_rooms(memory, self.gates);
    size_rooms(memory, self.arrivals);
    const auto spoil = [&seed](Data& bytes) {
        scramble(bytes, seed += 77);
        for (std::byte& byte : bytes) byte |= std::byte{0x80};
    };
    spoil(memory.send);
    spoil(memory.recv);
    for (auto& block : memory.send_blocks) spoil(block);
    for (auto& block : memory.recv_blocks) spoil(block);
    self.image = memory;
    self.arrived.clear();
    self.rounds = round;
    self.wrong.clear();
}

void Watch::ready(Mark mark, int round, Memory& memory) {
    Rank& self = at_rank(mark.rank);
    const Place& place = self.gates[index(mark.partition)];
    if (contents(memory, place) != contents(self.image, place))
        self.wrong = "a partition was changed before it was marked";
    const Data data = definition_->given(mark, round);
    write(memory, place, data);
    write(self.image, place, data);
    const auto is_mark = [&](const Mark& it) {
        return it.rank == mark.rank && it.partition == mark.partition;
    };
    const auto found = std::ranges::find_if(held_, is_mark);
    if (found == held_.end()) return;
    if (std::ranges::count(rounds_marked_, round + 1) == 0) check_the_others(round);
    rounds_marked_[index(found - held_.begin())] = round + 1;
}

// Nothing else could happen.
void Watch::check_the_others(int round) {
    for (std::size_t r = 0; r < ranks_.size(); ++r)
        if (ranks_[r].rounds <= round && std::ranges::none_of(held_, [&](const Mark& mark) {
                return definition_->holds_up(mark, static_cast<int>(r));
            }))
            at_rank(held_[0].rank).wrong = "rank " + std::to_string(r) + " was held up";
}

bool Watch::is_too_early(int rank, int round, int arrival) const {
    for (std::size_t i = 0; i < held_.size(); ++i)
        if (rounds_marked_[i] <= round && definition_->waits(held_[i], rank, arrival)) return true;
    return false;
}

std::string Watch::look(int rank, int round, int arrival, Memory& memory) {
    Rank& self = at_rank(rank);
    const Place& place = self.arrivals[index(arrival)];
    const std::optional<Data> wanted = definition_->wanted(rank, arrival, round);
    return contents(memory, place) == (wanted ? *wanted : contents(self.image, place))
               ? ""
               : "partition " + std::to_string(arrival) + " arrived, but not its data";
}

// What has arrived stays as it is: that is seen where others arrive. What has no data shows nothing
// but when it does.
std::string Watch::check_arrival(int rank, int round, int arrival, Memory& memory) {
    const bool is_empty = at_rank(rank).arrivals[index(arrival)].bytes == 0;
    if (is_empty && is_too_early(rank, round, arrival))
        return "partition " + std::to_string(arrival) + " arrived too early";
    auto& arrived = at_rank(rank).arrived;
    if (std::ranges::find(arrived, arrival) != arrived.end()) return "a partition arrived twice";
    arrived.push_back(arrival);
    const int earlier = arrived[arrived.size() / 2];
    const std::string wrong = look(rank, round, earlier, memory);
    return wrong.empty() ? look(rank, round, arrival, memory) : wrong;
}

std::string Watch::check(int rank, int round, Memory& memory) {
    Rank& self = at_rank(rank);
    self.rounds = round + 1;
    if (!self.wrong.empty()) return self.wrong;
    if (self.arrived.size() != self.arrivals.size()) return "not every partition arrived";
    for (std::size_t i = 0; i < self.arrivals.size(); ++i)
        if (const auto wanted = definition_->wanted(rank, static_cast<int>(i), round))
            write(self.image, self.arrivals[i], *wanted);
    if (memory.send != self.image.send || memory.send_blocks != self.image.send_blocks)
        return "the send buffer was changed";
    if (memory.recv != self.image.recv || memory.recv_blocks != self.image.recv_blocks)
        return "the receive buffer is wrong";
    return "";
}

// Some of them favour few messages, others few bytes, so that every solver has its turn.
Model some_model(Dice& dice) {
    Model model;
    model.latency_us = dice.one_of({0.01, 0.6, 100.0});
    model.overhead_us = dice.one_of({0.01, 0.15, 10.0});
    model.per_byte_us = dice.one_of({1.0 / 6000, 0.1, 10.0});
    model.reduce_us = dice.one_of({1.0 / 5000, 10.0});
    model.ranks_per_core = dice.one_of({1.0, 4.0});
    return model;
}

bool is_reduction(Kind kind) {
    return kind == Kind::reduce || kind == Kind::allreduce || kind == Kind::reduce_scatter ||
           kind == Kind::scan || kind == Kind::exscan;
}

} // namespace

Parted some_parted(Kind kind, int ranks, std::uint64_t seed) {
    Dice dice(seed * 64 + static_cast<std::uint64_t>(ranks));
    const auto one_in = [&dice](std::int64_t n) { return dice.below(n) == 0; };
    Parted parted{.kind = kind, .ranks = ranks, .seed = seed};
    const bool has_root = kind == Kind::bcast || kind == Kind::gather || kind == Kind::scatter ||
                          kind == Kind::reduce;
    if (has_root) parted.root = static_cast<int>(dice.below(ranks));
    parted.in_place = kind != Kind::bcast && kind != Kind::neighbor && one_in(3);
    parted.shares_tags = one_in(6);
    if (is_reduction(kind)) {
        parted.commutative = dice.coin();
        return parted;
    }
    parted.to_all_alike = kind == Kind::neighbor && one_in(3);
    parted.is_typed = one_in(3);
    parted.overlaps = !parted.in_place && one_in(4);
    return parted;
}

std::string describe(const Parted& p) {
    return std::string(name(p.kind)) + ", " + std::to_string(p.ranks) + " ranks, root " +
           std::to_string(p.root) + (p.in_place ? ", in place" : "") +
           (p.commutative ? "" : ", ordered") + (p.to_all_alike ? ", to all alike" : "") +
           (p.is_typed ? ", typed" : "") + (p.overlaps ? ", overlapping" : "") +
           (p.shares_tags ? ", few tags" : "") + (p.in_fragments ? ", in fragments" : "") +
           ", seed " + std::to_string(p.seed);
}

std::vector<Mark> PartitionedCase::marks() const {
    std::vector<Mark> all;
    for (int rank = 0; rank < static_cast<int>(plans.size()); ++rank)
        for (int p = 0; p < static_cast<int>(plans[index(rank)].partitions()); ++p)
            all.push_back({rank, p});
    return all;
}

Simulator::Program PartitionedCase::program(const Held& held) const {
    const auto watch = std::make_shared<Watch>(definition, held);
    Simulator::Program program;
    program.plans = plans;
    program.rounds = 3;
    program.in_fragments = in_fragments;
    program.grain = definition->problems[0].whole.shape.grain;
    program.fill = [watch](int rank, int round, Memory& memory) {
        watch->fill(rank, round, memory);
    };
    program.ready = [watch](int rank, int round, int partition, Memory& memory) {
        watch->ready({rank, partition}, round, memory);
    };
    program.check_arrival = [watch](int rank, int round, int arrival, Memory& memory) {
        return watch->check_arrival(rank, round, arrival, memory);
    };
    program.check = [watch](int rank, int round, Memory& memory) {
        return watch->check(rank, round, memory);
    };
    const bool commutative = definition->problems[0].whole.shape.commutative;
    program.combine = [commutative](const std::byte* in, std::byte* inout, Bytes bytes) {
        return combine_elements(in, inout, bytes, commutative);
    };
    if (held.empty()) return program;
    program.hold.rank = held[0].rank;
    for (const Mark& mark : held) program.hold.partitions.push_back(mark.partition);
    program.hold.delays = [is = definition, held](int rank, int arrival) {
        return std::ranges::any_of(
            held, [&](const Mark& mark) { return is->waits(mark, rank, arrival); });
    };
    return program;
}

PartitionedCase make(const Parted& parted) {
    Definition found =
        is_reduction(parted.kind) ? define_reduction(parted) : define_movement(parted);
    Dice dice(parted.seed + 1);
    PartitionedCase made;
    made.model = some_model(dice);
    made.in_fragments = parted.in_fragments;
    const std::int64_t enough = std::max<std::int64_t>(1, found.messages) + dice.below(2);
    const std::int64_t tags = parted.shares_tags ? 1 + dice.below(3) : enough;
    for (Partitioned& problem : found.problems) {
        problem.tags = static_cast<std::int32_t>(tags);
        made.plans.push_back(build(problem, made.model));
    }
    made.definition = std::make_shared<const Definition>(std::move(found));
    return made;
}

std::vector<Bytes> split(Bytes bytes, Bytes grain, Dice& dice) {
    const auto parts = dice.one_of<Bytes>({1, 2, 3, 4, 6, 12});
    const Bytes units = bytes / grain;
    if (units % parts == 0 && dice.below(3) > 0)
        return std::vector<Bytes>(index(parts), units / parts * grain);
    std::vector<Bytes> ends{units * grain};
    for (Bytes p = 1; p < parts; ++p) ends.push_back(dice.below(units + 1) * grain);
    std::ranges::sort(ends);
    for (std::size_t p = ends.size(); p-- > 1;) ends[p] -= ends[p - 1];
    return ends;
}

std::vector<Place> numbered(const std::vector<Segment>& segments) {
    std::vector<Place> all;
    for (const Segment& segment : segments)
        all.insert(all.end(), segment.partitions.begin(), segment.partitions.end());
    return all;
}

} // namespace mpix::plan::test
