// SPDX-License-Identifier: BSD-3-Clause
// Partitioned inits that cannot be: arguments that are wrong on every rank, and ranks that disagree
// about bytes or partitions, also where they assert that they do not. Every rank gets the same
// error, which names two ranks and both values.
#include <numeric>

#include "common/disagreement.hpp"
#include "common/graphs.hpp"
#include "common/topology.hpp"
#include "partitioned/partitioned_calls.hpp"

using namespace mpitest;

namespace {

// The arguments of any operation: two partitions of three ints for each rank, everywhere. The odd
// rank, which is the last, changes what it wants to.
struct Arguments {
    PartedCall call{.op = MPI_SUM, .comm = MPI_COMM_WORLD};
    std::vector<int> memory[2];

    Arguments() {
        const auto ranks = static_cast<std::size_t>(size_of());
        for (PartedSide* side : {&call.send, &call.recv}) {
            auto& data = memory[side == &call.recv];
            data.resize(64 * ranks);
            side->buffer = data.data();
            side->has_arrays = true;
            side->parts.assign(ranks, 2);
            side->counts.assign(ranks, 3);
            side->types.assign(ranks, MPI_INT);
            for (std::size_t r = 0; r < ranks; r++) {
                side->displs.push_back(static_cast<MPI_Aint>(6 * r));
                side->offsets.push_back(static_cast<MPI_Aint>(24 * r));
            }
            side->part = 2;
            side->count = 3;
            side->type = MPI_INT;
        }
        call.at_root = rank_of() == 0;
    }
    // Other partitions on one side, of as many bytes in all.
    static void divide(PartedSide& side, std::size_t segment, int parts) {
        side.part = side.parts[segment] = parts;
        side.count = side.counts[segment] = 6 / parts;
    }
};

const Partitioned& row_of(const std::string& name) {
    for (const Partitioned& row : partitioned_calls)
        if (name == row.name) return row;
    throw std::logic_error(name);
}

std::string init_of(const std::string& name) { return "MPIX_" + name + "_init"; }

// The odd rank has other arguments, after `change`.
template<class Change>
void check_odd(const std::string& name, const std::string& text, Change change,
               int error_class = MPI_ERR_COUNT) {
    if (size_of() == 1) return;
    const ErrorsReturn guard;
    INFO(name);
    Arguments arguments;
    if (am_odd_one()) change(arguments.call);
    check_disagreement(
        [&](MPI_Request* request) { return row_of(name).init(arguments.call, request); },
        error_class, init_of(name) + ": " + text);
}

// The same with an assertion, on all ranks.
template<class Change>
void check_asserted(const std::string& name, const char* key, const std::string& text,
                    Change change) {
    const ErrorsReturn guard;
    INFO(name << " with " << key);
    const Info info(key, "true");
    Arguments arguments;
    arguments.call.info = info;
    change(arguments.call);
    check_disagreement(
        [&](MPI_Request* request) { return row_of(name).init(arguments.call, request); },
        MPI_ERR_COUNT, init_of(name) + ": " + text);
}

const std::string parts_differ = "number of partitions differs: rank 0 has 2, ";

} // namespace

TEST_CASE("partitions are one at least") {
    const ErrorsReturn guard;
    const Topology ring = grid({size_of()}, {1});
    MPI_Comm_set_errhandler(ring.comm, MPI_ERRORS_RETURN);
    for (const Partitioned& row : partitioned_calls)
        for (const int parts : {0, -1}) {
            INFO(row.name);
            Arguments arguments;
            PartedCall& call = arguments.call;
            if (row.is_neighbor()) call.comm = ring.comm;
            for (PartedSide* side : {&call.send, &call.recv}) {
                side->part = side->parts[0] = parts;
                side->parts.resize(2, 1), side->counts.resize(2, 0), side->displs.resize(2, 0);
                side->offsets.resize(2, 0), side->types.resize(2, MPI_INT);
            }
            const bool is_far = row.has_root() && size_of() > 1; // from what is not significant
            MPI_Request request = MPI_REQUEST_NULL;
            if (is_far && (row.flow == Flow::gather || row.flow == Flow::scatter)) continue;
            check_error(row.init(call, &request), {MPI_ERR_ARG},
                        {init_of(row.name).c_str(), "partitions", std::to_string(parts).c_str()});
            CHECK(request == MPI_REQUEST_NULL);
        }
}

TEST_CASE("arguments that are wrong whatever the partitions are") {
    const ErrorsReturn guard;
    for (const Partitioned& row : partitioned_calls) {
        INFO(row.name);
        Arguments arguments;
        MPI_Request request = MPI_REQUEST_NULL;
        PartedCall call = arguments.call;
        check_error(row.init(call, nullptr), {MPI_ERR_ARG}, {"request is null"});
        call.comm = MPI_COMM_NULL;
        CHECK(class_of(row.init(call, &request)) == MPI_ERR_COMM);
        if (row.is_neighbor()) {
            call.comm = MPI_COMM_WORLD;
            CHECK(class_of(row.init(call, &request)) == MPI_ERR_TOPOLOGY);
            continue;
        }
        call = arguments.call;
        call.root = size_of();
        if (row.has_root()) CHECK(class_of(row.init(call, &request)) == MPI_ERR_ROOT);
        call = arguments.call;
        call.op = MPI_OP_NULL;
        if (row.reduces()) CHECK(class_of(row.init(call, &request)) == MPI_ERR_OP);
        CHECK(request == MPI_REQUEST_NULL);
    }
}

