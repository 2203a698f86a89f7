// SPDX-License-Identifier: BSD-3-Clause
//
// A persistent operation of the program's own: the functions that it has given for it. They may
// call MPI, so they are called where no list of the engine is being walked.
#pragma once

#include "host/symbols.hpp"

namespace mpix::progress {

struct Callbacks {
    int (*start)(void*);
    int (*poll)(void*, int*);
    MPI_Grequest_query_function* query; // this one and the following may be null
    MPI_Grequest_free_function* free;
    MPI_Grequest_cancel_function* cancel;
    void* extra_state;

    bool has_begun = false;
    MPI_Status status{}; // of the round, once it is complete

    void begin_round();
    // Begins, or asks whether it is done. True if it is, or has failed.
    bool turn(int& code);
    // With MPI_ERROR left alone.
    void tell(MPI_Status* to) const;
};

} // namespace mpix::progress
