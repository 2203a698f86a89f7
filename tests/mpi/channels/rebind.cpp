// SPDX-License-Identifier: BSD-3-Clause
// Persistent collectives that get other buffers between rounds, each rank when it likes, against
// the host's blocking call; what they had before stays as it was.
#include "channels/rebinding.hpp"
#include "collectives/compare.hpp"
#include "library/shared_memory.hpp"

using namespace mpitest;

namespace {

void rebind(Bound& bound, const Collective& row, const Variant& variant, MPI_Request request,
            Left& left) {
    left.add(replace(bound.send));
    left.add(replace(bound.recv));
    bound.point_at(bound.recv, row, variant);
    CHECK_MPI(MPIX_Request_rebind(request, bound.call.send, bound.call.recv));
}

void run(const Collective& row, const Variant& variant) {
    INFO(describe(row, variant));
    Bound bound = bind(row, variant);
    MPI_Request request = MPI_REQUEST_NULL;
    Left left;
    Whim whim(static_cast<std::uint32_t>(variant.count));
    bound.point_at(bound.recv, row, variant);
    CHECK_MPI(row.persistent(bound.call, &request));
    for (int round = 0; round < variant.rounds; round++) {
        compare_round(row, variant, bound, round, [&] { start_and_wait(request); });
        if (whim.rebinds()) rebind(bound, row, variant, request, left);
        if (whim.rebinds()) rebind(bound, row, variant, request, left);
    }
    left.check();
    free_request(request);
}

void run_all(const Variant& variant) {
    for (const Collective& row : collectives) {
        if (variant.in_place && row.in_place == InPlace::nowhere) continue;
        Variant one = variant;
        const bool grows = row.send == Layout::mesh || row.send == Layout::all;
        if (grows && one.count > 100'000) one.count /= size_of();
        run(row, one);
    }
}

} // namespace

TEST_CASE("small collectives") {
    for (const int count : {0, 1, 17})
        for (const int root : {0, size_of() - 1})
            run_all({.count = count, .root = root, .rounds = 5});
}

TEST_CASE("collectives of many bytes") {
    for (const int count : {1000, 20'000})
        run_all({.count = count, .root = size_of() - 1, .rounds = 4});
}

TEST_CASE("collectives of a megabyte") { run_all({.count = 270'000, .rounds = 3}); }

TEST_CASE("collectives in place") {
    for (const int count : {1, 5000})
        run_all({.count = count, .root = size_of() / 2, .in_place = true, .rounds = 4});
}

TEST_CASE("collectives of datatypes with gaps") {
    const Type gaps = vector_of(2, 1, 3), wide = resized(MPI_INT, -8, 32);
    for (const Collective& row : collectives)
        for (const int count : {1, 40, 3000})
            if (!row.reduces)
                run(row, {.count = count, .send = {gaps}, .recv = {wide, 2}, .rounds = 4});
}

TEST_CASE("reductions by an operation of the program on elements with gaps") {
    const Type wide = resized(MPI_INT, 0, 12);
    MPI_Op sum = MPI_OP_NULL;
    CHECK_MPI(MPI_Op_create(
        [](void* in, void* inout, int* count, MPI_Datatype*) {
            for (int i = 0; i < *count; i++)
                static_cast<int*>(inout)[3 * i] += static_cast<int*>(in)[3 * i];
        },
        1, &sum));
    for (const Collective& row : collectives)
        for (const int count : {1, 700})
            if (row.reduces)
                run(row, {.count = count, .send = {wide}, .recv = {wide}, .op = sum, .rounds = 4});
    CHECK_MPI(MPI_Op_free(&sum));
}

TEST_CASE("memory of MPI_Alloc_mem and other memory by turns") {
    const Where wheres[] = {Where::shared, Where::heap, Where::middle};
    for (const int bytes : {8, 5000, 60'000, 1 << 20})
        for (const Kind kind : kinds)
            for (const Where where : {Where::shared, Where::heap}) {
                Use use(kind, bytes, where, MPI_INFO_NULL, size_of() - 1);
                Random random(mix(static_cast<std::uint32_t>(rank_of()), 3));
                for (int round = 0; round < 5; round++) {
                    use.run(round);
                    use.rebind(wheres[draw(random, 0, 2)], wheres[draw(random, 0, 2)]);
                }
            }
}

TEST_CASE("neighbourhood collectives") {
    const int ranks = size_of(), period = 1;
    MPI_Comm ring = MPI_COMM_NULL;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &period, 0, &ring));
    const int me = rank_of(ring), previous = (me + ranks - 1) % ranks, next = (me + 1) % ranks;
    for (const std::size_t count : {std::size_t{1}, std::size_t{50'000}}) {
        Buffer from(2 * count * sizeof(int)), into(2 * count * sizeof(int));
        MPI_Request request = MPI_REQUEST_NULL;
        const int n = static_cast<int>(count);
        CHECK_MPI(MPI_Neighbor_alltoall_init(from.data(), n, MPI_INT, into.data(), n, MPI_INT, ring,
                                             MPI_INFO_NULL, &request));
        Left left;
        Whim whim(5);
        for (int round = 0; round < 4; round++) {
            from.fill_ints(me, round);
            into.fill_ints(-1, round);
            for (std::size_t i = 0; i < 2 * count; i++) from.as<int>()[i] = value_at(me, round, i);
            start_and_wait(request);
            CHECK(into.as<int>()[count - 1] == value_at(previous, round, 2 * count - 1));
            CHECK(into.as<int>()[count] == value_at(next, round, 0));
            if (!whim.rebinds()) continue;
            left.add(replace(from));
            left.add(replace(into));
            CHECK_MPI(MPIX_Request_rebind(request, from.data(), into.data()));
        }
        left.check();
        free_request(request);
    }
    CHECK_MPI(MPI_Comm_free(&ring));
}

TEST_CASE("the one buffer of a broadcast, under either name") {
    int first = -1, second = -1, third = -1, unused = -7;
    MPI_Request request = MPI_REQUEST_NULL;
    const auto run_on = [&](int& buffer, int round) {
        buffer = rank_of() == 0 ? round : -1;
        start_and_wait(request);
        CHECK(buffer == round);
    };
    CHECK_MPI(MPI_Bcast_init(&first, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    run_on(first, 3);
    CHECK_MPI(MPIX_Request_rebind(request, &unused, &second));
    run_on(second, 4);
    CHECK_MPI(MPIX_Request_rebind(request, &third, nullptr));
    run_on(third, 5);
    CHECK((first == 3 && second == 4 && unused == -7));
    free_request(request);
}

TEST_CASE("between two groups") {
    if (size_of() < 2) return;
    const bool is_low = rank_of() < size_of() / 2;
    MPI_Comm half = MPI_COMM_NULL, both = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, is_low, 0, &half));
    CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_low ? size_of() / 2 : 0, 5, &both));
    int low = 0, high = 0;
    for (int r = 0; r < size_of(); r++) (r < size_of() / 2 ? low : high) += r;
    int from[3] = {}, into[3] = {};
    MPI_Request sum = MPI_REQUEST_NULL, bcast = MPI_REQUEST_NULL;
    const int root = is_low ? (rank_of() == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
    CHECK_MPI(
        MPI_Allreduce_init(&from[0], &into[0], 1, MPI_INT, MPI_SUM, both, MPI_INFO_NULL, &sum));
    CHECK_MPI(MPI_Bcast_init(&into[0], 1, MPI_INT, root, both, MPI_INFO_NULL, &bcast));
    for (int i = 0; i < 3; i++) {
        const int before = into[0];
        if (i > 0) CHECK_MPI(MPIX_Request_rebind(sum, &from[i], &into[i]));
        from[i] = rank_of();
        start_and_wait(sum);
        CHECK(into[i] == (is_low ? high : low));
        if (i > 0) CHECK(into[0] == before);
        if (i > 0) CHECK_MPI(MPIX_Request_rebind(bcast, nullptr, &into[i]));
        into[i] = rank_of() == 0 ? 40 + i : into[i];
        start_and_wait(bcast);
        if (!is_low) CHECK(into[i] == 40 + i);
    }
    free_request(sum);
    free_request(bcast);
    CHECK_MPI(MPI_Comm_free(&both));
    CHECK_MPI(MPI_Comm_free(&half));
}
