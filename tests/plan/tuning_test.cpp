// SPDX-License-Identifier: BSD-3-Clause
//
// Tuning tables: what a line says, which line is followed, and what is wrong with a malformed one.
#include "catch2.hpp"
#include "plan/tuning.hpp"

using namespace mpix;
using plan::Collective;
using plan::parse_tuning;

namespace {

// "LINE: REASON", or nothing if there is nothing wrong.
std::string fault(std::string_view text) {
    try {
        parse_tuning(text);
        return "";
    } catch (const plan::Malformed& malformed) {
        return std::to_string(malformed.line) + ": " + malformed.reason;
    }
}

plan::Shape shape(plan::Kind kind, int ranks, plan::Bytes bytes, bool one_node = true) {
    return {.kind = kind, .ranks = ranks, .one_node = one_node, .total = bytes, .largest = bytes};
}

std::string_view choice(std::string_view table, Collective collective, const plan::Shape& shape) {
    const auto chosen = parse_tuning(table).choose(collective, shape);
    if (!chosen) return "the planner's";
    return *chosen ? (*chosen)->name : "delegate";
}

std::string_view allreduce(std::string_view table, int ranks, plan::Bytes bytes,
                           bool one_node = true) {
    return choice(table, Collective::allreduce,
                  shape(plan::Kind::allreduce, ranks, bytes, one_node));
}

} // namespace

TEST_CASE("a rule holds for its ranks, its bytes and its nodes, ends included") {
    constexpr auto ring = "allreduce ranks 2-4 bytes 8-64 node allreduce_ring";
    for (const int ranks : {2, 3, 4})
        for (const plan::Bytes bytes : {8, 9, 64})
            CHECK(allreduce(ring, ranks, bytes) == "allreduce_ring");
    CHECK(allreduce(ring, 1, 8) == "the planner's");
    CHECK(allreduce(ring, 5, 8) == "the planner's");
    CHECK(allreduce(ring, 2, 7) == "the planner's");
    CHECK(allreduce(ring, 2, 65) == "the planner's");
    CHECK(allreduce(ring, 2, 8, false) == "the planner's");
    CHECK(choice(ring, Collective::reduce, shape(plan::Kind::reduce, 2, 8)) == "the planner's");
    CHECK(allreduce("allreduce nodes allreduce_ring", 2, 8) == "the planner's");
    CHECK(allreduce("allreduce nodes allreduce_ring", 2, 8, false) == "allreduce_ring");
}

TEST_CASE("what a rule does not say is anything") {
    CHECK(allreduce("allreduce allreduce_ring", 2, 0) == "allreduce_ring");
    CHECK(allreduce("allreduce allreduce_ring", 77, 1 << 30, false) == "allreduce_ring");
    CHECK(allreduce("allreduce bytes 64- delegate", 2, 1 << 30) == "delegate");
    CHECK(allreduce("allreduce bytes 64- delegate", 2, 63) == "the planner's");
    CHECK(allreduce("allreduce bytes 64 delegate", 2, 65) == "the planner's");
}

TEST_CASE("one rank is one node") {
    CHECK(allreduce("allreduce node delegate", 1, 8, false) == "delegate");
    CHECK(allreduce("allreduce nodes delegate", 1, 8, false) == "the planner's");
}

TEST_CASE("of rules that hold the last is followed that can be") {
    CHECK(allreduce("allreduce delegate\nallreduce allreduce_ring", 2, 8) == "allreduce_ring");
    // There is no flat solver over several nodes.
    constexpr auto flat = "allreduce allreduce_ring\nallreduce allreduce_flat";
    CHECK(allreduce(flat, 2, 8) == "allreduce_flat");
    CHECK(allreduce(flat, 2, 8, false) == "allreduce_ring");
    CHECK(allreduce("allreduce allreduce_flat", 2, 8, false) == "the planner's");
}

TEST_CASE("a rule for the host, or for another order, is none for a fixed one") {
    plan::Shape fixed = shape(plan::Kind::allreduce, 4, 8);
    fixed.order = plan::Order::fixed;
    fixed.commutative = false;
    for (const std::string order : {"delegate", "allreduce_ring", "allreduce_flat"}) {
        INFO(order);
        const std::string rule = "\nallreduce " + order;
        CHECK(choice(rule, Collective::allreduce, fixed) == "the planner's");
        CHECK(choice("allreduce allreduce_rabenseifner" + rule, Collective::allreduce, fixed) ==
              "allreduce_rabenseifner");
    }
}

