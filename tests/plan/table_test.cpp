// SPDX-License-Identifier: BSD-3-Clause
//
// The rules that mpix-tune makes of what it has found.
#include "catch2.hpp"
#include "tools/tune/table.hpp"

using namespace mpix;
using plan::Collective;
using tune::Finding;
using tune::Solver;

namespace {

const Solver ring{plan::find_solver("allreduce_ring")},
    doubling{plan::find_solver("allreduce_recursive_doubling")}, host{};

const Finding usual{doubling, doubling, 1}, rings{doubling, ring, 1.2}, hosts{doubling, host, 1.1};

// The lines of a table for 4 ranks of one node.
std::string table(const std::vector<std::size_t>& sizes, const std::vector<Finding>& findings,
                  bool one_node = true) {
    std::string lines;
    for (const plan::Rule& rule : rules(Collective::allreduce, 4, one_node, sizes, findings))
        lines += to_text(rule);
    return lines;
}

} // namespace

TEST_CASE("where the planner's own solver is fastest there is no rule") {
    CHECK(table({8, 512, 4096}, {usual, usual, usual}) == "");
    CHECK(table({}, {usual}) == "");
    CHECK(table({}, {}) == "");
}

TEST_CASE("a finding speaks for the sizes that are nearer to its own than to its neighbours'") {
    // Of 8 and 512 the middle is 64, of 512 and 8192 it is 2048.
    const std::vector<std::size_t> sizes{8, 512, 8192};
    CHECK(table(sizes, {usual, rings, usual}) ==
          "allreduce ranks 4 bytes 65-2048 node allreduce_ring\n");
    CHECK(table(sizes, {rings, usual, usual}) ==
          "allreduce ranks 4 bytes 0-64 node allreduce_ring\n");
    CHECK(table(sizes, {usual, usual, rings}) ==
          "allreduce ranks 4 bytes 2049-8192 node allreduce_ring\n");
    CHECK(table({8}, {rings}) == "allreduce ranks 4 bytes 0-8 node allreduce_ring\n");
}

TEST_CASE("neighbours with the same solver share a rule, others do not") {
    const std::vector<std::size_t> sizes{8, 512, 8192};
    CHECK(table(sizes, {rings, rings, rings}) ==
          "allreduce ranks 4 bytes 0-8192 node allreduce_ring\n");
    CHECK(table(sizes, {rings, hosts, hosts}) ==
          "allreduce ranks 4 bytes 0-64 node allreduce_ring\n"
          "allreduce ranks 4 bytes 65-8192 node delegate\n");
    CHECK(table(sizes, {rings, usual, rings}) ==
          "allreduce ranks 4 bytes 0-64 node allreduce_ring\n"
          "allreduce ranks 4 bytes 2049-8192 node allreduce_ring\n");
}

TEST_CASE("without sizes a finding speaks for all; a rule is for one node or for several") {
    CHECK(table({}, {hosts}) == "allreduce ranks 4 node delegate\n");
    CHECK(table({}, {hosts}, false) == "allreduce ranks 4 nodes delegate\n");
    CHECK(table({8}, {rings}, false) == "allreduce ranks 4 bytes 0-8 nodes allreduce_ring\n");
}

TEST_CASE("the rules of a table can be read, and choose what was found") {
    const std::vector<std::size_t> sizes{8, 512, 8192};
    const plan::Tuning read = plan::parse_tuning(table(sizes, {rings, usual, hosts}));
    const auto chosen = [&](plan::Bytes bytes) -> std::string_view {
        const auto found = read.choose(Collective::allreduce, {.kind = plan::Kind::allreduce,
                                                               .ranks = 4,
                                                               .one_node = true,
                                                               .total = bytes,
                                                               .largest = bytes});
        return found ? Solver{*found}.name() : "none";
    };
    for (const plan::Bytes bytes : {0, 8, 64}) CHECK(chosen(bytes) == "allreduce_ring");
    for (const plan::Bytes bytes : {65, 512, 2048}) CHECK(chosen(bytes) == "none");
    for (const plan::Bytes bytes : {2049, 8192}) CHECK(chosen(bytes) == "delegate");
    CHECK(chosen(8193) == "none");
}
