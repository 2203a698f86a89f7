// SPDX-License-Identifier: BSD-3-Clause
//
// Other buffers for a persistent operation.
#pragma once

#include "host/host.hpp"

namespace mpix::intercept {

int request_rebind(MPI_Request request, const void* sendbuf, void* recvbuf);

} // namespace mpix::intercept
