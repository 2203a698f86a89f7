// SPDX-License-Identifier: BSD-3-Clause
// Between processes that did not begin together nobody knows a number, however they come to have a
// communicator. The program spawns one more of itself. MPICH 4.0 on UCX cannot do that.
#include "comm/communicator_id.hpp"

#include <cstdio>
#include <string>

using mpix::comm::CommunicatorId;

namespace {

int wrong = 0;

void expect(bool condition, const std::string& what) {
    if (condition) return;
    std::fprintf(stderr, "wrong: %s\n", what.c_str());
    wrong = 1;
}

// Null on all, or no process was spawned.
MPI_Comm spawn(const char* program) {
    MPI_Comm children = MPI_COMM_NULL;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int code = MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                                    &children, MPI_ERRCODES_IGNORE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    return code == MPI_SUCCESS ? children : MPI_COMM_NULL;
}

void meet(MPI_Comm others, bool is_child) {
    MPI_Comm all, copy, half, joined;
    int rank = 0, size = 0;
    MPI_Intercomm_merge(others, is_child, &all);
    MPI_Comm_dup(all, &copy);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    MPI_Comm_split(all, is_child, 0, &half);
    // The child is the last. Once by its world, which it knows.
    const int leader = is_child ? 0 : size - 1;
    MPI_Intercomm_create(is_child ? MPI_COMM_WORLD : half, 0, all, leader, 0, &joined);
    expect(!CommunicatorId::of(others), "of the spawning");
    expect(!CommunicatorId::of(all), "of all");
    expect(!CommunicatorId::of(copy), "of a copy");
    expect(!CommunicatorId::of(half), "of those of all that began together");
    expect(!CommunicatorId::of(joined), "joined");
    for (MPI_Comm* comm : {&joined, &half, &copy, &all}) MPI_Comm_free(comm);
}

} // namespace

int main(int, char** argv) {
    MPI_Comm parents = MPI_COMM_NULL;
    MPI_Init(nullptr, nullptr);
    expect(CommunicatorId::of(MPI_COMM_WORLD) != nullptr, "world");
    MPI_Comm_get_parent(&parents);
    const bool is_child = parents != MPI_COMM_NULL;
    MPI_Comm others = is_child ? parents : spawn(argv[0]);
    if (others == MPI_COMM_NULL) {
        std::puts("none spawned");
    } else {
        meet(others, is_child);
        MPI_Comm_disconnect(&others);
    }
    MPI_Finalize();
    return wrong;
}
