// SPDX-License-Identifier: BSD-3-Clause
// Persistent reductions between two groups: the result over one group arrives in the other, in the
// order of ranks where the operation does not commute.
#include "collectives/intercommunicators.hpp"

using namespace mpitest;

namespace {

// The affine map x -> a x + b; to combine two is to apply the first, then the second.
struct Map {
    int a = 1, b = 0;
};

Map then(Map first, Map second) { return {first.a * second.a, second.a * first.b + second.b}; }

void combine(void* in, void* inout, int* length, MPI_Datatype* type) {
    MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    MPI_Type_get_extent(*type, &lower, &extent);
    MPI_Type_get_true_extent(*type, &true_lower, &true_extent);
    const std::size_t step = static_cast<std::size_t>(extent) / sizeof(int);
    const std::size_t second = static_cast<std::size_t>(true_extent) / sizeof(int) - 1;
    auto *left = static_cast<int*>(in), *right = static_cast<int*>(inout);
    for (int i = 0; i < *length; i++, left += step, right += step) {
        const Map both = then({left[0], left[second]}, {right[0], right[second]});
        right[0] = both.a;
        right[second] = both.b;
    }
}

class Composition {
  public:
    Composition() { MPI_Op_create(combine, 0, &op_); }
    Composition(const Composition&) = delete;
    Composition& operator=(const Composition&) = delete;
    ~Composition() { MPI_Op_free(&op_); }
    operator MPI_Op() const { return op_; }

  private:
    MPI_Op op_ = MPI_OP_NULL;
};

Map map_of(int round, int group, int rank, int index) {
    return {(rank + index) % 3 == 2 ? -1 : 1 + (rank + round) % 2, 7 * group + rank + 10 * index};
}

// All maps of a group, in the order of its ranks.
Map composed(const Groups& groups, int group, int round, int index) {
    const int ranks = group == groups.number() ? groups.here : groups.remote;
    Map all;
    for (int r = 0; r < ranks; r++) all = then(all, map_of(round, group, r, index));
    return all;
}

void put_own(const Groups& groups, Cells& in, int cells, int round) {
    for (int i = 0; i < cells; i++) {
        const Map own = map_of(round, groups.number(), groups.me, i);
        in.put(i, own.a, own.b);
    }
}

// `first` is the first element of the other group's result that is expected here.
void expect_composed(const Groups& groups, Cells& expected, int first, int cells, int round) {
    for (int i = 0; i < cells; i++) {
        const Map all = composed(groups, groups.other(), round, first + i);
        expected.put(i, all.a, all.b);
    }
}

void reduce(const Groups& groups, const Root& root, Kind kind, int count) {
    const Composition op;
    Cells in(kind, count), out(kind, count);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Reduce_init(in.data(), out.data(), count, kind.type, op, root.argument,
                              groups.between, MPI_INFO_NULL, &request));
    run_rounds(request, out, [&](int round, Cells& expected) {
        put_own(groups, in, count, round);
        if (root.is_me) expect_composed(groups, expected, 0, count, round);
    });
}

void allreduce(const Groups& groups, Kind kind, int count) {
    const Composition op;
    Cells in(kind, count), out(kind, count);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(in.data(), out.data(), count, kind.type, op, groups.between,
                                 MPI_INFO_NULL, &request));
    run_rounds(request, out, [&](int round, Cells& expected) {
        put_own(groups, in, count, round);
        expect_composed(groups, expected, 0, count, round);
    });
}

// Both groups share out the same number of elements.
void reduce_scatter_block(const Groups& groups, Kind kind, int count) {
    const Composition op;
    const int own = groups.remote * count, all = groups.here * own;
    Cells in(kind, all), out(kind, own);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Reduce_scatter_block_init(in.data(), out.data(), own, kind.type, op,
                                            groups.between, MPI_INFO_NULL, &request));
    run_rounds(request, out, [&](int round, Cells& expected) {
        put_own(groups, in, all, round);
        expect_composed(groups, expected, groups.me * own, own, round);
    });
}

void reduce_scatter(const Groups& groups, Kind kind, int count) {
    const Composition op;
    const int all = groups.here * groups.remote * count;
    // All goes to the last rank but one element to each other one, as long as there are any.
    std::vector<int> counts(static_cast<std::size_t>(groups.here), count == 0 ? 0 : 1);
    counts.back() = count == 0 ? 0 : all - (groups.here - 1);
    const int own = counts[static_cast<std::size_t>(groups.me)];
    Cells in(kind, all), out(kind, own);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Reduce_scatter_init(in.data(), out.data(), counts.data(), kind.type, op,
                                      groups.between, MPI_INFO_NULL, &request));
    run_rounds(request, out, [&](int round, Cells& expected) {
        put_own(groups, in, all, round);
        expect_composed(groups, expected, count == 0 ? 0 : groups.me, own, round);
    });
}

template<class Collective>
void among_all(Collective collective) {
    for_all_groups([&](const Groups& groups) {
        for_all_data(groups, [&](Kind kind, int count) { collective(groups, kind, count); });
    });
}

} // namespace

TEST_CASE("one rank gets what an ordered operation makes of the other group") {
    for_all_groups([](const Groups& groups) {
        for_all_roots(groups, [&](const Root& root) {
            for_all_data(groups, [&](Kind kind, int count) { reduce(groups, root, kind, count); });
        });
    });
}
TEST_CASE("each group gets what an ordered operation makes of the other") { among_all(allreduce); }
TEST_CASE("each group shares out equal blocks of the other's result") {
    among_all(reduce_scatter_block);
}
TEST_CASE("each group shares out the other's result by counts") { among_all(reduce_scatter); }

TEST_CASE("predefined operations reduce each group into the other") {
    for_all_groups([](const Groups& groups) {
        double in = 0, greatest = 0;
        long part[2] = {}, sum[2] = {};
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        CHECK_MPI(MPI_Allreduce_init(&in, &greatest, 1, MPI_DOUBLE, MPI_MAX, groups.between,
                                     MPI_INFO_NULL, &requests[0]));
        CHECK_MPI(MPI_Allreduce_init(part, sum, 2, MPI_LONG, MPI_SUM, groups.between, MPI_INFO_NULL,
                                     &requests[1]));
        for (int round = 0; round < 3; round++) {
            in = round + groups.me + 0.5 + groups.number();
            part[0] = groups.me;
            part[1] = round;
            CHECK_MPI(MPI_Startall(2, requests));
            CHECK_MPI(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
            CHECK(greatest == round + groups.remote - 1 + 0.5 + groups.other());
            CHECK(sum[0] == groups.remote * (groups.remote - 1) / 2);
            CHECK(sum[1] == groups.remote * round);
        }
        for (MPI_Request& request : requests) free_request(request);
    });
}
