// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/direction.hpp"

#include <array>

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
    return {host.find<decltype(MPI_Start)>("Start"),
            host.find<decltype(MPI_Wait)>("Wait"),
            host.find<decltype(MPI_Waitall)>("Waitall"),
            host.find<decltype(MPI_Test)>("Test"),
            host.find<decltype(MPI_Request_free)>("Request_free"),
            host.find<decltype(MPI_Send_init)>("Send_init"),
            host.find<decltype(MPI_Recv_init)>("Recv_init"),
            has_partitioned_pairs(host) ? host.find<decltype(MPI_Psend_init)>("Psend_init")
                                        : nullptr,
            host.find<decltype(MPI_Precv_init)>("Precv_init"),
            host.find<decltype(MPI_Pready)>("Pready"),
            host.find<decltype(MPI_Pready_range)>("Pready_range")};
}

const Functions& linked_functions() {
    static constexpr Functions linked{&MPI_Start,     &MPI_Wait,         &MPI_Waitall,
                                      &MPI_Test,      &MPI_Request_free, &MPI_Send_init,
                                      &MPI_Recv_init, &MPI_Psend_init,   &MPI_Precv_init,
                                      &MPI_Pready,    &MPI_Pready_range};
    return linked;
}

namespace {

int init(const Functions& by, Form form, const Traffic& with, MPI_Comm comm, MPI_Info info,
         MPI_Request* request) {
    const auto bytes = static_cast<int>(with.bytes);
    if (form == Form::whole)
        return with.sends
                   ? by.send_init(with.buffer, bytes, MPI_BYTE, with.peer, with.tag, comm, request)
                   : by.recv_init(with.buffer, bytes, MPI_BYTE, with.peer, with.tag, comm, request);
    const int count = bytes / with.partitions;
    return with.sends ? by.psend_init(with.buffer, with.partitions, count, MPI_BYTE, with.peer,
                                      with.tag, comm, info, request)
                      : by.precv_init(with.buffer, with.partitions, count, MPI_BYTE, with.peer,
                                      with.tag, comm, info, request);
}

} // namespace

Channel::Channel(const Functions& by, Form form, const Traffic& traffic, MPI_Comm comm,
                 MPI_Info info)
    : by_(by), partitions_(traffic.partitions) {
    if (init(by, form, traffic, comm, info, &request_) != MPI_SUCCESS) request_ = MPI_REQUEST_NULL;
}

Channel::~Channel() {
    if (made()) by_.free(&request_);
}

int Channel::mark_one_by_one() {
    int code = MPI_SUCCESS;
    for (int partition = 0; partition < partitions_; ++partition)
        code |= by_.pready(partition, request_);
    return code;
}

int Channel::wait_with(Channel& other) {
    std::array<MPI_Request, 2> both{request_, other.request_};
    return by_.waitall(2, both.data(), MPI_STATUSES_IGNORE);
}

} // namespace mpix::bench
