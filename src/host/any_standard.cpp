// SPDX-License-Identifier: BSD-3-Clause
//
// What is known of every host, by the standard alone.
#include "host/host.hpp"

namespace mpix::host {

// Hydra's, which launches many that were made of MPICH.
const char* Host::ranks_variable() const { return "MPI_LOCALNRANKS"; }
const char* Host::rank_variable() const { return "MPI_LOCALRANKID"; }

std::string Host::device() const { return ""; }

// A code that MPICH adds to a predefined class has no string of its own: MPI_Error_string gives the
// class's text and a garbled stack. So the codes belong to a class of ours, and class_of knows the
// standard's.
int Host::new_code(int) const {
    static const int own_class = [] {
        int made = MPI_ERR_OTHER;
        HOST(Add_error_class)(&made);
        return made;
    }();
    int code = own_class;
    HOST(Add_error_code)(own_class, &code);
    return code;
}

void Host::hook_progress(void (*)()) const {}
const char* Host::progress_hook() const { return nullptr; }
bool Host::hook_may_call() const { return true; }

bool Host::takes_all_handles() const { return !BUILT_FOR_abi; }

bool Host::loses_completions() const { return true; }

bool Host::test_keeping(MPI_Request* request, int* flag, MPI_Status* status) const {
    status->MPI_ERROR = HOST(Test)(request, flag, status);
    *flag = *flag || status->MPI_ERROR != MPI_SUCCESS;
    return status->MPI_ERROR != MPI_SUCCESS;
}
bool Host::testall_keeps() const { return false; }

int Host::topology_of(MPI_Comm comm, int* topology) const {
    return HOST(Topo_test)(comm, topology);
}

bool Host::reduces_locally() const { return true; }

bool Host::files_allow_threads() const { return false; }

int Host::longest_eager() const { return 4 << 10; }

void Host::poll() const { ask_for_never_received(); }

int Host::test_some(int count, MPI_Request requests[], int* found, int indices[],
                    MPI_Status statuses[]) const {
    return HOST(Testsome)(count, requests, found, indices, statuses);
}

int Host::test_new(int, MPI_Request[], int* found, int[], MPI_Status[]) const {
    *found = 0;
    return MPI_SUCCESS;
}

int Host::test_at_once(MPI_Request* request) const {
    int is_done = 0;
    return HOST(Test)(request, &is_done, MPI_STATUS_IGNORE);
}

void Host::set_yielding(bool) const {}

bool Host::hook_polls(void (*)()) const { return false; }

bool Host::comes_later(std::int64_t, bool) const { return false; }

bool Host::yields_itself() const { return false; }

unsigned Host::yields_between_polls() const { return 4; }

void Host::before_end() const {}

const Host& any_standard() {
    static constinit const Host host;
    return host;
}

} // namespace mpix::host
