// SPDX-License-Identifier: BSD-3-Clause
//
// Reading the arguments of MPI_Psend_init and MPI_Precv_init.
#include "intercept/partitioned_pair.hpp"

#include "collective/device_buffers.hpp"
#include "intercept/errors.hpp"
#include "intercept/handles.hpp"
#include "intercept/reader.hpp"
#include "partition/pair.hpp"

namespace mpix::intercept {
namespace {

struct PairNames {
    const char* call;
    const char* peer;
};
constexpr PairNames send_call{"MPI_Psend_init", "dest"}, recv_call{"MPI_Precv_init", "source"};

int make(const PairNames& names, bool sends, const void* buf, int partitions, MPI_Count count,
         MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return with_errors(comm, [&] {
        Reader in(names.call, comm, request);
        in.peer(names.peer, peer);
        in.tag(tag);
        Side& side = sends ? in.arguments.send : in.arguments.recv;
        in.parted_side(side, {"buf", "count", "datatype"}, buf, partitions, count, type);
        if (collective::is_on_device(side)) collective::refuse_device(names.call);
        in.hints(info);
        *request = make_request(partition::make_end({names.call, sends, peer, tag, in.arguments}));
        return MPI_SUCCESS;
    });
}

} // namespace

int psend_init(const void* buf, int partitions, MPI_Count count, MPI_Datatype type, int dest,
               int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return make(send_call, true, buf, partitions, count, type, dest, tag, comm, info, request);
}

int precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag,
               MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return make(recv_call, false, buf, partitions, count, type, source, tag, comm, info, request);
}

} // namespace mpix::intercept
