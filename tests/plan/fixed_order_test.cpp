// SPDX-License-Identifier: BSD-3-Clause
//
// Order::fixed: every solver that applies combines in the order of docs/reproducibility.md, at
// every number of ranks and in any order of events, on one node or many. The operation neither
// associates nor commutes, so that its result tells the order.
#include "cases.hpp"
#include "catch2.hpp"
#include "elements.hpp"
#include "images.hpp"
#include "plan/planner.hpp"

#include <cstring>

using namespace mpix::plan;

namespace {

using Value = std::uint64_t;
using Values = std::vector<Value>; // one of each rank

Value mixed(Value left, Value right) {
    return (left << 23 | left >> 41) * 0xd6e8feb86659fd93 ^ right * 0xc2b2ae3d27d4eb4f;
}

std::string mix(const std::byte* in, std::byte* inout, Bytes bytes) {
    for (Bytes i = 0; i < bytes; i += test::element) {
        Value left, right;
        std::memcpy(&left, in + i, sizeof left);
        std::memcpy(&right, inout + i, sizeof right);
        right = mixed(left, right);
        std::memcpy(inout + i, &right, sizeof right);
    }
    return "";
}

// Neighbours until as many as a power of two are left, then pairs.
Value tree(const Values& given) {
    std::size_t power = 1;
    while (2 * power <= given.size()) power *= 2;
    const std::size_t extra = given.size() - power;
    Values sums;
    for (std::size_t i = 0; i < power; ++i)
        sums.push_back(i < extra ? mixed(given[2 * i], given[2 * i + 1]) : given[i + extra]);
    for (; sums.size() > 1; sums.resize(sums.size() / 2))
        for (std::size_t i = 0; i < sums.size() / 2; ++i)
            sums[i] = mixed(sums[2 * i], sums[2 * i + 1]);
    return sums[0];
}

Value doubling(Values sums) {
    for (std::size_t distance = 1; distance < sums.size(); distance *= 2)
        for (std::size_t rank = sums.size() - 1; rank >= distance; --rank)
            sums[rank] = mixed(sums[rank - distance], sums[rank]);
    return sums.back();
}

Value from_left(const Values& given) {
    Value sum = given[0];
    for (std::size_t rank = 1; rank < given.size(); ++rank) sum = mixed(sum, given[rank]);
    return sum;
}

// Of the ranks below `end`.
Values given(int end, Bytes index, int round) {
    Values values;
    for (int rank = 0; rank < end; ++rank)
        test::write_elements(reinterpret_cast<std::byte*>(&values.emplace_back()), test::element,
                             Value{1} << rank, index, round);
    return values;
}

Value expected(const Problem& problem, Bytes index, int round) {
    const Shape& shape = problem.shape;
    if (shape.kind == Kind::reduce_scatter)
        for (int r = 0; r < problem.rank; ++r)
            index += problem.sizes[static_cast<std::size_t>(r)] / test::element;
    const bool is_scan = shape.kind == Kind::scan || shape.kind == Kind::exscan;
    if (!is_scan) return tree(given(shape.ranks, index, round));
    const Values before =
        given(shape.kind == Kind::scan ? problem.rank + 1 : problem.rank, index, round);
    return shape.is_piece ? from_left(before) : doubling(before);
}

std::string check(const Problem& problem, int round, Memory& memory) {
    const bool has_result =
        !problem.recv.empty() && (problem.shape.kind != Kind::exscan || problem.rank > 0);
    if (!has_result) return "";
    const Place& result = problem.recv[0];
    for (Bytes i = 0; i < result.bytes / test::element; ++i) {
        Value got;
        std::memcpy(&got, test::at(memory, result) + i * test::element, sizeof got);
        if (got != expected(problem, i, round))
            return "element " + std::to_string(i) + " is combined in another order";
    }
    return "";
}

test::Case fixed_case(Kind kind, const test::Variant& variant, bool is_piece) {
    test::Case it = test::make(kind, variant);
    for (Problem& problem : it.problems) {
        problem.shape.order = Order::fixed;
        problem.shape.is_piece = is_piece;
    }
    const auto problems = it.problems;
    it.program.combine = mix;
    it.program.check = [problems](int rank, int round, Memory& memory) {
        return check(problems[static_cast<std::size_t>(rank)], round, memory);
    };
    it.program.rounds = 2;
    return it;
}

constexpr Kind kinds[] = {Kind::reduce, Kind::allreduce, Kind::reduce_scatter, Kind::scan,
                          Kind::exscan};

// Runs the solver, if it applies.
bool prove(const Solver& solver, const test::Variant& variant, bool is_piece, std::uint64_t seed) {
    test::Case it = fixed_case(solver.kind, variant, is_piece);
    if (!solver.applicable(it.problems[0].shape)) return false;
    for (const Problem& problem : it.problems)
        it.program.plans.push_back(build(solver, problem, Model{}));
    INFO(solver.name << (is_piece ? ", a piece: " : ": ") << test::describe(variant));
    CHECK(Simulator(it.program, seed).run() == "");
    return true;
}

} // namespace

TEST_CASE("every solver of a fixed order combines in that order") {
    std::uint64_t seed = 0;
    for (const Kind kind : kinds)
        for (const int ranks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 33})
            for (const int count : {0, 1, 3, 37})
                for (const int bits : {0, 1, 2, 3, 4, 5, 6, 7}) {
                    const bool is_piece = bits & 4;
                    if (is_piece && kind == Kind::reduce_scatter) continue;
                    const int root = kind == Kind::reduce ? (bits % 3) * (ranks - 1) / 2 : 0;
                    const test::Variant variant{.ranks = ranks,
                                                .root = root,
                                                .count = count,
                                                .in_place = (bits & 1) != 0,
                                                .regular = (bits & 2) == 0,
                                                .commutative = false};
                    int applied = 0;
                    for (const Solver* solver : catalogue())
                        if (solver->kind == kind)
                            applied += prove(*solver, variant, is_piece, ++seed);
                    INFO(name(kind) << ": " << test::describe(variant));
                    CHECK(applied > 0);
                }
}

TEST_CASE("long and short reductions of a fixed order have different solvers") {
    const auto choice = [](Kind kind, Bytes bytes) {
        const Shape shape{.kind = kind,
                          .ranks = 8,
                          .commutative = false,
                          .grain = test::element,
                          .total = bytes,
                          .largest = bytes,
                          .order = Order::fixed};
        return choose(shape, Model{}, [](const Solver&) { return true; })->name;
    };
    CHECK(choice(Kind::allreduce, 8) == "allreduce_recursive_doubling");
    CHECK(choice(Kind::allreduce, 1 << 22) == "allreduce_rabenseifner");
    CHECK(choice(Kind::reduce, 8) == "reduce_binomial");
    CHECK(choice(Kind::reduce, 1 << 22) == "reduce_scatter_gather");
}
