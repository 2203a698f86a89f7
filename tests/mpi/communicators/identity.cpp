// SPDX-License-Identifier: BSD-3-Clause
// What the identity of a communicator is, case by case.
#include "comm/creations.hpp"

#include "common/errors.hpp"
#include "communicators/identities.hpp"

using namespace mpitest;
using mpix::comm::CommunicatorId;

namespace {

MPI_Request begin_idup(MPI_Comm of, MPI_Comm& made) {
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Comm_idup(of, &made, &request));
    return request;
}

// A copy callback of the program that duplicates another communicator.
struct Inner {
    MPI_Comm of = MPI_COMM_NULL, made = MPI_COMM_NULL;
};

int duplicate_inner(MPI_Comm, int, void* extra, void*, void*, int* flag) {
    auto* inner = static_cast<Inner*>(extra);
    *flag = 0;
    return MPI_Comm_dup(inner->of, &inner->made);
}

void free_all(std::vector<MPI_Comm> comms) {
    for (MPI_Comm& comm : comms) free_comm(comm);
}

// Two neighbours of the world meet over a port, so that the host cannot know that they began
// together. Null on a last one without a neighbour, and where the host has no ports: MPICH on UCX.
MPI_Comm connect_neighbours() {
    const ErrorsReturn guard;
    std::vector<char> port(MPI_MAX_PORT_NAME, '\0');
    const int me = rank_of(), other = me ^ 1;
    MPI_Comm met = MPI_COMM_NULL;
    if (other >= size_of()) return met;
    if (me % 2 == 0) {
        if (MPI_Open_port(MPI_INFO_NULL, port.data()) != MPI_SUCCESS) port[0] = '\0';
        MPI_Send(port.data(), MPI_MAX_PORT_NAME, MPI_CHAR, other, 0, MPI_COMM_WORLD);
        if (port[0] == '\0') return met;
        CHECK_MPI(MPI_Comm_accept(port.data(), MPI_INFO_NULL, 0, MPI_COMM_SELF, &met));
        CHECK_MPI(MPI_Close_port(port.data()));
    } else {
        MPI_Recv(port.data(), MPI_MAX_PORT_NAME, MPI_CHAR, other, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (port[0] == '\0') return met;
        CHECK_MPI(MPI_Comm_connect(port.data(), MPI_INFO_NULL, 0, MPI_COMM_SELF, &met));
    }
    return met;
}

} // namespace

TEST_CASE("the world has one number, and each process alone another") {
    Seen seen;
    seen.add(MPI_COMM_WORLD, "world");
    seen.add(MPI_COMM_SELF, "self");
    CHECK(CommunicatorId::of(MPI_COMM_WORLD)->control() != MPI_COMM_WORLD);
    CHECK(CommunicatorId::of(MPI_COMM_SELF)->control() ==
          CommunicatorId::of(MPI_COMM_WORLD)->control());
    CHECK(CommunicatorId::of(MPI_COMM_WORLD)->control_rank(MPI_PROC_NULL) == MPI_PROC_NULL);
}

TEST_CASE("a message to the rank on the control communicator arrives") {
    MPI_Comm reversed = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_of(), &reversed));
    const auto identity = CommunicatorId::of(reversed);
    const int me = rank_of(reversed), ranks = size_of(reversed);
    const int to = identity->control_rank((me + 1) % ranks);
    const int from = identity->control_rank((me + ranks - 1) % ranks);
    int told = -1;
    CHECK_MPI(MPI_Sendrecv(&me, 1, MPI_INT, to, 3, &told, 1, MPI_INT, from, 3, identity->control(),
                           MPI_STATUS_IGNORE));
    CHECK(told == (me + ranks - 1) % ranks);
    free_comm(reversed);
}

TEST_CASE("a communicator that gets the handle of a freed one has a number of its own") {
    Seen seen;
    for (int round = 0; round < 20; round++) {
        MPI_Comm comm = duplicate();
        seen.add(comm, "round " + std::to_string(round));
        free_comm(comm);
    }
}

TEST_CASE("an identity outlives its communicator") {
    MPI_Comm comm = duplicate();
    const auto identity = CommunicatorId::of(comm);
    const std::uint64_t number = identity->number();
    CHECK(identity->errors_to() == comm);
    CHECK(identity->control_rank(0) == 0);
    free_comm(comm);
    CHECK(identity->errors_to() == MPI_COMM_WORLD);
    CHECK(identity->number() == number);
    CHECK(identity->control_rank(0) == 0);
    CHECK((size_of() == 1 || identity->control_rank(1) == MPI_UNDEFINED));
    CHECK(identity->control() == CommunicatorId::of(MPI_COMM_WORLD)->control());
}

