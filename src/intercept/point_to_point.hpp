// SPDX-License-Identifier: BSD-3-Clause
//
// Persistent sends and receives. The host runs them; what they are bound to is recorded, for the
// operations that can be made of them.
#pragma once

#include "host/host.hpp"

namespace mpix::intercept {

enum class Mode : unsigned char { send, bsend, ssend, rsend, recv };

int bind(Mode mode, void* buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
         MPI_Comm comm, MPI_Request* request);

// The inits, each for MPI_X_init and MPI_X_init_c.
template<Mode mode>
constexpr auto binder = [](const void* buffer, MPI_Count count, MPI_Datatype type, int peer,
                           int tag, MPI_Comm comm, MPI_Request* request) {
    return bind(mode, const_cast<void*>(buffer), count, type, peer, tag, comm, request);
};
inline constexpr auto bind_send = binder<Mode::send>;
inline constexpr auto bind_bsend = binder<Mode::bsend>;
inline constexpr auto bind_ssend = binder<Mode::ssend>;
inline constexpr auto bind_rsend = binder<Mode::rsend>;
inline constexpr auto bind_recv = binder<Mode::recv>;

// The host's Start and Startall. They may change handles: the records follow.
int start_host(MPI_Request* request);
int startall_host(int count, MPI_Request requests[]);

// The handle ends: its record too.
void forget_record(MPI_Request request);
void forget_records();

} // namespace mpix::intercept
