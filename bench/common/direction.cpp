// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/direction.hpp"

#include <array>

namespace mpix::bench {
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
