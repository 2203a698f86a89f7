// SPDX-License-Identifier: BSD-3-Clause
//
// Partitioned plans in fragments, in random orders: every partition arrives with its data, as soon
// as there are bytes for it, whatever is missing of the messages and pieces that it came with.
#include "catch2.hpp"
#include "partitioned_cases.hpp"

using namespace mpix::plan;

namespace {

// One partition, or all from one on of its rank.
test::Held some_held(const std::vector<test::Mark>& marks, test::Dice& dice) {
    if (marks.empty() || dice.below(4) == 0) return {};
    const auto some = static_cast<std::size_t>(dice.below(std::ssize(marks)));
    test::Held held{marks[some]};
    if (dice.coin()) return held;
    for (std::size_t i = some + 1; i < marks.size() && marks[i].rank == held[0].rank; ++i)
        held.push_back(marks[i]);
    return held;
}

bool passes(const test::PartitionedCase& it, const test::Parted& parted, std::uint64_t seed) {
    test::Dice dice(seed);
    test::Held held = some_held(it.marks(), dice);
    if (parted.shares_tags) held.clear(); // any may wait for any
    INFO(test::describe(parted) << "; run " << seed << ", held back: " << held.size());
    for (const test::Mark& mark : held) UNSCOPED_INFO(mark.rank << ", " << mark.partition);
    const std::string wrong = Simulator(it.program(held), seed).run();
    CHECK(wrong == "");
    return wrong.empty();
}

void prove(Kind kind, int ranks) {
    for (std::uint64_t i = 0; i < 12; ++i) {
        test::Parted parted = test::some_parted(kind, ranks, 1000 + i);
        parted.in_fragments = true;
        const test::PartitionedCase it = test::make(parted);
        for (std::uint64_t seed = 0; seed < 4; ++seed)
            if (!passes(it, parted, seed)) return;
    }
}

void prove(std::initializer_list<Kind> of) {
    for (const Kind kind : of)
        for (const int ranks : {1, 2, 3, 4, 5, 7}) prove(kind, ranks);
}

} // namespace

TEST_CASE("in fragments data go from one to all, and nothing waits for what it is without") {
    prove({Kind::bcast, Kind::scatter, Kind::allgather});
}

TEST_CASE("in fragments data go from all to one, and nothing waits for what it is without") {
    prove({Kind::gather, Kind::alltoall});
}

TEST_CASE("in fragments data go along edges, and nothing waits for what it is without") {
    prove({Kind::neighbor});
}

TEST_CASE("in fragments data are combined, and nothing waits for what it is without") {
    prove({Kind::reduce, Kind::allreduce, Kind::reduce_scatter, Kind::scan, Kind::exscan});
}
