// SPDX-License-Identifier: BSD-3-Clause
// Persistent collectives between two groups that move data: what the ranks of one group send
// arrives at those of the other.
#include "collectives/intercommunicators.hpp"

using namespace mpitest;

namespace {

// The first int of an element on its way between the groups.
int element(int round, int from_group, int from, int to, int index) {
    return round * 100'000 + from_group * 10'000 + from * 1'000 + to * 100 + index * 2;
}

// Elements from one rank to another; the groups do not send the same number to each other.
int weight(int count, int from_group, int from, int to) {
    return count == 0 ? 0 : (count + 2 * from + to + from_group) % 5;
}

// Counts of one side of an irregular collective, and places in reverse order with a hole between.
struct Blocks {
    std::vector<int> counts, places;
    int cells = 0;

    explicit Blocks(int blocks)
        : counts(static_cast<std::size_t>(blocks)), places(static_cast<std::size_t>(blocks)) {}
    template<class Count>
    Blocks(int blocks, Count count) : Blocks(blocks) {
        for (int b = blocks - 1; b >= 0; b--) {
            const auto i = static_cast<std::size_t>(b);
            counts[i] = count(b);
            places[i] = cells;
            cells += counts[i] + 1;
        }
    }
    int place(int block) const { return places[static_cast<std::size_t>(block)]; }
    int count(int block) const { return counts[static_cast<std::size_t>(block)]; }
};

void bcast(const Groups& groups, const Root& root, Kind kind, int count) {
    Cells data(kind, count);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Bcast_init(data.data(), count, data.type(), root.argument, groups.between,
                             MPI_INFO_NULL, &request));
    const int group = root.in_my_group ? groups.number() : groups.other();
    run_rounds(request, data, [&](int round, Cells& expected) {
        for (int i = 0; i < count; i++) {
            const int value = element(round, group, root.rank, 0, i);
            if (root.is_me) data.put(i, value);
            if (root.is_me || !root.in_my_group) expected.put(i, value);
        }
    });
}

void gather(const Groups& groups, const Root& root, Kind kind, int count) {
    Cells in(kind, count), out(kind, root.is_me ? groups.remote * count : 0);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Gather_init(in.data(), count, in.type(), out.data(), count, out.type(),
                              root.argument, groups.between, MPI_INFO_NULL, &request));
    run_rounds(request, out, [&](int round, Cells& expected) {
        for (int i = 0; i < count; i++) {
            in.put(i, element(round, groups.number(), groups.me, 0, i));
            for (int r = 0; r < groups.remote && root.is_me; r++)
                expected.put(r * count + i, element(round, groups.other(), r, 0, i));
        }
    });
}

void scatter(const Groups& groups, const Root& root, Kind kind, int count) {
    Cells in(kind, root.is_me ? groups.remote * count : 0), out(kind, count);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Scatter_init(in.data(), count, in.type(), out.data(), count, out.type(),
                               root.argument, groups.between, MPI_INFO_NULL, &request));
    run_rounds(request, out, [&](int round, Cells& expected) {
        for (int i = 0; i < count; i++) {
            for (int r = 0; r < groups.remote && root.is_me; r++)
                in.put(r * count + i, element(round, groups.number(), groups.me, r, i));
            if (!root.in_my_group)
                expected.put(i, element(round, groups.other(), root.rank, groups.me, i));
        }
    });
}

void gatherv(const Groups& groups, const Root& root, Kind kind, int count) {
    const int own = weight(count, groups.number(), groups.me, 0);
    const Blocks blocks(groups.remote, [&](int r) { return weight(count, groups.other(), r, 0); });
    Cells in(kind, own), out(kind, blocks.cells);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Gatherv_init(in.data(), own, in.type(), out.data(), blocks.counts.data(),
                               blocks.places.data(), out.type(), root.argument, groups.between,
                               MPI_INFO_NULL, &request));
    run_rounds(request, out, [&](int round, Cells& expected) {
        for (int i = 0; i < own; i++) in.put(i, element(round, groups.number(), groups.me, 0, i));
        for (int r = 0; r < groups.remote && root.is_me; r++)
            for (int i = 0; i < blocks.count(r); i++)
                expected.put(blocks.place(r) + i, element(round, groups.other(), r, 0, i));
    });
}

void scatterv(const Groups& groups, const Root& root, Kind kind, int count) {
    const int own = weight(count, groups.other(), root.rank, groups.me);
    const Blocks blocks(groups.remote,
                        [&](int r) { return weight(count, groups.number(), groups.me, r); });
    Cells in(kind, blocks.cells), out(kind, own);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Scatterv_init(in.data(), blocks.counts.data(), blocks.places.data(), in.type(),
                                out.data(), own, out.type(), root.argument, groups.between,
                                MPI_INFO_NULL, &request));
    run_rounds(request, out, [&](int round, Cells& expected) {
        for (int r = 0; r < groups.remote; r++)
            for (int i = 0; i < blocks.count(r); i++)
                in.put(blocks.place(r) + i, element(round, groups.number(), groups.me, r, i));
        for (int i = 0; i < own && !root.in_my_group; i++)
            expected.put(i, element(round, groups.other(), root.rank, groups.me, i));
    });
}

void allgather(const Groups& groups, Kind kind, int count) {
    const int sent = groups.is_first ? count : 2 * count, got = 3 * count - sent;
    Cells in(kind, sent), out(kind, groups.remote * got);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allgather_init(in.data(), sent, in.type(), out.data(), got, out.type(),
                                 groups.between, MPI_INFO_NULL, &request));
    run_rounds(request, out, [&](int round, Cells& expected) {
        for (int i = 0; i < sent; i++) in.put(i, element(round, groups.number(), groups.me, 0, i));
        for (int r = 0; r < groups.remote; r++)
            for (int i = 0; i < got; i++)
                expected.put(r * got + i, element(round, groups.other(), r, 0, i));
    });
}

