// SPDX-License-Identifier: BSD-3-Clause
// Which plain calls get a plan, and which plans are dropped.
#include "automatic/plan_cache.hpp"
#include "catch2.hpp"

#include <random>

using namespace mpix::automatic;
using Cache = PlanCache<int>;

namespace {

Key key(std::int64_t bytes, bool floats = false) {
    Key made;
    made.collective = mpix::plan::Collective::allreduce;
    made.element = floats ? 9 : 2;
    made.bytes = bytes;
    return made;
}

// What a rank does with a call: whether it ran on a plan.
bool call(Cache& cache, const Key& of, bool order_shows = false) {
    if (cache.find(of)) return true;
    if (!cache.is_due(of, order_shows)) return false;
    cache.add(of, order_shows, std::make_unique<int>(0));
    return true;
}

} // namespace

TEST_CASE("a call is planned when it comes for the second time") {
    Cache cache(4);
    CHECK_FALSE(call(cache, key(8)));
    CHECK_FALSE(call(cache, key(16)));
    CHECK(call(cache, key(8)));
    CHECK(call(cache, key(8)));
    CHECK(cache.plans() == 1);
    CHECK(call(cache, key(16)));
    CHECK(cache.plans() == 2);
}

TEST_CASE("whatever is not equal on all ranks or is another call has a plan of its own") {
    Cache cache(16);
    Key other = key(8);
    std::vector<Key> all(7, other);
    all[1].collective = mpix::plan::Collective::scan;
    all[2].in_place = true;
    all[3].op = 3;
    all[4].root = 1;
    all[5].counts = 1;
    all[6].element = 3;
    for (const Key& each : all) CHECK_FALSE(call(cache, each));
    for (const Key& each : all) CHECK(call(cache, each));
    CHECK(cache.plans() == all.size());
}

TEST_CASE("the plan that was idle for longest goes, and comes again") {
    Cache cache(2);
    for (int round = 0; round < 40; round++)
        for (const std::int64_t bytes : {8, 16}) call(cache, key(bytes));
    call(cache, key(32));
    call(cache, key(8));
    CHECK(call(cache, key(32))); // 16 went
    CHECK(cache.plans() == 2);
    CHECK(cache.find(key(8)));
    CHECK_FALSE(cache.find(key(16)));
    call(cache, key(16));
    CHECK(call(cache, key(16)));
    CHECK(cache.plans() == 2);
}

TEST_CASE("calls by turns that are more than the plans make fewer and fewer plans") {
    Cache cache(8);
    int made = 0;
    for (int round = 0; round < 20000; round++)
        for (std::int64_t bytes = 1; bytes <= 9; bytes++) {
            if (cache.find(key(bytes))) continue;
            if (!cache.is_due(key(bytes), false)) continue;
            cache.add(key(bytes), false, std::make_unique<int>(0));
            ++made;
        }
    CHECK(made < 200);
    CHECK(cache.plans() == 8);
}

TEST_CASE("a reduction whose bits tell its order is planned at its first call or never") {
    Cache cache(8);
    std::vector<bool> first;
    for (std::int64_t bytes = 1; bytes <= 20; bytes++)
        first.push_back(call(cache, key(bytes, true), true));
    CHECK(cache.plans() == 4);
    for (int round = 0; round < 100; round++) {
        for (std::int64_t bytes = 1; bytes <= 20; bytes++)
            CHECK(call(cache, key(bytes, true), true) ==
                  first[static_cast<std::size_t>(bytes) - 1]);
        call(cache, key(round)); // others come and go
        call(cache, key(round));
    }
    CHECK(cache.plans() == 8);
}

TEST_CASE("no plan is made where none is to be kept") {
    Cache cache(0);
    for (int round = 0; round < 5; round++) {
        CHECK_FALSE(call(cache, key(8)));
        CHECK_FALSE(call(cache, key(8, true), true));
    }
}

TEST_CASE("two ranks that see the same calls do the same") {
    Cache one(5), other(5);
    std::mt19937 draw(7);
    std::vector<bool> did;
    std::vector<Key> calls;
    for (int i = 0; i < 20000; i++)
        calls.push_back(key(1 + draw() % (i % 1000 < 500 ? 4 : 40), draw() % 8 == 0));
    for (const Key& each : calls) did.push_back(call(one, each, each.element == 9));
    for (std::size_t i = 0; i < calls.size(); i++)
        REQUIRE(call(other, calls[i], calls[i].element == 9) == did[i]);
}
