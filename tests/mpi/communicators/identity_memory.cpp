// SPDX-License-Identifier: BSD-3-Clause
// A rank that has no memory for an identity: the program's call succeeds all the same, and what is
// made later is known again.
#include <cstdlib>
#include <new>

#include "communicators/identities.hpp"

using namespace mpitest;

namespace {

bool has_memory = true;

// The last rank has none, except for what may be asked for before.
class Shortage {
  public:
    Shortage() { has_memory = rank_of() != size_of() - 1; }
    ~Shortage() { has_memory = true; }
};

// Known to all but the last rank.
void check_unknown(MPI_Comm comm) { CHECK((number_of(comm) == 0) == (rank_of() == size_of() - 1)); }

} // namespace

void* operator new(std::size_t bytes) {
    void* memory = has_memory ? std::malloc(bytes > 0 ? bytes : 1) : nullptr;
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

TEST_CASE("a communicator made without memory is not known, and the next one is") {
    MPI_Comm parent = duplicate(), first = MPI_COMM_NULL, second = MPI_COMM_NULL;
    int code = MPI_SUCCESS;
    {
        const Shortage shortage;
        code = MPI_Comm_dup(parent, &first);
    }
    CHECK_MPI(code);
    check_unknown(first);
    MPI_Request request = MPI_REQUEST_NULL;
    {
        const Shortage shortage;
        code = MPI_Comm_idup(parent, &second, &request);
    }
    CHECK_MPI(code);
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check_unknown(second);
    MPI_Comm third = duplicate(parent);
    check_agreement(third);
    for (MPI_Comm* comm : {&first, &second, &third, &parent}) free_comm(*comm);
}

TEST_CASE("a group's communicator made without memory is not known, and the next one is") {
    MPI_Comm parent = duplicate(), made = MPI_COMM_NULL;
    MPI_Group all = MPI_GROUP_NULL;
    CHECK_MPI(MPI_Comm_group(parent, &all));
    int code = MPI_SUCCESS;
    {
        const Shortage shortage;
        code = MPI_Comm_create_group(parent, all, 1, &made);
    }
    CHECK_MPI(code);
    check_unknown(made);
    free_comm(made);
    CHECK_MPI(MPI_Comm_create_group(parent, all, 1, &made));
    check_agreement(made);
    free_comm(made);
    made = duplicate(parent);
    check_agreement(made);
    CHECK_MPI(MPI_Group_free(&all));
    for (MPI_Comm* comm : {&made, &parent}) free_comm(*comm);
}
