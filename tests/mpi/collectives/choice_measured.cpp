// SPDX-License-Identifier: BSD-3-Clause
// What was measured decides where the order of a reduction does not show in its bits, and nowhere
// else.
#include "comm/selection.hpp"

#include "common/check.hpp"

#include <set>

using mpix::comm::Selection;
using mpix::plan::Collective;
using mpix::plan::Shape;
using mpix::shmem::Costs;

namespace {

Selection choice_with(const Costs& costs) {
    const auto own = mpix::comm::Fingerprints::own();
    Selection choice;
    choice.settle({own, own}, costs, {}, {}, false);
    return choice;
}

// All that a node may be found to be, and nothing measured.
std::vector<Selection> choices() {
    std::vector<Selection> all{choice_with({})};
    for (const double latency : {0.02, 0.3, 5.0})
        for (const double byte_us : {1e-6, 1e-4, 1e-2})
            for (const double reduce_us : {1e-6, 1e-2}) {
                Costs costs;
                costs.is_measured = true;
                costs.latency = latency;
                costs.cached.per_byte = costs.streamed.per_byte = byte_us;
                costs.reduce = reduce_us;
                all.push_back(choice_with(costs));
            }
    return all;
}

// The most solvers that any shape is given.
std::size_t most_solvers(bool order_shows) {
    std::size_t most = 0;
    const auto all = choices();
    for (const Collective of : {Collective::reduce, Collective::allreduce,
                                Collective::reduce_scatter, Collective::scan, Collective::exscan})
        for (const int ranks : {2, 3, 4, 5, 8, 13, 64})
            for (mpix::plan::Bytes bytes = 8; bytes <= 1 << 22; bytes *= 8)
                for (const bool one_node : {true, false}) {
                    std::set<const mpix::plan::Solver*> found;
                    for (const Selection& choice : all) {
                        Shape shape{.kind = mpix::plan::kind(of),
                                    .ranks = ranks,
                                    .one_node = one_node,
                                    .grain = 8,
                                    .total = bytes,
                                    .largest = bytes};
                        choice.limit_order(shape, order_shows);
                        found.insert(
                            choice.choose(of, shape, mpix::comm::no_requested_solver).solver);
                    }
                    most = std::max(most, found.size());
                }
    return most;
}

} // namespace

TEST_CASE("reductions of integers are planned by what was measured") {
    CHECK(most_solvers(false) > 1);
}

TEST_CASE("where the order shows in the bits nothing measured decides") {
    CHECK(most_solvers(true) == 1);
}
