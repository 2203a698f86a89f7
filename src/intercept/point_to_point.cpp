// SPDX-License-Identifier: BSD-3-Clause
//
// The host's inits, and the records.
#include "intercept/point_to_point.hpp"

#include "intercept/handle_table.hpp"
#include "intercept/passing.hpp"
#include "run/engine.hpp"
#include "run/retained.hpp"

#include <boost/container/small_vector.hpp>

#include <climits>

namespace mpix::intercept {
namespace {

using Guard = run::Engine::Guard;

// What a request is bound to, until it is freed. The datatype is kept; comm may be gone.
struct Record {
    Mode mode;
    void* buffer;
    MPI_Count count;
    MPI_Datatype type;
    int peer;
    int tag;
    MPI_Comm comm;
    run::Retained retained;
};

constinit Immortal<HandleTable<Record>> table;
HandleTable<Record>& records() { return table.value; }

int init(Mode mode, void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
         MPI_Request* request) {
    switch (mode) {
    case Mode::bsend: return HOST(Bsend_init)(buffer, count, type, peer, tag, comm, request);
    case Mode::ssend: return HOST(Ssend_init)(buffer, count, type, peer, tag, comm, request);
    case Mode::rsend: return HOST(Rsend_init)(buffer, count, type, peer, tag, comm, request);
    case Mode::recv: return HOST(Recv_init)(buffer, count, type, peer, tag, comm, request);
    default: return HOST(Send_init)(buffer, count, type, peer, tag, comm, request);
    }
}

// Counts beyond int are elements of one large type. The host keeps that as long as it needs it.
int init_any(Mode mode, void* buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
             MPI_Comm comm, MPI_Request* request) {
    if (count <= INT_MAX)
        return init(mode, buffer, static_cast<int>(count), type, peer, tag, comm, request);
    MPI_Aint lb = 0, extent = 0;
    const int code = HOST(Type_get_extent)(type, &lb, &extent);
    if (code != MPI_SUCCESS) return code;
    MPI_Datatype large = host::large_type(count, type, extent);
    const int made = init(mode, buffer, 1, large, peer, tag, comm, request);
    HOST(Type_free)(&large);
    return made;
}

void rename(MPI_Request before, MPI_Request after) {
    const Guard guard(run::engine());
    if (auto record = records().remove(before)) records().insert(after, std::move(record));
}

} // namespace

int bind(Mode mode, void* buffer, MPI_Count count, MPI_Datatype type, int peer, int tag,
         MPI_Comm comm, MPI_Request* request) {
    const int code = init_any(mode, buffer, count, type, peer, tag, comm, request);
    if (code != MPI_SUCCESS || is_disabled()) return code;
    auto record = std::make_unique<Record>(Record{mode, buffer, count, type, peer, tag, comm, {}});
    record->retained.keep_type(type);
    const Guard guard(run::engine());
    records().insert(*request, std::move(record));
    return code;
}

int start_host(MPI_Request* request) {
    if (!request || !records().any()) return HOST(Start)(request);
    const MPI_Request before = *request;
    const int code = HOST(Start)(request);
    if (*request != before) [[unlikely]]
        rename(before, *request);
    return code;
}

int startall_host(int count, MPI_Request requests[]) {
    if (count <= 0 || !requests || !records().any()) return HOST(Startall)(count, requests);
    const boost::container::small_vector<MPI_Request, 64> before(requests, requests + count);
    const int code = HOST(Startall)(count, requests);
    for (int i = 0; i < count; ++i)
        if (requests[i] != before[static_cast<std::size_t>(i)]) [[unlikely]]
            rename(before[static_cast<std::size_t>(i)], requests[i]);
    return code;
}

void forget_record(MPI_Request request) {
    if (!records().any()) return;
    std::unique_ptr<Record> record; // its datatype is freed without the guard
    const Guard guard(run::engine());
    record = records().remove(request);
}

void forget_records() { records().take_all(); }

} // namespace mpix::intercept
