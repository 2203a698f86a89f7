// SPDX-License-Identifier: BSD-3-Clause
// One persistent operation over several rounds against the host's blocking call, byte for byte,
// margins and gaps too. The data of a round is written after the initialisation: it must be read at
// Start.
#pragma once

#include "collectives/collectives.hpp"

namespace mpitest {

struct Variant {
    int count = 1;
    int root = 0;
    bool in_place = false;
    bool large_counts = false; // the _c form
    Side send{}, recv{};
    MPI_Op op = MPI_SUM;
    MPI_Comm comm = MPI_COMM_WORLD;
    int rounds = 3;
};

// A call of `row`, with the buffers it needs.
struct Bound {
    Call call;
    Buffer send, recv, expected;
    std::size_t compared; // bytes of the receive buffer that MPI defines

    void point_at(Buffer& target, const Collective& row, const Variant& variant) {
        call.send = send.data();
        call.recv = target.data();
        if (!variant.in_place) return;
        const bool at_root = call.rank == call.root;
        if (row.in_place == InPlace::everywhere ||
            (row.in_place == InPlace::send_at_root && at_root))
            call.send = MPI_IN_PLACE;
        if (row.in_place == InPlace::recv_at_root && at_root) call.recv = MPI_IN_PLACE;
    }
};

inline std::size_t compared_bytes(const Collective& row, const Variant& variant, const Call& call) {
    const std::string name = row.name;
    if (name == "exscan" && call.rank == 0) return 0;
    const bool shrinks = name == "reduce_scatter" || name == "reduce_scatter_block";
    if (!shrinks || !variant.in_place) return SIZE_MAX;
    return Buffer::margin +
           static_cast<std::size_t>(call.recv_count) * extent_of(call.recv_type).step;
}

inline Bound bind(const Collective& row, const Variant& variant) {
    Call call;
    call.comm = variant.comm;
    call.rank = rank_of(variant.comm);
    call.root = variant.root;
    call.op = variant.op;
    const bool symmetric = variant.in_place;
    const auto send = prepare_side(call, row.send, variant.count, variant.send, true, symmetric);
    const auto recv = prepare_side(call, row.recv, variant.count, variant.recv, false, symmetric);
    const std::size_t bytes = std::max(send, recv);
    const std::size_t compared = compared_bytes(row, variant, call);
    return {std::move(call), Buffer(send), Buffer(bytes), Buffer(bytes), compared};
}

inline std::string describe(const Collective& row, const Variant& variant) {
    return std::string(row.name) + (variant.large_counts ? "_c" : "") + ", count " +
           std::to_string(variant.count) + ", root " + std::to_string(variant.root) +
           (variant.in_place ? ", in place" : "");
}

// `run` does the operation with the buffers that `bound` points at.
template<class Run>
void compare_round(const Collective& row, const Variant& variant, Bound& bound, int round,
                   Run run) {
    INFO("round " << round);
    const int me = bound.call.rank;
    bound.send.fill_ints(me, 2 * round);
    bound.recv.fill_ints(me, 2 * round + 1);
    bound.expected.fill_ints(me, 2 * round + 1);
    bound.point_at(bound.expected, row, variant);
    // MPICH 4.0.2 crashes in a large blocking reduce in place: the oracle of a reduction has two
    // buffers.
    if (row.reduces && bound.call.send == MPI_IN_PLACE) bound.call.send = bound.recv.data();
    CHECK_MPI(row.blocking(bound.call));
    const Buffer sent = bound.send;
    bound.point_at(bound.recv, row, variant);
    run();
    CHECK(difference(bound.expected, bound.recv, bound.compared) == "");
    CHECK(difference(sent, bound.send) == "");
}

inline void compare_with_blocking(const Collective& row, const Variant& variant) {
    INFO(describe(row, variant));
    Bound bound = bind(row, variant);
    bound.send.fill_ints(bound.call.rank, -1);
    bound.recv.fill_ints(bound.call.rank, -2);
    MPI_Request request = MPI_REQUEST_NULL;
    bound.point_at(bound.recv, row, variant);
    CHECK_MPI((variant.large_counts ? row.persistent_c : row.persistent)(bound.call, &request));
    for (int round = 0; round < variant.rounds; round++)
        compare_round(row, variant, bound, round, [&] { start_and_wait(request); });
    free_request(request);
}

// Every root of a small communicator, the ends and the middle of a larger one; one root where there
// is no root.
inline std::vector<int> roots(const Collective& row, MPI_Comm comm = MPI_COMM_WORLD) {
    const int ranks = size_of(comm);
    if (!row.rooted || ranks == 1) return {0};
    if (ranks == 2) return {0, 1};
    if (ranks <= 3) return {0, 1, 2};
    return {0, ranks / 2, ranks - 1};
}

} // namespace mpitest
