// SPDX-License-Identifier: BSD-3-Clause
//
// To the host our carriers are inactive: where it has answered for an array, ours are added.
#include "intercept/status_queries.hpp"

#include "intercept/batch.hpp"

namespace mpix::intercept {

using progress::engine;

namespace {

// Asking changes nothing; the mpi.h of MPICH 4.2 forgets the const.
[[maybe_unused]] MPI_Request* changeable(const MPI_Request requests[]) {
    return const_cast<MPI_Request*>(requests);
}

[[maybe_unused]] void tell(const Completable& one, MPI_Status* status) {
    if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS;
    one.tell(status);
}

[[maybe_unused]] MPI_Status* at(MPI_Status statuses[], int index) {
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[index];
}

} // namespace

int request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    if (!may_be_ours(1, &request)) return HOST(Request_get_status)(request, flag, status);
    engine().ask_host_next();
    const Batch batch(1, &request);
    batch.progress_each();
    if (batch.empty()) return HOST(Request_get_status)(request, flag, status);
    const Completable& one = batch[0];
    *flag = one.state() != State::active;
    if (*flag) one.tell(status);
    return MPI_SUCCESS;
}

#if OFFERS_Request_get_status_any
int request_get_status_any(int count, const MPI_Request requests[], int* index, int* flag,
                           MPI_Status* status) {
    if (!may_be_ours(count, requests))
        return HOST(Request_get_status_any)(count, changeable(requests), index, flag, status);
    engine().ask_host_next();
    Batch batch(count, changeable(requests));
    batch.progress_each();
    for (const Completable& one : batch) {
        if (one.state() != State::complete) continue;
        *index = one.index;
        *flag = 1;
        one.tell(status);
        return MPI_SUCCESS;
    }
    const int code = HOST(Request_get_status_any)(count, batch.lend(), index, flag, status);
    if (code == MPI_SUCCESS && *flag && *index == MPI_UNDEFINED && batch.any_started()) *flag = 0;
    return code;
}
#endif

#if OFFERS_Request_get_status_some
int request_get_status_some(int incount, const MPI_Request requests[], int* outcount, int indices[],
                            MPI_Status statuses[]) {
    if (!may_be_ours(incount, requests))
        return HOST(Request_get_status_some)(incount, changeable(requests), outcount, indices,
                                             statuses);
    engine().ask_host_next();
    Batch batch(incount, changeable(requests));
    batch.progress_each();
    const int code =
        HOST(Request_get_status_some)(incount, batch.lend(), outcount, indices, statuses);
    if (code != MPI_SUCCESS || (*outcount == MPI_UNDEFINED && !batch.any_started())) return code;
    int found = *outcount == MPI_UNDEFINED ? 0 : *outcount;
    for (const Completable& one : batch) {
        if (one.state() != State::complete) continue;
        tell(one, at(statuses, found));
        indices[found++] = one.index;
    }
    *outcount = found;
    return code;
}
#endif

#if OFFERS_Request_get_status_all
int request_get_status_all(int count, const MPI_Request requests[], int* flag,
                           MPI_Status statuses[]) {
    if (!may_be_ours(count, requests))
        return HOST(Request_get_status_all)(count, changeable(requests), flag, statuses);
    engine().ask_host_next();
    Batch batch(count, changeable(requests));
    *flag = 0;
    if (!batch.progress_all_done()) return MPI_SUCCESS;
    const int code = HOST(Request_get_status_all)(count, batch.lend(), flag, statuses);
    if (code != MPI_SUCCESS || !*flag) return code;
    for (const Completable& one : batch) tell(one, at(statuses, one.index));
    return code;
}
#endif

} // namespace mpix::intercept