TEST_CASE("collectives between two groups are refused") {
    if (size_of() == 1) return;
    const ErrorsReturn guard;
    MPI_Comm half = MPI_COMM_NULL, both = MPI_COMM_NULL;
    const bool am_first = rank_of() == 0;
    MPI_Comm_split(MPI_COMM_WORLD, am_first, rank_of(), &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, am_first ? 1 : 0, 3, &both);
    MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
    for (const Partitioned& row : partitioned_calls) {
        Arguments arguments;
        arguments.call.comm = both;
        MPI_Request request = MPI_REQUEST_NULL;
        const int expected = row.is_neighbor() ? MPI_ERR_TOPOLOGY : MPI_ERR_COMM;
        CHECK(class_of(row.init(arguments.call, &request)) == expected);
        CHECK(request == MPI_REQUEST_NULL);
    }
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

TEST_CASE("bytes that are sent and not expected") {
    const std::string me = last(), ranks = std::to_string(size_of());
    const auto more = [](PartedCall& call) { call.recv.count = call.recv.counts[0] = 4; };
    const auto sends_more = [](PartedCall& call) { call.send.count = call.send.counts[0] = 4; };
    const std::string from_root = "rank 0 sends 24 bytes to " + me + ", which expects 32";
    const std::string to_root = me + " sends 32 bytes to rank 0, which expects 24";
    check_odd("Pbcast", from_root, more);
    for (const char* name : {"Pscatter", "Pscatterv", "Pscatterw"})
        check_odd(name, from_root, more);
    for (const char* name : {"Pgather", "Pgatherv", "Palltoallv", "Palltoallw"})
        check_odd(name, to_root, sends_more);
    for (const char* name : {"Palltoallv", "Palltoallw", "Pallgatherv"})
        check_odd(name, from_root, more);
    // These differ at several places, of which one is named.
    if (size_of() > 1) check_odd("Pallgather", from_root, more);
    if (size_of() > 1) check_odd("Palltoall", from_root, more);
}

TEST_CASE("vectors of reductions with different bytes, types, operations or roots") {
    for (const char* name : {"Preduce", "Pallreduce", "Pscan", "Pexscan"}) {
        check_odd(name, "total size in bytes differs: rank 0 has 24, " + last() + " has 32",
                  [](PartedCall& call) { call.recv.count = 4; });
        check_odd(
            name, "op differs: rank 0 has MPI_SUM, " + last() + " has MPI_MAX",
            [](PartedCall& call) { call.op = MPI_MAX; }, MPI_ERR_OP);
    }
    check_odd("Preduce_scatter_block",
              "total size in bytes differs: rank 0 has " + std::to_string(24 * size_of()) + ", " +
                  last() + " has " + std::to_string(32 * size_of()),
              [](PartedCall& call) { call.recv.count = 4; });
    check_odd(
        "Preduce", "root differs: rank 0 has 0, " + last() + " has 1",
        [](PartedCall& call) { call.root = 1; }, MPI_ERR_ROOT);
}

TEST_CASE("a reduction of the same bytes in different partitions") {
    const auto divide = [](PartedCall& call) { Arguments::divide(call.recv, 0, 3); };
    for (const char* name : {"Pallreduce", "Pscan", "Pexscan"})
        check_odd(name, parts_differ + last() + " has 3", divide);
    // The root may have another number than the others.
    if (size_of() > 2)
        check_odd("Preduce", "number of partitions differs: rank 1 has 2, " + last() + " has 3",
                  divide);
    check_odd("Preduce_scatter_block",
              "rank 0 sends 2 partitions to " + last() + ", which expects 3", divide);
}

TEST_CASE("arrays of a Preduce_scatter that differ in one place") {
    const auto in_send = [](auto change) {
        return [change](PartedCall& call) { change(call.send); };
    };
    check_odd("Preduce_scatter", last() + " sends 3 partitions to rank 0, which expects 2",
              in_send([](PartedSide& side) { Arguments::divide(side, 0, 3); }));
    check_odd("Preduce_scatter", "rank 0 sends 2 partitions to " + last() + ", which expects 6",
              in_send([](PartedSide& side) { Arguments::divide(side, side.parts.size() - 1, 6); }));
    // As many bytes in all, but not in each segment.
    check_odd("Preduce_scatter", "rank 0 sends 24 bytes to " + last() + ", which expects 32",
              in_send([](PartedSide& side) { side.counts.front() = 2, side.counts.back() = 4; }));
}

TEST_CASE("different operations, one of them not partitioned") {
    if (size_of() == 1) return;
    const ErrorsReturn guard;
    std::vector<int> data(6);
    const auto init = [&](MPI_Request* request) {
        if (am_odd_one())
            return MPI_Bcast_init(data.data(), 6, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                                  request);
        return MPIX_Pbcast_init(data.data(), 2, 3, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                                request);
    };
    const std::string mine = am_odd_one() ? "MPI_Bcast_init" : "MPIX_Pbcast_init";
    check_disagreement(init, MPI_ERR_OTHER,
                       mine + ": operation differs: rank 0 has MPIX_Pbcast_init, " + last() +
                           " has MPI_Bcast_init");
}
