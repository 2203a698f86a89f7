// SPDX-License-Identifier: BSD-3-Clause
//
// Persistent generalized requests of Fortran procedures.
#include "calls.hpp"

#include <memory>

namespace mpix::fortran {
namespace {

using Start = void(MPI_Aint* extra_state, MPI_Fint* ierror);
using Poll = void(MPI_Aint* extra_state, MPI_Fint* flag, MPI_Fint* ierror);
using Query = void(MPI_Aint* extra_state, MPI_Fint* status, MPI_Fint* ierror);
using Free = void(MPI_Aint* extra_state, MPI_Fint* ierror);
using Cancel = void(MPI_Aint* extra_state, MPI_Fint* complete, MPI_Fint* ierror);

// The procedures of a generalized request, and what they get.
struct Procedures {
    Start* start;
    Poll* poll;
    Query* query;
    Free* free;
    Cancel* cancel;
    MPI_Aint extra_state;
};

Procedures& procedures(void* state) { return *static_cast<Procedures*>(state); }

int start_round(void* state) {
    MPI_Fint ierror = MPI_SUCCESS;
    procedures(state).start(&procedures(state).extra_state, &ierror);
    return ierror;
}

int ask(void* state, int* flag) {
    MPI_Fint ierror = MPI_SUCCESS, is_done = 0;
    procedures(state).poll(&procedures(state).extra_state, &is_done, &ierror);
    *flag = is_done != 0;
    return ierror;
}

// A status of either module has the bytes that MPI_Status_c2f makes.
int fill_status(void* state, MPI_Status* status) {
    if (!procedures(state).query) return MPI_SUCCESS;
    MPI_Fint ierror = MPI_SUCCESS, theirs[sizeof(MPI_Status) / sizeof(MPI_Fint)];
    MPI_Status_c2f(status, theirs);
    procedures(state).query(&procedures(state).extra_state, theirs, &ierror);
    MPI_Status_f2c(theirs, status);
    return ierror;
}

int end(void* state) {
    const std::unique_ptr<Procedures> ended(&procedures(state));
    MPI_Fint ierror = MPI_SUCCESS;
    if (ended->free) ended->free(&ended->extra_state, &ierror);
    return ierror;
}

int cancel_round(void* state, int complete) {
    MPI_Fint ierror = MPI_SUCCESS, is_complete = complete ? constants().is_true : 0;
    procedures(state).cancel(&procedures(state).extra_state, &is_complete, &ierror);
    return ierror;
}

} // namespace

MPIX_FORTRAN void mpix_fortran_pgrequest_init(Start* start, Poll* poll, Query* query, Free* free,
                                              Cancel* cancel, const MPI_Aint& extra_state,
                                              MPI_Fint& request, MPI_Fint* ierror) {
    answer(ierror, "MPIX_Pgrequest_init", MPI_COMM_NULL, [&] {
        NewRequest request_(request);
        auto made =
            std::make_unique<Procedures>(Procedures{start, poll, query, free, cancel, extra_state});
        const int code =
            MPIX_Pgrequest_init(start_round, ask, fill_status, end, cancel ? cancel_round : nullptr,
                                made.get(), request_.address());
        if (code == MPI_SUCCESS) static_cast<void>(made.release()); // end() has it
        return code;
    });
}
MPIX_F08_ALIAS(void, pgrequest_init,
               (Start * start, Poll* poll, Query* query, Free* free, Cancel* cancel,
                const MPI_Aint& extra_state, MPI_Fint& request, MPI_Fint* ierror));

} // namespace mpix::fortran
