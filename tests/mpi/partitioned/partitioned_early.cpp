// SPDX-License-Identifier: BSD-3-Clause
// A partition that is marked travels while others are not: one is held back on one rank, and all
// that do not depend on it arrive everywhere, while each rank that receives calls nothing but
// MPI_Parrived. A rank that starts late holds up what depends on it, and nothing else, unless it
// has to pass that on to its node.
#include "common/board.hpp"
#include "common/graphs.hpp"
#include "partitioned/partitioned_marks.hpp"

#include <string_view>

using namespace mpitest;

namespace {

constexpr int all = -1; // partitions of a rank

// What is held back: one partition of one rank, or all that it sends.
struct Held {
    int rank, segment, index;
};

// Chosen by chance, the same on every rank. False if nobody sends anything.
bool choose(const PartedOperation& operation, int round, Held& held) {
    const Shapes& shapes = operation.shapes();
    const std::uint32_t seed = mix(operation.about().seed, static_cast<std::uint32_t>(round), 77);
    for (int i = 0; i < shapes.ranks(); i++) {
        held.rank = (static_cast<int>(seed % 64) + round + i) % shapes.ranks();
        const int segments = shapes.segments_sent_by(held.rank);
        if (segments == 0) continue;
        held.segment = static_cast<int>(seed / 64 % static_cast<std::uint32_t>(segments));
        const int parts = shapes.sent(held.rank, held.segment).parts;
        held.index = static_cast<int>(seed / 4096 % static_cast<std::uint32_t>(parts));
        return true;
    }
    return false;
}

enum class Wait { no, perhaps, yes };

Wait waits(const Shapes& shapes, const Part& part, const Held& held) {
    Wait found = Wait::no;
    const auto look = [&](int segment, int index) {
        const Sent from{held.rank, segment};
        if (shapes.depends(part.segment, part.index, from, index))
            found = Wait::yes;
        else if (found == Wait::no && shapes.may_wait(part.segment, part.index, from, index))
            found = Wait::perhaps;
    };
    if (held.index != all) look(held.segment, held.index);
    for (int s = 0; held.index == all && s < shapes.segments_sent_by(held.rank); s++)
        for (int k = 0; k < shapes.sent(held.rank, s).parts; k++) look(s, k);
    return found;
}

// Who has nothing left to ask for moves plans by testing.
void pass_time(PartedOperation& operation, Asker& asker) {
    for (const Part& part : operation.receives())
        if (!asker.has(part)) return;
    int flag = 0;
    MPI_Test(&operation.request, &flag, MPI_STATUS_IGNORE);
}

// Until all others have got what they can.
void await_others(PartedOperation& operation, Board& board, int target) {
    Asker asker(operation, 1);
    board.raise();
    for (int turns = 0; board.number() < target || turns < 20; turns++) {
        pass_time(operation, asker);
        std::this_thread::yield();
    }
}

void check_early(PartedOperation& operation, const Held& held) {
    const Shapes& shapes = operation.shapes();
    Asker(operation, 2).await(Asking::one, [&](const Part& part) {
        return waits(shapes, part, held) == Wait::no;
    });
}

void check_none_of(PartedOperation& operation, const Held& held) {
    Asker asker(operation, 3);
    int too_early = 0;
    for (const Part& part : operation.receives())
        too_early += waits(operation.shapes(), part, held) == Wait::yes && asker.has(part);
    CHECK(too_early == 0);
}

void finish(PartedOperation& operation) {
    CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
    operation.check();
}

void hold_one_back(PartedOperation& operation, Board& board, int& target, int round) {
    Held held{};
    if (!choose(operation, round, held)) return;
    INFO("round " << round << ", held " << held.index << " of segment " << held.segment
                  << " of rank " << held.rank);
    const bool am_holder = rank_of(operation.about().comm) == held.rank;
    const Part* mine = nullptr;
    for (const Part& part : operation.sends())
        if (part.segment == held.segment && part.index == held.index) mine = &part;
    operation.start(round);
    const auto seed = static_cast<std::uint32_t>(round);
    const Marking way = round % 2 == 0 ? Marking::one : Marking::extended;
    Marker(operation, seed).mark_all(way, am_holder ? mine->linear : -1);
    check_early(operation, held);
    await_others(operation, board, target += size_of(operation.about().comm));
    check_none_of(operation, held);
    // Nobody looks any more when it is marked.
    await_others(operation, board, target += size_of(operation.about().comm));
    if (am_holder) Marker(operation, seed).mark(*mine, way);
    finish(operation);
}

// What all want may come by way of a rank that is late.
bool is_passed_on(const PartedOperation& operation) {
    const char* const plan = MPIX_Plan_name(operation.request);
    return plan && std::string_view(plan) == "partitioned_two_level";
}

void start_late(PartedOperation& operation, Board& board, int& target, int round) {
    const int ranks = size_of(operation.about().comm);
    const Held held{round % ranks, 0, all};
    INFO("round " << round << ", late rank " << held.rank);
    target += ranks;
    if (rank_of(operation.about().comm) == held.rank) {
        while (board.number() < target - 1)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        board.raise();
        operation.start(round);
        Marker(operation, 1).mark_all(Marking::one);
    } else {
        operation.start(round);
        Marker(operation, 1).mark_all(Marking::one);
        if (!is_passed_on(operation)) check_early(operation, held);
        check_none_of(operation, held);
        await_others(operation, board, target);
    }
    finish(operation);
}

using Run = void (*)(PartedOperation&, Board&, int& target, int round);

void run(const PartedCase& of, Run round_of, int rounds) {
    Board board;
    int target = 0;
    PartedOperation operation(of);
    INFO(operation.text());
    for (int round = 0; round < rounds; round++) round_of(operation, board, target, round);
}

void run_all(Run round_of, int granules, int rounds, int least = 1, int most = 0) {
    const Topology ring = grid({size_of()}, {1}), multiple = dist_graph(repeated);
    for (const Partitioned& row : partitioned_calls) {
        PartedCase of{.row = &row,
                      .granules = granules,
                      .root = size_of() - 1,
                      .seed = 3,
                      .least = least,
                      .most = most};
        if (row.is_neighbor()) {
            for (const Topology* topology : {&ring, &multiple}) {
                of.comm = topology->comm;
                of.topology = topology;
                run(of, round_of, rounds);
            }
            continue;
        }
        run(of, round_of, rounds);
        of.in_place = true;
        of.seed = 4;
        if (row.may_be_in_place() && round_of == hold_one_back) run(of, round_of, rounds);
    }
}

} // namespace

TEST_CASE("what does not depend on a partition arrives before it is marked") {
    run_all(hold_one_back, 1, 6);
}

TEST_CASE("what has no data arrives when all that is marked for it is, and not before") {
    run_all(hold_one_back, 0, 6);
    run_all(start_late, 0, size_of());
}

TEST_CASE("large partitions arrive before others are marked") { run_all(hold_one_back, 2'500, 3); }

TEST_CASE("partitions that could travel together do not wait for each other") {
    run_all(hold_one_back, 1, 4, 0);
    run_all(hold_one_back, 500, 2, 0);
    run_all(hold_one_back, 2, 2, 24);
    run_all(hold_one_back, 2, 2, 1, 3);
    run_all(hold_one_back, 2, 1, 1, 1);
}

TEST_CASE("a rank that starts late holds up what depends on it") {
    run_all(start_late, 1, size_of());
}

TEST_CASE("a rank that starts late holds up no large partitions of others") {
    run_all(start_late, 2'500, 2);
}
