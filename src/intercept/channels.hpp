// SPDX-License-Identifier: BSD-3-Clause
//
// Binding persistent sends and receives to channels, and unbinding those.
#pragma once

#include "intercept/handles.hpp"
#include "intercept/languages.h"

namespace mpix::intercept {

using progress::Operation;

int bind_all(const char* call, const MPI_Request in[], MPI_Request out[], int n,
             const int slackness[], const MPI_Info info[]);
int begin_to_bind_all(const char* call, const MPI_Request in[], MPI_Request out[], int n,
                      const int slackness[], const MPI_Info info[]);
int ibind_channels_elsewhere(const char* call, const MPI_Request in[], void* const places[],
                             MPIX_Deliver_function* deliver, int n, const int slackness[],
                             const MPI_Info info[]);
int unbind_all(const char* call, MPI_Request requests[], int n);
int begin_to_unbind_all(const char* call, MPI_Request requests[], int n);

inline int bind_channel(MPI_Request in, MPI_Request* out, MPI_Info info) {
    return bind_all("MPIX_Bind_channel", &in, out, 1, nullptr, &info);
}
inline int bind_channels(const MPI_Request in[], MPI_Request out[], int n, const MPI_Info info[]) {
    return bind_all("MPIX_Bind_channels", in, out, n, nullptr, info);
}
inline int bind_slack_channel(MPI_Request in, MPI_Request* out, int slackness, MPI_Info info) {
    return bind_all("MPIX_Bind_slack_channel", &in, out, 1, &slackness, &info);
}
inline int bind_slack_channels(const MPI_Request in[], MPI_Request out[], int n,
                               const int slackness[], const MPI_Info info[]) {
    return bind_all("MPIX_Bind_slack_channels", in, out, n, slackness, info);
}
inline int ibind_channel(MPI_Request in, MPI_Request* out, MPI_Info info) {
    return begin_to_bind_all("MPIX_Ibind_channel", &in, out, 1, nullptr, &info);
}
inline int ibind_channels(const MPI_Request in[], MPI_Request out[], int n, const MPI_Info info[]) {
    return begin_to_bind_all("MPIX_Ibind_channels", in, out, n, nullptr, info);
}
inline int ibind_slack_channel(MPI_Request in, MPI_Request* out, int slackness, MPI_Info info) {
    return begin_to_bind_all("MPIX_Ibind_slack_channel", &in, out, 1, &slackness, &info);
}
inline int ibind_slack_channels(const MPI_Request in[], MPI_Request out[], int n,
                                const int slackness[], const MPI_Info info[]) {
    return begin_to_bind_all("MPIX_Ibind_slack_channels", in, out, n, slackness, info);
}
inline int unbind_channel(MPI_Request* request) {
    return unbind_all("MPIX_Unbind_channel", request, 1);
}
inline int unbind_channels(MPI_Request requests[], int n) {
    return unbind_all("MPIX_Unbind_channels", requests, n);
}
inline int iunbind_channel(MPI_Request request, MPI_Info) {
    return begin_to_unbind_all("MPIX_Iunbind_channel", &request, 1);
}
inline int iunbind_channels(MPI_Request requests[], int n) {
    return begin_to_unbind_all("MPIX_Iunbind_channels", requests, n);
}

int send_channel_init(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                      MPI_Comm comm, MPI_Info info, MPI_Request* request);
int recv_channel_init(void* buf, MPI_Count count, MPI_Datatype type, int source, int tag,
                      MPI_Comm comm, MPI_Info info, MPI_Request* request);

// A completion call has found that a channel is bound or unbound: what stood for that ends. `place`
// is where the program has the request. Returns the error code. Under the guard.
int conclude(Operation& operation, MPI_Request* place);
void drop_concluded(); // there is no completion call any more

} // namespace mpix::intercept
