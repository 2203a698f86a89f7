// SPDX-License-Identifier: BSD-3-Clause
//
// What is done in which order.
#include "library/process.hpp"

#include "base/closed.hpp"
#include "base/settings.hpp"
#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "comm/creations.hpp"
#include "comm/selection.hpp"
#include "host/host.hpp"
#include "progress/backoff.hpp"
#include "progress/host_progress.hpp"
#include "progress/statistics.hpp"
#include "shmem/segment.hpp"

namespace mpix::library {

void choose_waiting() {
    if (const base::Settings::toggle wanted = base::settings().MPIX_YIELD)
        host::yield_when_idle(*wanted);
    else if (progress::is_crowded())
        host::yield_when_idle(true);
}

void begin() {
    choose_waiting();
    host::prepare_yielding();
    progress::prepare_waiting();
    shmem::set_sharers(host::ranks_on_node());
    progress::note_thread_level();
    progress::begin_statistics();
    comm::read_choices();
    comm::begin_creations();
}

void close() {
    if (base::is_closed()) return;
    comm::end_agreements();
    comm::drop_contexts();
    comm::end_creations();
    host::free_self();
    base::close();
}

} // namespace mpix::library
