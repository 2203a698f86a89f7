// SPDX-License-Identifier: BSD-3-Clause
//
// Freeing datatypes, operations and communicators of the program.
#include "intercept/lifetimes.hpp"

#include "comm/aside.hpp"
#include "datatype/handle_references.hpp"
#include "intercept/point_to_point.hpp"

namespace mpix::intercept {

int type_free(MPI_Datatype* type) {
    if (!type || !datatype::put_off_type_free(*type)) return HOST(Type_free)(type);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int op_free(MPI_Op* op) {
    if (!op || !datatype::put_off_op_free(*op)) return HOST(Op_free)(op);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

int comm_free(MPI_Comm* comm) {
    if (comm) forget_comm(*comm);
    const int code = HOST(Comm_free)(comm);
    comm::Aside::free_all();
    return code;
}

int comm_disconnect(MPI_Comm* comm) {
    if (comm) forget_comm(*comm);
    const int code = HOST(Comm_disconnect)(comm);
    comm::Aside::free_all();
    return code;
}

int error_class(int code, int* error_class) {
    const int known = host::class_of(code);
    if (known < 0) return HOST(Error_class)(code, error_class);
    *error_class = known;
    return MPI_SUCCESS;
}

} // namespace mpix::intercept
