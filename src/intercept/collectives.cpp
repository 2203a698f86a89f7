// SPDX-License-Identifier: BSD-3-Clause
//
// One init for all: a failure inside becomes an MPI error raised through the communicator.
#include "intercept/collectives.hpp"

#include "intercept/errors.hpp"
#include "intercept/handles.hpp"
#include "run/engine.hpp"
#include "run/init.hpp"

#include <new>

namespace mpix::intercept {
namespace {

MPI_Request plan(const Arguments& arguments) {
    std::unique_ptr<run::Operation> operation = run::make_operation(arguments);
    MPI_Request carrier = MPI_REQUEST_NULL;
    run::check(host::make_carrier(&carrier));
    const run::Engine::Guard guard(run::engine());
    handles().insert(carrier, std::move(operation));
    return carrier;
}

} // namespace

int init(Collective collective, MPI_Comm comm, MPI_Request* request,
         const std::function<void(Reader&)>& read) {
    const MPI_Comm errors_to = comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm;
    try {
        Reader reader(collective, comm, request);
        read(reader);
        *request = plan(reader.arguments);
        return MPI_SUCCESS;
    } catch (const run::Failure& failure) {
        return failure.is_raised ? failure.code : host::raise(errors_to, failure.code);
    } catch (const std::bad_alloc&) {
        return raise(errors_to, MPI_ERR_NO_MEM,
                     std::string(run::name(collective)) + ": out of memory");
    }
}

} // namespace mpix::intercept
