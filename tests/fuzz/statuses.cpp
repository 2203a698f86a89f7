// SPDX-License-Identifier: BSD-3-Clause
// What a completion call says about each request.
#include "statuses.hpp"

namespace fuzz {
namespace {

constexpr int untouched = 79; // no valid error on either host

} // namespace

MPI_Status spoiled() {
    MPI_Status status{};
    status.MPI_SOURCE = 77;
    status.MPI_TAG = 78;
    status.MPI_ERROR = untouched;
    return status;
}

void check_empty(const MPI_Status& status) {
    int count = -1;
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (status.MPI_SOURCE != MPI_ANY_SOURCE || status.MPI_TAG != MPI_ANY_TAG || count != 0)
        fail("the status of a persistent collective is not empty: source " +
             std::to_string(status.MPI_SOURCE) + ", tag " + std::to_string(status.MPI_TAG) +
             ", count " + std::to_string(count));
}

void check_incoming(const MPI_Status& status, const Incoming& expected) {
    int bytes = -1;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    if (status.MPI_SOURCE != expected.source || status.MPI_TAG != expected.tag ||
        bytes != expected.bytes)
        fail("status of a receive: source " + std::to_string(status.MPI_SOURCE) + ", tag " +
             std::to_string(status.MPI_TAG) + ", bytes " + std::to_string(bytes) + "; expected " +
             std::to_string(expected.source) + ", " + std::to_string(expected.tag) + ", " +
             std::to_string(expected.bytes));
}

void must_each(int code, const std::vector<MPI_Status>& statuses, const char* call) {
    int error_class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &error_class);
    for (const MPI_Status& status : statuses)
        if (error_class == MPI_ERR_IN_STATUS && status.MPI_ERROR != untouched &&
            status.MPI_ERROR != MPI_ERR_PENDING)
            must(status.MPI_ERROR, call);
    must(code, call);
}

} // namespace fuzz