TEST_CASE("nonblocking duplications begin and end in an order of each rank's own") {
    Seen seen;
    MPI_Comm parents[2] = {duplicate(), duplicate()}, made[4];
    MPI_Request requests[4];
    const std::size_t first = rank_of() % 2 == 0 ? 0 : 1;
    for (const std::size_t parent : {first, 1 - first})
        for (const std::size_t which : {2 * parent, 2 * parent + 1})
            requests[which] = begin_idup(parents[parent], made[which]);
    // Counted behind those that are still under way.
    MPI_Comm later = duplicate(parents[0]);
    for (std::size_t left = 4; left > 0; left--) {
        const std::size_t which = (left + static_cast<std::size_t>(rank_of())) % 4;
        CHECK_MPI(MPI_Wait(&requests[which], MPI_STATUS_IGNORE));
    }
    for (const MPI_Comm comm : {parents[0], parents[1], made[0], made[1], made[2], made[3], later})
        seen.add(comm, "duplicate");
    free_all({parents[0], parents[1], made[0], made[1], made[2], made[3], later});
}

TEST_CASE("a nonblocking duplication into a variable that has moved is known all the same") {
    Seen seen;
    std::vector<MPI_Comm> variables(1);
    MPI_Request request = begin_idup(MPI_COMM_WORLD, variables[0]);
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MPI_Comm moved = std::exchange(variables[0], MPI_COMM_NULL);
    seen.add(moved, "moved");
    free_comm(moved);
}

TEST_CASE("a duplication in a callback of a nonblocking one is counted once, on its own parent") {
    MPI_Comm outer = duplicate(), made = MPI_COMM_NULL;
    Inner inner{duplicate()};
    int keyval = MPI_KEYVAL_INVALID;
    CHECK_MPI(MPI_Comm_create_keyval(duplicate_inner, MPI_COMM_NULL_DELETE_FN, &keyval, &inner));
    CHECK_MPI(MPI_Comm_set_attr(outer, keyval, nullptr));
    MPI_Request request = begin_idup(outer, made);
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(number_of(made) == CommunicatorId::of(outer)->number_of_child(1));
    CHECK(number_of(inner.made) == CommunicatorId::of(inner.of)->number_of_child(1));
    CHECK_MPI(MPI_Comm_free_keyval(&keyval));
    free_all({made, inner.made, inner.of, outer});
}

TEST_CASE("a group's creations are no business of the others") {
    Seen seen;
    MPI_Comm parent = duplicate(), alone = MPI_COMM_NULL;
    for (int time = 0; time < 2; time++) {
        const int me = rank_of(parent);
        MPI_Group all = MPI_GROUP_NULL, one = MPI_GROUP_NULL;
        CHECK_MPI(MPI_Comm_group(parent, &all));
        CHECK_MPI(MPI_Group_incl(all, 1, &me, &one));
        for (int i = 0; i < me; i++) {
            CHECK_MPI(MPI_Comm_create_group(parent, one, 5, &alone));
            free_comm(alone);
        }
        CHECK_MPI(MPI_Comm_create_group(parent, one, 5, &alone));
        seen.add(alone, "alone");
        free_comm(alone);
        CHECK_MPI(MPI_Comm_create_group(parent, all, 5, &alone));
        seen.add(alone, "all");
        free_comm(alone);
        MPI_Comm after = duplicate(parent);
        seen.add(after, "after");
        free_comm(after);
        for (MPI_Group* group : {&all, &one}) MPI_Group_free(group);
    }
    free_comm(parent);
}

TEST_CASE("what the library makes for itself is not counted") {
    MPI_Comm parent = duplicate();
    {
        Sum sum(parent);
        sum.run(1);
    }
    MPI_Comm child = duplicate(parent);
    CHECK(number_of(child) == CommunicatorId::of(parent)->number_of_child(1));
    free_all({parent, child});
}

TEST_CASE("a call that fails on one rank is not counted there") {
    const ErrorsReturn guard;
    MPI_Comm parent = duplicate();
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank_of() == 0) {
        CHECK(MPI_Comm_split(parent, 0, 0, nullptr) != MPI_SUCCESS);
        CHECK(MPI_Comm_idup(parent, nullptr, &request) != MPI_SUCCESS);
        CHECK(MPI_Comm_dup(parent, nullptr) != MPI_SUCCESS);
    }
    MPI_Comm child = duplicate(parent);
    check_agreement(child);
    free_all({parent, child});
}

TEST_CASE("nobody knows the number of a communicator of processes that met later") {
    MPI_Comm met = connect_neighbours(), merged = MPI_COMM_NULL, copy = MPI_COMM_NULL;
    if (met == MPI_COMM_NULL) return;
    CHECK_MPI(MPI_Intercomm_merge(met, rank_of() % 2, &merged));
    MPI_Request request = begin_idup(merged, copy);
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (const MPI_Comm comm : {met, merged, copy}) CHECK(CommunicatorId::of(comm) == nullptr);
    free_all({copy, merged});
    CHECK_MPI(MPI_Comm_disconnect(&met));
}
