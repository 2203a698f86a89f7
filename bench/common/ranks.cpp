// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/ranks.hpp"

#include "bench/common/stencil.hpp"

#include <sched.h>
#include <unistd.h>

namespace mpix::bench {

Ranks::Ranks(const HostLibrary& host)
    : ibarrier_(host.find<decltype(MPI_Ibarrier)>("Ibarrier")),
      iallreduce_(host.find<decltype(MPI_Iallreduce)>("Iallreduce")),
      test_(host.find<decltype(MPI_Test)>("Test")) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    const int periodic = 1;
    MPI_Cart_create(comm_, 1, &size_, &periodic, 0, &ring_);
    stencil_ = make_stencil(comm_);
    // A contender that fails is reported as such and must not end the run.
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(ring_, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(stencil_, MPI_ERRORS_RETURN);
}

Ranks::~Ranks() {
    MPI_Comm_free(&stencil_);
    MPI_Comm_free(&ring_);
    MPI_Comm_free(&comm_);
}

void Ranks::finish(MPI_Request request) const {
    for (int done = 0; test_(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done;)
        sched_yield();
}

void Ranks::barrier() const {
    MPI_Request request = MPI_REQUEST_NULL;
    ibarrier_(comm_, &request);
    finish(request);
}

void Ranks::rest() const {
    MPI_Request request = MPI_REQUEST_NULL;
    ibarrier_(comm_, &request);
    for (int done = 0; test_(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done;)
        usleep(2000);
}

void Ranks::maximum(std::span<double> values) const {
    MPI_Request request = MPI_REQUEST_NULL;
    iallreduce_(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                comm_, &request);
    finish(request);
}

double Ranks::maximum(double value) const {
    maximum(std::span(&value, 1));
    return value;
}

} // namespace mpix::bench
