// SPDX-License-Identifier: BSD-3-Clause
// Ranks that call different things: every rank gets the same error, and what is initialised
// afterwards works.
#pragma once

#include <functional>

#include "common/errors.hpp"

namespace mpitest {

using Init = std::function<int(MPI_Request*)>;

// What `init` says on this rank; then a sum on `comm` shows that nothing is broken.
inline void check_disagreement(const Init& init, int error_class, const std::string& text,
                               MPI_Comm comm = MPI_COMM_WORLD) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = init(&request);
    CHECK(class_of(code) == error_class);
    CHECK(error_text(code) == text);
    CHECK(request == MPI_REQUEST_NULL);
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);

    int in = 1, out = 0, inter = 0, expected = size_of(comm);
    MPI_Comm_test_inter(comm, &inter);
    if (inter) MPI_Comm_remote_size(comm, &expected);
    CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request));
    start_and_wait(request);
    CHECK(out == expected);
    free_request(request);
}

// The last rank, where there are two at least.
inline bool am_odd_one() { return rank_of() == size_of() - 1; }
inline std::string last() { return "rank " + std::to_string(size_of() - 1); }

} // namespace mpitest
