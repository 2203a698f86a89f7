// SPDX-License-Identifier: BSD-3-Clause
// What a program asserts about partitions: the data are right with it, and the init tells the ranks
// nothing that they know by it.
#include "common/graphs.hpp"
#include "common/host_messages.h"
#include "partitioned/partitioned_rounds.hpp"

using namespace mpitest;

namespace {

using Keys = std::vector<std::pair<const char*, const char*>>;

bool is_of(const Partitioned& row, std::initializer_list<Flow> flows) {
    return std::find(flows.begin(), flows.end(), row.flow) != flows.end();
}

// Each operation, neighbourhoods on a graph with repeated edges.
template<class Run>
void each_operation(std::initializer_list<Flow> flows, Run run) {
    const Topology graph = dist_graph(repeated);
    for (const Partitioned& row : partitioned_calls) {
        if (!is_of(row, flows)) continue;
        PartedCase of{.row = &row, .granules = 2, .root = size_of() / 2};
        if (row.is_neighbor()) of.comm = graph.comm, of.topology = &graph;
        for (of.seed = 1; of.seed <= 3; of.seed++) run(of);
    }
}

const auto exchanges = {Flow::alltoall, Flow::neighbor_alltoall, Flow::neighbor_allgather};

// One number of partitions where a rank has one for all its segments.
bool is_regular(const Partitioned& row) { return row.send == Form::regular; }

// Messages that the init sends on all ranks.
int count_init(const PartedCase& of) {
    const int before = host_sends();
    PartedOperation operation(of);
    const int mine = host_sends() - before;
    run_round(operation, 1);
    int all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

} // namespace

TEST_CASE("a broadcast whose root's partitions are unknown to the others") {
    each_operation({Flow::bcast}, [](PartedCase of) {
        of.info = {{"MPIX_PBCAST_ROOT_PART_UNKNOWN", "true"}};
        for (of.least = 1; of.least < 100; of.least += 25) run_rounds(of);
    });
}

TEST_CASE("a broadcast whose leaves have one number of partitions") {
    each_operation({Flow::bcast}, [](PartedCase of) {
        of.recv_choices = {4};
        of.info = {{"MPIX_PBCAST_LEAVES_ALL_PART_SAME", "true"}};
        run_rounds(of);
        of.info.push_back({"MPIX_PBCAST_ROOT_PART_UNKNOWN", "true"});
        run_rounds(of);
    });
}

TEST_CASE("a reduction whose root's partitions are unknown, and whose others' are alike") {
    each_operation({Flow::reduce}, [](PartedCase of) {
        for (const Keys& keys : {Keys{{"MPIX_PREDUCE_ROOT_PART_UNKNOWN", "true"}},
                                 Keys{{"MPIX_PREDUCE_NONROOT_ALL_PART_SAME", "true"}},
                                 Keys{{"MPIX_PREDUCE_ROOT_PART_UNKNOWN", "true"},
                                      {"MPIX_PREDUCE_NONROOT_ALL_PART_SAME", "true"}}}) {
            of.info = keys;
            for (of.least = 1; of.least < 100; of.least += 25) run_rounds(of);
        }
    });
}

TEST_CASE("both ends of each transfer have the same number of partitions") {
    each_operation(exchanges, [](PartedCase of) {
        if (is_regular(*of.row) || of.row->flow == Flow::neighbor_allgather) of.choices = {6};
        of.pairs_alike = true;
        of.info = {{"MPIX_EACH_PARTITION_PAIR_SAME", "true"}};
        run_rounds(of);
    });
}

TEST_CASE("all segments that are sent have one number of partitions, or all that are received") {
    each_operation(exchanges, [](PartedCase of) {
        of.choices = {3};
        of.recv_choices = {1, 2, 4, 12};
        of.info = {{"MPIX_ALL_SEND_PARTITIONS_SAME", "true"}};
        run_rounds(of);
        of.choices.swap(of.recv_choices);
        of.info = {{"MPIX_ALL_RECV_PARTITIONS_SAME", "true"}};
        run_rounds(of);
        of.choices = {2};
        of.info.push_back({"MPIX_ALL_SEND_PARTITIONS_SAME", "true"});
        run_rounds(of);
        of.recv_choices = {2};
        of.info.push_back({"MPIX_EACH_PARTITION_PAIR_SAME", "true"});
        run_rounds(of);
    });
}

TEST_CASE("keys that are false, unknown, or of other operations change nothing") {
    each_operation({Flow::bcast, Flow::gather, Flow::scatter, Flow::allgather, Flow::alltoall,
                    Flow::allreduce, Flow::scan},
                   [](PartedCase of) {
                       of.info = {{"MPIX_EACH_PARTITION_PAIR_SAME", "false"},
                                  {"MPIX_PREDUCE_ROOT_PART_UNKNOWN", "true"},
                                  {"MPIX_ALL_SEND_PARTITIONS_SAME", "false"},
                                  {"mpix_of_tomorrow", "true"}};
                       run_rounds(of, 1);
                   });
}

TEST_CASE("an init sends nothing that an assertion says") {
    each_operation(exchanges, [](PartedCase of) {
        of.choices = {4};
        of.info = {{"mpix_transport", "host"}};
        const int untold = count_init(of);
        CHECK((untold > 0 || size_of() == 1));
        for (const char* key : {"MPIX_EACH_PARTITION_PAIR_SAME", "MPIX_ALL_SEND_PARTITIONS_SAME"}) {
            of.info = {{"mpix_transport", "host"}, {key, "true"}};
            CHECK(count_init(of) == 0);
        }
    });
}

TEST_CASE("what a broadcast and a reduction are told goes with the agreement") {
    each_operation({Flow::bcast, Flow::reduce}, [](PartedCase of) {
        of.info = {{"mpix_transport", "host"}};
        CHECK(count_init(of) == 0);
    });
}
