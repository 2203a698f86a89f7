// SPDX-License-Identifier: BSD-3-Clause
//
// One init for all: a failure inside becomes an MPI error raised through the communicator.
#include "intercept/collectives.hpp"

#include "collective/init.hpp"
#include "intercept/errors.hpp"
#include "intercept/handles.hpp"
#include "partition/init.hpp"

#include <new>

namespace mpix::intercept {
namespace {

MPI_Request plan(const Arguments& arguments) {
    return make_request(arguments.is_partitioned ? partition::make_operation(arguments)
                                                 : collective::make_operation(arguments));
}

void read(Reader& reader, Reading reading, MPI_Comm comm, MPI_Info info) {
    try {
        reading.call(reading.function, reader);
        reader.check_blocks();
        reader.hints(info);
    } catch (const std::bad_alloc&) {
        collective::fail_with_others(comm);
        throw;
    }
}

// Even the text may be too much.
int out_of_memory(MPI_Comm errors_to, plan::Call call) {
    int code = MPI_ERR_NO_MEM;
    try {
        code = host::error_code(code, std::string(name(call)) + ": out of memory");
    } catch (const std::bad_alloc&) {}
    return host::raise(errors_to, code);
}

} // namespace

int init(plan::Call call, MPI_Comm comm, MPI_Info info, MPI_Request* request, Reading reading) {
    const MPI_Comm errors_to = comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm;
    int code = MPI_SUCCESS;
    try {
        Reader reader(call, comm, request);
        read(reader, reading, comm, info);
        *request = plan(reader.arguments);
        return MPI_SUCCESS;
    } catch (const host::Failure& failure) {
        if (failure.is_raised) return failure.code;
        code = failure.code;
    } catch (const std::bad_alloc&) {}
    return code == MPI_SUCCESS ? out_of_memory(errors_to, call) : host::raise(errors_to, code);
}

} // namespace mpix::intercept
