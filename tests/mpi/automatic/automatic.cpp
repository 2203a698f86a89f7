// SPDX-License-Identifier: BSD-3-Clause
// Plain collectives on plans against the host's on a communicator without plans: byte for byte,
// margins and gaps too, with other buffers in every round.
#include "automatic/planned.hpp"
#include "collectives/compare.hpp"

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
            for (const int root : roots(row)) {
                Variant variant{.count = count, .root = root, .rounds = 3};
                for (const bool in_place : {true, false, true}) {
                    variant.in_place = in_place;
                    compare_plain(row, variant, planned.comm);
                }
            }
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

// Types with gaps and in another order, that differ from rank to rank and from round to round.
TEST_CASE("a plan moves whatever datatypes a rank has") {
    const Type gaps = vector_of(2, 1, 3);
    const Type wide = resized(vector_of(1, 2, 2), -8, 32);
    const Type dense = vector_of(2, 1, 1), turned = indexed({1, 1}, {1, 0});
    const Side sides[] = {{MPI_INT, 2}, {gaps, 1}, {dense, 1}, {wide, 1}, {turned, 1}};
    for (const Collective& row : collectives) {
        if (row.reduces || row.recv == Layout::none) continue;
        const Planned planned;
        // The ranks of Open MPI's own choose different ways by that (hostbugs/allgatherv_types.c).
        const bool may_differ = std::string(row.name) != "allgatherv";
        const auto me = static_cast<std::size_t>(may_differ ? rank_of() : 0);
        for (std::size_t round = 0; round < 10; round++)
            for (const int count : {1, 40, 3000})
                compare_plain(row,
                              {.count = count,
                               .root = size_of() - 1,
                               .send = sides[(me + round) % 5],
                               .recv = sides[(2 * me + round / 2) % 5],
                               .rounds = 1},
                              planned.comm);
        CHECK((planned.plans() > 0) == is_planned(row));
    }
}

TEST_CASE("answers are right through a race with the host, and after it") {
    for (const Collective& row : collectives)
        for (const int count : {17, 20'000}) {
            if (row.reduces && count > 17) continue;
            const Planned planned;
            compare_plain(row, {.count = count, .rounds = 45}, planned.comm);
        }
}
