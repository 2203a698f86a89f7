// SPDX-License-Identifier: BSD-3-Clause
//
// A plan with rivals has the steps of all, of which none leads from one way to another.
#include "cases.hpp"
#include "catch2.hpp"
#include "plan/planner.hpp"
#include "plan/rivals.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace mpix::plan;

namespace {

// What a step leads to and copies, by numbers that are its own way's.
struct Seen {
    std::vector<StepId> after;
    std::vector<Bytes> copies;
    Action action;
    std::int32_t peer, needs;
    Bytes bytes, from, to;

    friend bool operator==(const Seen&, const Seen&) = default;
};

Seen seen(const Plan& plan, StepId id, StepId first) {
    const Step& step = plan.steps[static_cast<std::size_t>(id)];
    Seen all{{},         {},         step.action,      step.peer,
             step.needs, step.bytes, step.from.offset, step.to.offset};
    for (const StepId to : plan.after(step)) all.after.push_back(to - first);
    for (const Copy& copy : plan.copies_of(step))
        all.copies.insert(all.copies.end(), {copy.from, copy.to, copy.bytes});
    return all;
}

void check_way(const Plan& whole, std::size_t way, const Plan& alone) {
    const StepRange range = whole.range(way);
    REQUIRE(range.end - range.begin == std::ssize(alone.steps));
    for (StepId id = range.begin; id < range.end; ++id)
        CHECK(seen(whole, id, range.begin) == seen(alone, id - range.begin, 0));
    const auto first = whole.after(whole.start(way)), expected = alone.after(alone.gates[0]);
    REQUIRE(first.size() == expected.size());
    for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i] - range.begin == expected[i]);
    CHECK(whole.solver_of(way) == alone.solver);
    CHECK(whole.scratch >= alone.scratch);
}

} // namespace

TEST_CASE("each way of a plan with rivals is the plan that its solver makes alone") {
    struct {
        Kind kind;
        const char *first, *second;
    } pairs[] = {{Kind::allreduce, "allreduce_recursive_doubling", "allreduce_ring"},
                 {Kind::alltoall, "alltoall_bruck", "alltoall_linear"},
                 {Kind::allgather, "allgather_ring", "allgather_bruck"},
                 {Kind::bcast, "bcast_chain", "bcast_scatter_allgather"}};
    for (const auto& [kind, first, second] : pairs)
        for (const int ranks : {1, 2, 3, 4, 7})
            for (const bool staged : {false, true}) {
                const test::Case it =
                    test::make(kind, {.ranks = ranks, .count = 24, .staged = staged});
                for (const Problem& problem : it.problems) {
                    const Plan one = build(*find_solver(first), problem, Model{}),
                               other = build(*find_solver(second), problem, Model{});
                    Plan whole = one;
                    add_rival(whole, other);
                    add_rival(whole, delegated(Kind::barrier));
                    REQUIRE(whole.ways() == 3);
                    check_way(whole, 0, one);
                    check_way(whole, 1, other);
                    check_way(whole, 2, delegated(Kind::barrier));
                    const std::string told =
                        "; raced with " + std::string(second) + " and the host\n";
                    CHECK(to_text(whole, problem).find(told) != std::string::npos);
                }
            }
}

TEST_CASE("a rival is the next best, unless the model is sure, and no plan by another name") {
    const Model model = Model::of_node();
    for (const int ranks : {2, 3, 4, 8})
        for (const Bytes bytes : {Bytes{8}, Bytes{4096}, Bytes{262'144}})
            for (const Kind kind : {Kind::allreduce, Kind::allgather, Kind::reduce}) {
                const Shape shape{.kind = kind,
                                  .ranks = ranks,
                                  .one_node = true,
                                  .total = kind == Kind::allgather ? ranks * bytes : bytes,
                                  .largest = bytes};
                const Solver* best = choose(shape, model, [](const Solver&) { return true; });
                const Solver* const rival = find_rival(*best, shape, model);
                double next = 0;
                for (const Solver* one : catalogue()) {
                    if (one->kind != kind || !one->applicable(shape)) continue;
                    const double us = cost(*one, shape, model);
                    if (us > cost(*best, shape, model) && (next == 0 || us < next)) next = us;
                }
                const bool is_near = next > 0 && next <= 2 * cost(*best, shape, model);
                REQUIRE((rival != nullptr) == is_near);
                if (rival) CHECK(cost(*rival, shape, model) == next);
            }
}

TEST_CASE("one that overlaps rounds is the rival of one that does not, if it is not far behind") {
    struct {
        Kind kind;
        const char* overlapping;
    } rows[] = {
        {Kind::bcast, "bcast_chain"}, {Kind::gather, "gather_linear"}, {Kind::scan, "scan_chain"}};
    const Model model;
    int rivals = 0;
    for (const auto& [kind, name] : rows)
        for (const int ranks : {2, 4, 8, 16, 64})
            for (const Bytes bytes : {Bytes{8}, Bytes{4096}, Bytes{262'144}}) {
                const Shape shape{.kind = kind,
                                  .ranks = ranks,
                                  .total = kind == Kind::gather ? ranks * bytes : bytes,
                                  .largest = bytes};
                const Solver* const best = choose(shape, model, [](const Solver&) { return true; });
                const Solver* const overlapping = find_solver(name);
                const double least = cost(*best, shape, model),
                             its = cost(*overlapping, shape, model);
                const Solver* const rival = find_rival(*best, shape, model);
                if (best == overlapping || its == least) {
                    CHECK(rival != overlapping);
                } else if (its <= 4 * least) {
                    CHECK(rival == overlapping);
                    ++rivals;
                } else {
                    CHECK(rival != overlapping);
                }
            }
    CHECK(rivals > 10);
}
