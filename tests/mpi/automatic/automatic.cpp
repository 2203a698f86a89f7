// SPDX-License-Identifier: BSD-3-Clause
// Plain collectives on plans against the host's on a communicator without plans: byte for byte,
// margins and gaps too, with other buffers in every round.
#include "automatic/planned.hpp"
#include "automatic/variants.hpp"

using namespace mpitest;

namespace {

bool is_planned(const Collective& row) {
    for (const char* left_out : {"gatherv", "scatterv", "alltoallv", "alltoallw"})
        if (std::string(row.name) == left_out) return false;
    return size_of() > 1;
}

void compare_plain(const Collective& row, const Variant& variant, MPI_Comm planned) {
    INFO(describe(row, variant));
    for (int round = 0; round < variant.rounds; round++) {
        Bound bound = bind(row, variant);
        compare_round(row, variant, bound, round, [&] {
            bound.call.comm = planned;
            CHECK_MPI(row.blocking(bound.call));
        });
    }
}

} // namespace

TEST_CASE("a plain collective on a plan agrees with the host's") {
    for (const Collective& row : collectives)
        for (const int count : {0, 1, 17, 1000, 50'000}) {
            const Planned planned;
            for (const int root : roots(row))
                compare_plain(row, {.count = count, .root = root, .rounds = 4}, planned.comm);
            const bool has_data = count > 0 || std::string(row.name) == "barrier";
            CHECK((planned.plans() > 0) == (is_planned(row) && has_data));
        }
}

TEST_CASE("a plain collective in place agrees with the host's") {
    for (const Collective& row : collectives) {
        if (row.in_place == InPlace::nowhere) continue;
        for (const int count : {1, 17, 5000}) {
            // The first call is the host's. As in compare.hpp: MPICH 4.0.2 crashes in it.
            if (row.reduces && count > 17) continue;
            const Planned planned;
            each_in_place(row, count, [&](const Variant& variant) {
                compare_plain(row, variant, planned.comm);
            });
            CHECK((planned.plans() > 0) == is_planned(row));
        }
    }
}

// The first call of such a sum is on a plan.
TEST_CASE("a long sum in place agrees with arithmetic") {
    const int ranks = size_of(), me = rank_of(), count = 20'000;
    for (int root = -1; root < ranks; root++) {
        const Planned planned;
        for (int round = 0; round < 3; round++) {
            std::vector<double> data(static_cast<std::size_t>(count));
            for (std::size_t i = 0; i < data.size(); i++) data[i] = value_at(me, round, i);
            const bool is_root = me == root;
            if (root < 0)
                CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, data.data(), count, MPI_DOUBLE, MPI_SUM,
                                        planned.comm));
            else
                CHECK_MPI(MPI_Reduce(is_root ? MPI_IN_PLACE : data.data(),
                                     is_root ? data.data() : nullptr, count, MPI_DOUBLE, MPI_SUM,
                                     root, planned.comm));
            CHECK(planned.plans() == (ranks > 1));
            if (root >= 0 && !is_root) continue;
            std::vector<double> expected(data.size(), 0);
            for (int rank = 0; rank < ranks; rank++)
                for (std::size_t i = 0; i < data.size(); i++)
                    expected[i] += value_at(rank, round, i);
            CHECK(difference(expected, data) == "");
        }
    }
}

TEST_CASE("a plan moves whatever datatypes a rank has") {
    for (const Collective& row : collectives) {
        if (row.reduces || row.recv == Layout::none) continue;
        const Planned planned;
        each_typed(row, [&](const Variant& variant) { compare_plain(row, variant, planned.comm); });
        CHECK((planned.plans() > 0) == is_planned(row));
    }
}

TEST_CASE("answers are right through a race with another plan and the host, and after it") {
    for (const Collective& row : collectives)
        for (const int count : {17, 20'000}) {
            if (row.reduces && count > 17) continue;
            const Planned planned;
            // Twice 17 that settle, 48 of a race of three ways, and some more.
            compare_plain(row, {.count = count, .rounds = 92}, planned.comm);
        }
}
