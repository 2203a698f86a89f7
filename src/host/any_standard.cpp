// SPDX-License-Identifier: BSD-3-Clause
//
// A host of which nothing is known but the standard and its ABI: what is lost on some host may be
// lost here.
#include "host/host.hpp"

namespace mpix::host {
namespace {

class AnyStandard final : public Host {
  public:
    // Hydra's, which launches many that were made of MPICH.
    const char* ranks_variable() const override { return "MPI_LOCALNRANKS"; }
    const char* rank_variable() const override { return "MPI_LOCALRANKID"; }

    std::string device() const override { return ""; }

    int new_code(int) const override { return code_of_own_class(); }

    void hook_progress(void (*)()) const override {}
    const char* progress_hook() const override { return nullptr; }
    bool hook_may_call() const override { return true; }

    bool loses_completions() const override { return true; }
    bool test_keeping(MPI_Request* request, int* flag, MPI_Status* status) const override {
        status->MPI_ERROR = HOST(Test)(request, flag, status);
        *flag = *flag || status->MPI_ERROR != MPI_SUCCESS;
        return status->MPI_ERROR != MPI_SUCCESS;
    }
    bool testall_keeps() const override { return false; }

    bool reduces_locally() const override { return true; }

    bool files_allow_threads() const override { return false; }

    int longest_eager() const override { return 4 << 10; }

    void poll() const override { poll_by_asking(); }

    int test_some(int count, MPI_Request requests[], int* found, int indices[],
                  MPI_Status statuses[]) const override {
        return HOST(Testsome)(count, requests, found, indices, statuses);
    }

    int test_at_once(MPI_Request* request) const override {
        int is_done = 0;
        return HOST(Test)(request, &is_done, MPI_STATUS_IGNORE);
    }

    void set_yielding(bool) const override {}
};

} // namespace

const Host& any_standard() {
    static constinit const AnyStandard host;
    return host;
}

} // namespace mpix::host