TEST_CASE("forms of one kind have rules of their own") {
    const plan::Shape gather = shape(plan::Kind::gather, 3, 8);
    constexpr auto table = "gather gather_binomial\ngatherv gather_linear";
    CHECK(choice(table, Collective::gather, gather) == "gather_binomial");
    CHECK(choice(table, Collective::gatherv, gather) == "gather_linear");
}

TEST_CASE("between two groups no rule holds") {
    CHECK(choice("bcast delegate", Collective::bcast, shape(plan::Kind::neighbor, 4, 8)) ==
          "the planner's");
}

TEST_CASE("constants replace those of the model, and no others") {
    plan::Model model;
    parse_tuning("constant node.latency 0.125\nconstant copy 1e-4 # measured").apply_to(model);
    CHECK(model.node_latency_us == 0.125);
    CHECK(model.copy_us == 1e-4);
    CHECK(model.latency_us == plan::Model{}.latency_us);
    CHECK(model.within_node().latency_us == 0.125);
    CHECK(model.within_node().overhead_us == plan::Model::of_node().overhead_us);
}

TEST_CASE("empty lines, comments, tabs and carriage returns are nothing") {
    const auto tuning = parse_tuning("# a comment\n\n \t\r\nscan\tdelegate # so\r\n\n");
    CHECK(tuning.rules.size() == 1);
    CHECK(tuning.constants.empty());
    CHECK(fault("") == "");
}

TEST_CASE("a table is written as it is read") {
    constexpr std::string_view text = "constant crossing 1.25\n"
                                      "allreduce ranks 2 bytes 0-4096 node allreduce_direct\n"
                                      "alltoallw ranks 2-8 bytes 64- nodes delegate\n"
                                      "barrier barrier_flat\n";
    CHECK(to_text(parse_tuning(text)) == text);
}

TEST_CASE("a malformed line is told by its number and its fault") {
    CHECK(fault("# one\nalreduce delegate") == "2: 'alreduce' is no operation and not 'constant'");
    CHECK(fault("group_reduce delegate") == "1: 'group_reduce' is no operation and not 'constant'");
    CHECK(fault("bcast") == "1: the solver is missing");
    CHECK(fault("bcast ranks 2 # bcast_chain") == "1: the solver is missing");
    CHECK(fault("bcast bcast_cain") == "1: 'bcast_cain' is no solver");
    CHECK(fault("bcast size 8 bcast_chain") == "1: 'size' is no solver");
    CHECK(fault("bcast allreduce_ring") == "1: 'allreduce_ring' is no solver of bcast");
    CHECK(fault("bcast bcast_chain node") == "1: nothing may follow, but 'node' does");
    CHECK(fault("bcast delegate\nbcast ranks") == "2: ranks lacks its number or range");
    CHECK(fault("bcast bytes # none") == "1: bytes lacks its number or range");
    for (const auto* word : {"x", "-8", "8-x", "8--9", "1.5", "8K", "-", "99999999999999999999"})
        CHECK(fault(std::string("bcast bytes ") + word + " delegate") ==
              "1: bytes '" + std::string(word) + "' is no number or range");
    CHECK(fault("bcast ranks 8-4 delegate") == "1: ranks '8-4' is empty");
    CHECK(fault("bcast ranks 2 ranks 3 delegate") == "1: 'ranks' is not the first of its sort");
    CHECK(fault("bcast bytes 2 bytes 3 delegate") == "1: 'bytes' is not the first of its sort");
    CHECK(fault("bcast node nodes delegate") == "1: 'nodes' is not the first of its sort");
}

TEST_CASE("a malformed constant is told by its number and its fault") {
    CHECK(fault("constant") == "1: the constant is missing");
    CHECK(fault("\nconstant speed 1") == "2: 'speed' is no constant");
    CHECK(fault("constant latency") == "1: 'latency' lacks its value");
    for (const auto* word : {"x", "0", "-1", "inf", "nan", "1us"})
        CHECK(fault(std::string("constant latency ") + word) ==
              "1: '" + std::string(word) + "' is no number above 0");
    CHECK(fault("constant latency 1 2") == "1: nothing may follow, but '2' does");
}