void allgatherv(const Groups& groups, Kind kind, int count) {
    const int own = weight(count, groups.number(), groups.me, 0);
    const Blocks blocks(groups.remote, [&](int r) { return weight(count, groups.other(), r, 0); });
    Cells in(kind, own), out(kind, blocks.cells);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allgatherv_init(in.data(), own, in.type(), out.data(), blocks.counts.data(),
                                  blocks.places.data(), out.type(), groups.between, MPI_INFO_NULL,
                                  &request));
    run_rounds(request, out, [&](int round, Cells& expected) {
        for (int i = 0; i < own; i++) in.put(i, element(round, groups.number(), groups.me, 0, i));
        for (int r = 0; r < groups.remote; r++)
            for (int i = 0; i < blocks.count(r); i++)
                expected.put(blocks.place(r) + i, element(round, groups.other(), r, 0, i));
    });
}

void alltoall(const Groups& groups, Kind kind, int count) {
    const int sent = groups.is_first ? count : 2 * count, got = 3 * count - sent;
    Cells in(kind, groups.remote * sent), out(kind, groups.remote * got);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Alltoall_init(in.data(), sent, in.type(), out.data(), got, out.type(),
                                groups.between, MPI_INFO_NULL, &request));
    run_rounds(request, out, [&](int round, Cells& expected) {
        for (int r = 0; r < groups.remote; r++) {
            for (int i = 0; i < sent; i++)
                in.put(r * sent + i, element(round, groups.number(), groups.me, r, i));
            for (int i = 0; i < got; i++)
                expected.put(r * got + i, element(round, groups.other(), r, groups.me, i));
        }
    });
}

// Both sides of an irregular exchange of everybody with everybody.
struct Mesh {
    Blocks sent, got;
    Cells in, out;

    Mesh(const Groups& groups, Kind kind, int count)
        : sent(groups.remote, [&](int r) { return weight(count, groups.number(), groups.me, r); }),
          got(groups.remote, [&](int r) { return weight(count, groups.other(), r, groups.me); }),
          in(kind, sent.cells), out(kind, got.cells) {}

    void run(const Groups& groups, MPI_Request& request) {
        run_rounds(request, out, [&](int round, Cells& expected) {
            for (int r = 0; r < groups.remote; r++) {
                for (int i = 0; i < sent.count(r); i++)
                    in.put(sent.place(r) + i, element(round, groups.number(), groups.me, r, i));
                for (int i = 0; i < got.count(r); i++)
                    expected.put(got.place(r) + i, element(round, groups.other(), r, groups.me, i));
            }
        });
    }
};

void alltoallv(const Groups& groups, Kind kind, int count) {
    Mesh mesh(groups, kind, count);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Alltoallv_init(mesh.in.data(), mesh.sent.counts.data(), mesh.sent.places.data(),
                                 kind.type, mesh.out.data(), mesh.got.counts.data(),
                                 mesh.got.places.data(), kind.type, groups.between, MPI_INFO_NULL,
                                 &request));
    mesh.run(groups, request);
}

void alltoallw(const Groups& groups, Kind kind, int count) {
    Mesh mesh(groups, kind, count);
    const auto in_bytes = [&](std::vector<int> places) {
        for (int& place : places) place *= static_cast<int>(kind.step * sizeof(int));
        return places;
    };
    const std::vector<int> sent_at = in_bytes(mesh.sent.places), got_at = in_bytes(mesh.got.places);
    const std::vector<MPI_Datatype> types(static_cast<std::size_t>(groups.remote), kind.type);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Alltoallw_init(mesh.in.data(), mesh.sent.counts.data(), sent_at.data(),
                                 types.data(), mesh.out.data(), mesh.got.counts.data(),
                                 got_at.data(), types.data(), groups.between, MPI_INFO_NULL,
                                 &request));
    mesh.run(groups, request);
}

template<class Collective>
void from_every_root(Collective collective) {
    for_all_groups([&](const Groups& groups) {
        for_all_roots(groups, [&](const Root& root) {
            for_all_data(groups,
                         [&](Kind kind, int count) { collective(groups, root, kind, count); });
        });
    });
}

template<class Collective>
void among_all(Collective collective) {
    for_all_groups([&](const Groups& groups) {
        for_all_data(groups, [&](Kind kind, int count) { collective(groups, kind, count); });
    });
}

} // namespace

TEST_CASE("a broadcast goes from any rank of a group to all of the other") {
    from_every_root(bcast);
}
TEST_CASE("one rank gathers from all of the other group") { from_every_root(gather); }
TEST_CASE("one rank gathers blocks of many sizes") { from_every_root(gatherv); }
TEST_CASE("one rank scatters to all of the other group") { from_every_root(scatter); }
TEST_CASE("one rank scatters blocks of many sizes") { from_every_root(scatterv); }
TEST_CASE("each group gathers what the other has") { among_all(allgather); }
TEST_CASE("each group gathers blocks of many sizes from the other") { among_all(allgatherv); }
TEST_CASE("all ranks of a group exchange with all of the other") { among_all(alltoall); }
TEST_CASE("an exchange between groups has blocks of many sizes") { among_all(alltoallv); }
TEST_CASE("an exchange between groups has a datatype for each block") { among_all(alltoallw); }
