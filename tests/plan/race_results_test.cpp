// SPDX-License-Identifier: BSD-3-Clause
//
// What races have shown, by operation and size class.
#include "catch2.hpp"
#include "comm/race_results.hpp"

using mpix::comm::delegation;
using mpix::comm::RaceResults;
using mpix::plan::Collective;

TEST_CASE("what a race has shown holds for its operation up to the next power of two") {
    RaceResults results;
    results.note({Collective::bcast, 1025}, delegation);
    results.note({Collective::bcast, 8}, 5);
    CHECK_FALSE(results.quickest({Collective::bcast, 1025})); // others may not know it yet
    results.settle();
    CHECK(results.quickest({Collective::bcast, 1024}) == delegation);
    CHECK(results.quickest({Collective::bcast, 2047}) == delegation);
    CHECK(results.quickest({Collective::bcast, 15}) == 5);
    CHECK_FALSE(results.quickest({Collective::bcast, 2048}));
    CHECK_FALSE(results.quickest({Collective::bcast, 1023}));
    CHECK_FALSE(results.quickest({Collective::allreduce, 1024}));
    CHECK_FALSE(results.quickest({Collective::bcast, 0}));
}

TEST_CASE("a size class has its bounds") {
    const RaceResults::About none(Collective::bcast, 0), one(Collective::bcast, 1),
        long_one(Collective::bcast, 1500);
    CHECK(none.least() == 0);
    CHECK(none.most() == 0);
    CHECK(one.least() == 1);
    CHECK(one.most() == 1);
    CHECK(long_one.least() == 1024);
    CHECK(long_one.most() == 2047);
}

TEST_CASE("ranks that know the same have the same fingerprint") {
    RaceResults some, others;
    CHECK(some.fingerprint() == others.fingerprint());
    some.note({Collective::bcast, 1024}, delegation);
    some.note({Collective::reduce, 8}, 7);
    CHECK(some.fingerprint() == others.fingerprint());
    some.settle();
    CHECK(some.fingerprint() != others.fingerprint());
    others.note({Collective::reduce, 15}, 7);
    others.settle();
    CHECK(some.fingerprint() != others.fingerprint());
    others.note({Collective::bcast, 1024}, delegation);
    others.settle();
    CHECK(some.fingerprint() == others.fingerprint());
    CHECK(some.fingerprint() >= 0);
}

TEST_CASE("the order of races does not matter") {
    RaceResults some, others;
    for (const int solver : {0, 4, 9}) some.note({Collective::bcast, 1024}, solver);
    for (const int solver : {9, 0, 4}) {
        others.note({Collective::bcast, 1024}, solver);
        others.settle();
    }
    some.settle();
    CHECK(some.quickest({Collective::bcast, 1024}) == 9);
    CHECK(some.fingerprint() == others.fingerprint());
}

TEST_CASE("races leave the host no more operations than it has communicators for") {
    RaceResults results;
    std::vector<RaceResults::Place> places;
    const auto agree = [&] { results.agree_on_delegated(results.delegated()); };
    for (int i = 0; i < 64; ++i) {
        CHECK(results.may_delegate());
        places.push_back(results.take_place());
        agree();
    }
    CHECK_FALSE(results.may_delegate());
    places.erase(places.begin() + 20);
    CHECK(results.delegated() == 63);
    CHECK_FALSE(results.may_delegate()); // before the others know
    agree();
    CHECK(results.may_delegate());
    places.clear();
    CHECK(results.delegated() == 0);
    results.take_place().keep();
    CHECK(results.delegated() == 1);
    results.agree_on_delegated(64); // another rank has freed none
    CHECK_FALSE(results.may_delegate());
}
