// SPDX-License-Identifier: BSD-3-Clause
//
// Calls that no rule of arguments.py covers.
#include "calls.hpp"

namespace mpix::fortran {
namespace {

void deliver(void* place, MPI_Request channel) {
    *static_cast<MPI_Fint*>(place) = MPI_Request_c2f(channel);
}

} // namespace

void begin_to_bind(const char* call, const MPI_Fint* in, MPI_Fint* out, int n,
                   const MPI_Fint* slackness, const MPI_Fint* info, MPI_Fint* ierror) {
    answer(ierror, call, MPI_COMM_NULL, [&] {
        const Requests in_(in, n);
        const Infos info_(info, n);
        std::vector<void*> places;
        for (int i = 0; i < n; ++i) places.push_back(&out[i]);
        return MPIX_Ibind_channels_elsewhere(call, in_.data(), places.data(), deliver, n, slackness,
                                             info_.data());
    });
}

MPIX_FORTRAN const char* mpix_fortran_plan_name(const MPI_Fint& request) {
    return MPIX_Plan_name(MPI_Request_f2c(request));
}
MPIX_F08_ALIAS(const char*, plan_name, (const MPI_Fint& request));

} // namespace mpix::fortran
