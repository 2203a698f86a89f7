// SPDX-License-Identifier: BSD-3-Clause
// What only an operation that the host runs refuses: counts and displacements that its calls have
// no room for, on all ranks alike. Run with MPIX_PLAN=delegate.
#include "common/errors.hpp"

#include <numeric>

using namespace mpitest;

namespace {

constexpr MPI_Count large = 3'000'000'000; // of bytes: more than INT_MAX, and countable

// The buffers are never touched, and a sum shows that nothing is broken.
template<class Init>
void check_too_large(Init init) {
    const ErrorsReturn guard;
    MPI_Request request = MPI_REQUEST_NULL;
    check_error(init(&request), {MPI_ERR_COUNT},
                {"count or displacement 3000000000 is too large to delegate to the host"});
    CHECK(request == MPI_REQUEST_NULL);

    int one = 1, sum = 0;
    CHECK_MPI(MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &request));
    start_and_wait(request);
    CHECK(sum == size_of());
    free_request(request);
}

char in[64], out[64];

} // namespace

TEST_CASE("a count that is too large to delegate") {
    check_too_large([](MPI_Request* request) {
        return MPI_Bcast_init_c(in, large, MPI_BYTE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request);
    });
    check_too_large([](MPI_Request* request) {
        return MPI_Allreduce_init_c(in, out, large, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD,
                                    MPI_INFO_NULL, request);
    });
}

TEST_CASE("a displacement that is too large to delegate") {
    std::vector<MPI_Count> counts(static_cast<std::size_t>(size_of()), 1);
    std::vector<MPI_Aint> near(counts.size()), far(counts.size());
    std::iota(near.begin(), near.end(), 0);
    std::iota(far.begin(), far.end(), large - size_of() + 1);
    check_too_large([&](MPI_Request* request) {
        return MPI_Allgatherv_init_c(in, 1, MPI_BYTE, out, counts.data(), far.data(), MPI_BYTE,
                                     MPI_COMM_WORLD, MPI_INFO_NULL, request);
    });
    check_too_large([&](MPI_Request* request) {
        return MPI_Alltoallv_init_c(in, counts.data(), far.data(), MPI_BYTE, out, counts.data(),
                                    near.data(), MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, request);
    });
}

TEST_CASE("a displacement that only the root knows to be too large to delegate") {
    std::vector<MPI_Count> counts(static_cast<std::size_t>(size_of()), 1);
    std::vector<MPI_Aint> far(counts.size());
    std::iota(far.begin(), far.end(), large - size_of() + 1);
    check_too_large([&](MPI_Request* request) {
        return MPI_Gatherv_init_c(in, 1, MPI_BYTE, out, counts.data(), far.data(), MPI_BYTE, 0,
                                  MPI_COMM_WORLD, MPI_INFO_NULL, request);
    });
}

TEST_CASE("a count of a neighbourhood that is too large to delegate") {
    const int ranks = size_of(), periodic = 1;
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    check_too_large([&](MPI_Request* request) {
        return MPI_Neighbor_allgather_init_c(in, large, MPI_BYTE, out, large, MPI_BYTE, ring,
                                             MPI_INFO_NULL, request);
    });
    MPI_Comm_free(&ring);
}
