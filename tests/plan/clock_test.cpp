// SPDX-License-Identifier: BSD-3-Clause
//
// The simulated time of plans, against what arithmetic says.
#include "cases.hpp"
#include "catch2.hpp"
#include "nodes_of.hpp"
#include "plan/clock.hpp"
#include "plan/planner.hpp"

using namespace mpix::plan;

namespace {

constexpr double latency = 10, overhead = 1, byte = 0.001;

Model machine() {
    Model model;
    model.latency_us = latency;
    model.overhead_us = overhead;
    model.per_byte_us = byte;
    model.streams = 1;
    model.copy_us = model.reduce_us = 0;
    model.node_latency_us = 2;
    model.node_overhead_us = 0.5;
    model.node_per_byte_us = byte / 10;
    return model;
}

double time_of(const char* solver, const test::Variant& variant, int mates, const Model& model) {
    const Solver& plans_by = *find_solver(solver);
    const test::Case it = test::make(plans_by.kind, variant);
    std::vector<Plan> plans;
    for (Problem problem : it.problems) {
        problem.shape.one_node = false;
        plans.push_back(build(plans_by, problem, model));
    }
    const auto found = simulate(
        plans, test::nodes_of(variant.ranks, [&](int rank) { return rank / mates; }), model);
    REQUIRE(found);
    return found->us;
}

} // namespace

TEST_CASE("a message takes what it takes to post, to travel, and to be taken") {
    const int bytes = 1000;
    CHECK(time_of("bcast_binomial", {.ranks = 2, .count = bytes}, 1, machine()) ==
          Approx(latency + bytes * byte));
    CHECK(time_of("bcast_binomial", {.ranks = 2, .count = bytes}, 2, machine()) ==
          Approx(2 + bytes * byte / 10));
}

TEST_CASE("a binomial tree is as long as its depth, and whoever gathers takes one after another") {
    const double hop = latency + byte;
    CHECK(time_of("bcast_binomial", {.ranks = 8, .count = 1}, 1, machine()) ==
          Approx(3 * hop).epsilon(0.01));
    CHECK(time_of("gather_linear", {.ranks = 9, .count = 1}, 1, machine()) ==
          Approx(latency + 7 * overhead).epsilon(0.01));
    Model model = machine();
    model.taking_us = overhead / 4;
    CHECK(time_of("gather_linear", {.ranks = 9, .count = 1}, 1, model) ==
          Approx(latency + 7 * overhead / 4).epsilon(0.01));
    CHECK(time_of("scatter_linear", {.ranks = 9, .count = 1}, 1, model) ==
          Approx(latency + 7 * overhead).epsilon(0.01));
}

TEST_CASE("messages of a node share its card") {
    const int bytes = 100'000;
    Model model = machine();
    // Four ranks of two nodes: each sends two blocks across.
    const double one_by_one = time_of("alltoall_linear", {.ranks = 4, .count = bytes}, 2, model);
    CHECK(one_by_one == Approx(4 * bytes * byte).epsilon(0.05));
    model.streams = 2;
    CHECK(time_of("alltoall_linear", {.ranks = 4, .count = bytes}, 2, model) ==
          Approx(one_by_one / 2).epsilon(0.05));
}

TEST_CASE("a long message waits for its receiver, and is asked for") {
    Model model = machine();
    model.eager_bytes = 1000;
    model.rendezvous_us = 50;
    const test::Variant longer{.ranks = 2, .count = 1000}, shorter{.ranks = 2, .count = 999};
    CHECK(time_of("bcast_binomial", longer, 1, model) -
              time_of("bcast_binomial", shorter, 1, model) ==
          Approx(50 + byte));
}

TEST_CASE("a rank that waits for ever is told of") {
    std::vector<Plan> plans;
    for (const Problem& problem : test::make(Kind::bcast, {.ranks = 2, .count = 8}).problems)
        plans.push_back(build(*find_solver("bcast_binomial"), problem, Model{}));
    plans[1].steps[0].tag_offset = 1;
    CHECK_FALSE(simulate(plans, test::nodes_of(2, [](int rank) { return rank; }), Model{}));
}

TEST_CASE("the timeline says when a rank worked at a step, and when a message was there") {
    std::vector<Plan> plans;
    for (const Problem& problem : test::make(Kind::bcast, {.ranks = 2, .count = 1000}).problems)
        plans.push_back(build(*find_solver("bcast_binomial"), problem, machine()));
    const Nodes apart = test::nodes_of(2, [](int rank) { return rank; });
    Timeline timeline;
    const auto found = simulate(plans, apart, machine(), &timeline);
    REQUIRE((found && timeline.steps.size() == 2 && timeline.messages.size() == 1));
    const StepTimes send = timeline.steps[0].at(0), receive = timeline.steps[1].at(0);
    const MessageTimes& message = timeline.messages[0];
    CHECK(send.begin == 0);
    CHECK(send.end == Approx(overhead));
    CHECK(message.left == send.end);
    CHECK(message.there == Approx(latency - overhead + 1000 * byte));
    CHECK(receive.ready == 0);
    CHECK(receive.begin == message.there);
    CHECK(receive.end == Approx(message.there + overhead));
    CHECK(receive.end == found->us);
    CHECK((message.from == 0 && message.to == 1 && message.send == 0 && message.receive == 0));
}
