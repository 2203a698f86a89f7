// SPDX-License-Identifier: BSD-3-Clause
//
// What trials have shown, by operation and size class.
#include "catch2.hpp"
#include "comm/host_trials.hpp"

using mpix::comm::HostTrials;
using mpix::plan::Collective;

TEST_CASE("what a trial has shown holds for its operation up to the next power of two") {
    HostTrials trials;
    trials.note({Collective::bcast, 1025}, true);
    trials.note({Collective::bcast, 8}, false);
    CHECK(trials.is_host_quicker({Collective::bcast, 1024}) == true);
    CHECK(trials.is_host_quicker({Collective::bcast, 2047}) == true);
    CHECK(trials.is_host_quicker({Collective::bcast, 15}) == false);
    CHECK_FALSE(trials.is_host_quicker({Collective::bcast, 2048}));
    CHECK_FALSE(trials.is_host_quicker({Collective::bcast, 1023}));
    CHECK_FALSE(trials.is_host_quicker({Collective::allreduce, 1024}));
    CHECK_FALSE(trials.is_host_quicker({Collective::bcast, 0}));
}

TEST_CASE("trials leave the host no more operations than it has communicators for") {
    HostTrials trials;
    for (int i = 0; i < 64; ++i) {
        CHECK(trials.may_delegate());
        trials.count_delegated();
    }
    CHECK_FALSE(trials.may_delegate());
}
