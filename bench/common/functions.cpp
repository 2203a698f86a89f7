// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/functions.hpp"

namespace mpix::bench {
namespace {

// Open MPI from 5 on copies the world for its partitioned messages, among all ranks and behind the
// program's back: where one has no such message no rank can make a communicator any more.
bool has_partitioned_pairs(const HostLibrary& host) {
    const std::string& version = host.version();
    return !version.starts_with("Open MPI v") || version.starts_with("Open MPI v4.");
}

} // namespace

Functions functions_of(const HostLibrary& host) {
    return {.irecv = host.find<decltype(MPI_Irecv)>("Irecv"),
            .isend = host.find<decltype(MPI_Isend)>("Isend"),
            .start = host.find<decltype(MPI_Start)>("Start"),
            .startall = host.find<decltype(MPI_Startall)>("Startall"),
            .wait = host.find<decltype(MPI_Wait)>("Wait"),
            .waitall = host.find<decltype(MPI_Waitall)>("Waitall"),
            .test = host.find<decltype(MPI_Test)>("Test"),
            .free = host.find<decltype(MPI_Request_free)>("Request_free"),
            .send_init = host.find<decltype(MPI_Send_init)>("Send_init"),
            .recv_init = host.find<decltype(MPI_Recv_init)>("Recv_init"),
            .psend_init = has_partitioned_pairs(host)
                              ? host.find<decltype(MPI_Psend_init)>("Psend_init")
                              : nullptr,
            .precv_init = host.find<decltype(MPI_Precv_init)>("Precv_init"),
            .pready = host.find<decltype(MPI_Pready)>("Pready"),
            .pready_range = host.find<decltype(MPI_Pready_range)>("Pready_range")};
}

const Functions& linked_functions() {
    static constexpr Functions linked{.irecv = &MPI_Irecv,
                                      .isend = &MPI_Isend,
                                      .start = &MPI_Start,
                                      .startall = &MPI_Startall,
                                      .wait = &MPI_Wait,
                                      .waitall = &MPI_Waitall,
                                      .test = &MPI_Test,
                                      .free = &MPI_Request_free,
                                      .send_init = &MPI_Send_init,
                                      .recv_init = &MPI_Recv_init,
                                      .psend_init = &MPI_Psend_init,
                                      .precv_init = &MPI_Precv_init,
                                      .pready = &MPI_Pready,
                                      .pready_range = &MPI_Pready_range};
    return linked;
}

} // namespace mpix::bench
