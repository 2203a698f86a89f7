// SPDX-License-Identifier: BSD-3-Clause
// What a program may count on where it runs. No MPI here.
#pragma once

namespace fuzz {

struct Conditions {
    int ranks = 1;
    bool open_mpi = false;
    bool several_nodes = false;
    bool delegated = false; // the host's nonblocking collectives run everything
    bool plain = false;     // many collectives are plain calls, which may run on plans
    // Arrays live as long as the request, receivers of channels start before senders.
    bool checked = false;
};

} // namespace fuzz
