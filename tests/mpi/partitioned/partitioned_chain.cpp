// SPDX-License-Identifier: BSD-3-Clause
// Partitions marked one after the other, the next only when all has arrived that the last lets
// arrive: also those that would travel together wait for none that is not marked. Every rank calls
// nothing but MPI_Parrived, and MPI_Test once it has all that it can have.
#include "common/board.hpp"
#include "common/graphs.hpp"
#include "partitioned/pairs.hpp"
#include "partitioned/partitioned_marks.hpp"

using namespace mpitest;

namespace {

int most_parts(const Shapes& shapes) {
    int most = 0;
    for (int rank = 0; rank < shapes.ranks(); rank++)
        for (int s = 0; s < shapes.segments_sent_by(rank); s++)
            most = std::max(most, shapes.sent(rank, s).parts);
    return most;
}

// The last of the sender's partitions, by its index, that a partition waits for, or -1.
int last_awaited(const Shapes& shapes, bool in_place, const Part& part) {
    int last = -1;
    const double end = (part.index + 1.0) / shapes.received(part.segment).parts;
    const std::vector<Sent> sources = shapes.sources(part.segment);
    for (int rank = 0; rank < shapes.ranks(); rank++)
        for (int s = 0; s < shapes.segments_sent_by(rank); s++) {
            if (!in_place && std::ranges::find(sources, Sent{rank, s}) == sources.end()) continue;
            const Shape there = shapes.sent(rank, s);
            // Where nothing is in place it is there that the last one is.
            const int first = in_place || there.units == 0
                                  ? there.parts - 1
                                  : std::min(there.parts - 1, static_cast<int>(end * there.parts));
            for (int k = first; k > last; k--)
                if (shapes.depends(part.segment, part.index, {rank, s}, k) ||
                    shapes.may_wait(part.segment, part.index, {rank, s}, k))
                    last = k;
        }
    return last;
}

std::vector<std::vector<Part>> by_awaited(const PartedOperation& operation, int most) {
    std::vector<std::vector<Part>> parts(static_cast<std::size_t>(most));
    for (const Part& part : operation.receives())
        if (const int last = last_awaited(operation.shapes(), operation.about().in_place, part);
            last >= 0)
            parts[static_cast<std::size_t>(last)].push_back(part);
    return parts;
}

bool has(PartedOperation& operation, const Part& part) {
    int flag = 0;
    CHECK_MPI(MPI_Parrived(operation.request, part.linear, &flag));
    return flag != 0;
}

void run_chain(const PartedCase& of, int rounds) {
    Board board;
    int target = 0;
    PartedOperation operation(of);
    INFO(operation.text());
    const int most = most_parts(operation.shapes());
    const auto awaited = by_awaited(operation, most);
    for (int round = 0; round < rounds; round++) {
        operation.start(round);
        for (int k = 0; k < most; k++) {
            for (const Part& part : operation.sends()) {
                if (part.index != k) continue;
                operation.write(part);
                CHECK_MPI(MPI_Pready(part.linear, operation.request));
            }
            for (const Part& part : awaited[static_cast<std::size_t>(k)]) {
                while (!has(operation, part)) std::this_thread::yield();
                CHECK(operation.arrival_error(part) == "");
            }
            board.raise();
            target += operation.shapes().ranks();
            while (board.number() < target) {
                int flag = 0; // whoever only sends asks for nothing else
                CHECK_MPI(MPI_Test(&operation.request, &flag, MPI_STATUS_IGNORE));
                std::this_thread::yield();
            }
        }
        CHECK_MPI(MPI_Wait(&operation.request, MPI_STATUS_IGNORE));
        operation.check();
    }
}

constexpr int many = 250; // times twelve units: what a thousand partitions want

void run_all(const std::vector<int>& choices, int granules, int rounds = 2) {
    const Topology ring = grid({size_of()}, {1}), multiple = dist_graph(repeated);
    for (const Partitioned& row : partitioned_calls) {
        PartedCase of{.row = &row,
                      .granules = granules,
                      .root = size_of() - 1,
                      .seed = 5,
                      .choices = choices};
        if (row.is_neighbor()) {
            for (const Topology* topology : {&ring, &multiple}) {
                of.comm = topology->comm;
                of.topology = topology;
                run_chain(of, rounds);
            }
            continue;
        }
        run_chain(of, rounds);
        of.in_place = true;
        if (row.may_be_in_place() && granules != many) run_chain(of, rounds);
    }
}

// A mark of rank 0 goes round before the next is made.
void go_round(int parts, int bytes) {
    INFO(parts << " partitions of " << bytes << " bytes");
    const int me = rank_of(), ranks = size_of();
    const auto all = static_cast<std::size_t>(parts) * static_cast<std::size_t>(bytes);
    std::vector<char> out(all), in(all);
    MPI_Request send = MPI_REQUEST_NULL, recv = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Psend_init(out.data(), parts, bytes, MPI_CHAR, (me + 1) % ranks, 3,
                             MPI_COMM_WORLD, MPI_INFO_NULL, &send));
    CHECK_MPI(MPI_Precv_init(in.data(), parts, bytes, MPI_CHAR, (me + ranks - 1) % ranks, 3,
                             MPI_COMM_WORLD, MPI_INFO_NULL, &recv));
    for (int round = 0; round < 3; round++) {
        std::ranges::fill(in, '\xff');
        CHECK_MPI(MPI_Start(&send));
        CHECK_MPI(MPI_Start(&recv));
        for (int k = 0; k < parts; k++) {
            // Two starting points: from the front and, round after round, from the back.
            const int part = round % 2 == 0 ? k : parts - 1 - k;
            const auto at = static_cast<std::ptrdiff_t>(part) * bytes;
            const auto await = [&] {
                for (int flag = 0; !flag; std::this_thread::yield())
                    CHECK_MPI(MPI_Parrived(recv, part, &flag));
            };
            if (me > 0) await();
            const char value = static_cast<char>(part + round);
            if (me == 0)
                std::fill_n(out.begin() + at, bytes, value);
            else
                std::copy_n(in.begin() + at, bytes, out.begin() + at);
            CHECK_MPI(MPI_Pready(part, send));
            if (me == 0) await();
            const auto right = std::count(in.begin() + at, in.begin() + at + bytes, value);
            CHECK(right == bytes);
        }
        CHECK_MPI(MPI_Wait(&send, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Wait(&recv, MPI_STATUS_IGNORE));
    }
    CHECK_MPI(MPI_Request_free(&send));
    CHECK_MPI(MPI_Request_free(&recv));
}

} // namespace

TEST_CASE("a partition goes round a ring before the next is marked") {
    for (const int parts : {1, 2, 3, 7, 100, 1000})
        for (const int bytes : {1, 24, 600, 5'000, 65'536})
            if (parts * bytes <= 10'000'000) go_round(parts, bytes);
}

TEST_CASE("few partitions arrive one by one in every operation") {
    run_all({}, 1);
    run_all({2, 3, 12}, 300);
}

TEST_CASE("large partitions arrive one by one in every operation") { run_all({4, 6}, 8'000, 1); }

TEST_CASE("many partitions arrive one by one in every operation") {
    run_all({size_of() <= 2 ? 1000 : 300}, many, 1);
}
