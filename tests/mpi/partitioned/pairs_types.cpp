// SPDX-License-Identifier: BSD-3-Clause
// Partitioned sends and receives of datatypes with gaps, the same at both ends or not: gaps are
// neither sent nor written. Offsets beyond 2 GiB, of buffers that are mostly holes.
#include "common/plans.hpp"
#include "partitioned/pairs.hpp"

#include <sys/mman.h>

using namespace mpitest;

namespace {

// Elements of one to six ints.
struct Types {
    Type pairs = vector_of(3, 2, 4), holes = vector_of(2, 1, 2), wide = resized(holes, 0, 20),
         members = structure(), overlong = resized(MPI_INT, 0, 36), plain = vector_of(1, 3, 3),
         backwards = indexed({1, 2}, {5, 1});
    std::vector<MPI_Datatype> all{MPI_INT, pairs, holes, wide, members, overlong, plain, backwards};
};

Cut cut_of(MPI_Datatype type, int parts, int ints) {
    Cut cut{parts, 1, type};
    cut.count = ints / parts / cut.ints();
    return cut;
}

void run_ring(const Cut& send, const Cut& recv, MPI_Info info = MPI_INFO_NULL) {
    const Ring ring;
    Sends sends;
    Recvs recvs;
    sends.push_back(
        std::make_unique<SendEnd>(send, Envelope{ring.next, 3, MPI_COMM_WORLD, ring.me, info}));
    recvs.push_back(std::make_unique<RecvEnd>(
        recv, Envelope{ring.previous, 3, MPI_COMM_WORLD, ring.previous, info}));
    run_rounds(sends, recvs);
}

} // namespace

TEST_CASE("every datatype meets every other") {
    const Types types;
    for (const MPI_Datatype send : types.all)
        for (const MPI_Datatype recv : types.all)
            run_ring(cut_of(send, 4, 144), cut_of(recv, 3, 144));
}

TEST_CASE("large partitions with gaps") {
    const Types types;
    for (const std::size_t i : {1u, 4u, 7u}) {
        run_ring(cut_of(types.all[i], 6, 72'000), cut_of(MPI_INT, 4, 72'000));
        run_ring(cut_of(MPI_INT, 4, 72'000), cut_of(types.all[i], 6, 72'000));
        run_ring(cut_of(types.all[i], 12, 72'000), cut_of(types.all[8 - i], 2, 72'000));
    }
}

TEST_CASE("gaps where each partition is a message of its own") {
    const Types types;
    const Info fine("mpix_min_message_bytes", "1");
    for (const std::size_t i : {1u, 3u, 4u, 7u}) {
        run_ring(cut_of(types.all[i], 6, 144), cut_of(MPI_INT, 8, 144), fine);
        run_ring(cut_of(MPI_INT, 9, 144), cut_of(types.all[i], 6, 144), fine);
    }
}

TEST_CASE("nothing, of any datatype") {
    const Types types;
    for (const MPI_Datatype type : types.all) run_ring({3, 0, type}, {2, 0, type});
    const Type empty = vector_of(0, 1, 1);
    run_ring({3, 7, empty}, {2, 5, empty});
    run_ring({3, 7, empty}, {2, 0, MPI_INT});
}

TEST_CASE("datatype, communicator and info go right after the init") {
    const Ring ring;
    const Types types;
    for (int time = 0; time < 3; time++) {
        Sends sends;
        Recvs recvs;
        {
            MPI_Comm comm = duplicate();
            MPI_Datatype copies[2];
            CHECK_MPI(MPI_Type_dup(types.members, &copies[0]));
            CHECK_MPI(MPI_Type_dup(types.pairs, &copies[1]));
            const Type first(copies[0]), second(copies[1]);
            const Info info("mpix_max_messages", "2");
            sends.push_back(std::make_unique<SendEnd>(
                cut_of(types.members, 6, 144), Envelope{ring.next, 1, comm, ring.me, info}, first));
            recvs.push_back(std::make_unique<RecvEnd>(
                cut_of(types.pairs, 4, 144), Envelope{ring.previous, 1, comm, ring.previous, info},
                second));
            if (time == 1) CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
            free_comm(comm);
        }
        run_rounds(sends, recvs);
    }
}

TEST_CASE("elements that follow each other downwards") {
    const Ring ring;
    const Type down = resized(MPI_INT, 0, -4);
    int sent[12], received[14];
    MPI_Request pair[2];
    CHECK_MPI(MPI_Precv_init(&received[12], 3, 4, down, ring.previous, 0, MPI_COMM_WORLD,
                             MPI_INFO_NULL, &pair[0]));
    CHECK_MPI(MPI_Psend_init(&sent[11], 4, 3, down, ring.next, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                             &pair[1]));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 12; i++)
            sent[i] = value_at(ring.me, round, static_cast<std::size_t>(i));
        for (int& value : received) value = -5;
        CHECK_MPI(MPI_Startall(2, pair));
        CHECK_MPI(MPI_Pready_range(0, 3, pair[1]));
        CHECK_MPI(MPI_Waitall(2, pair, MPI_STATUSES_IGNORE));
        CHECK((received[0] == -5 && received[13] == -5));
        for (int i = 0; i < 12; i++)
            CHECK(received[i + 1] == value_at(ring.previous, round, static_cast<std::size_t>(i)));
    }
    for (MPI_Request& request : pair) free_request(request);
}
