// SPDX-License-Identifier: BSD-3-Clause
//
// What is done in which order.
#include "run/process.hpp"

#include "base/closed.hpp"
#include "base/settings.hpp"
#include "host/host.hpp"
#include "node/segment.hpp"
#include "run/agreement.hpp"
#include "run/choice.hpp"
#include "run/context.hpp"
#include "run/creations.hpp"
#include "run/host_progress.hpp"
#include "run/patience.hpp"

namespace mpix::run {

void choose_waiting() {
    if (const base::Settings::toggle wanted = base::settings().MPIX_YIELD)
        host::yield_when_idle(*wanted);
    else if (is_crowded())
        host::yield_when_idle(true);
}

void begin() {
    choose_waiting();
    node::set_sharers(host::ranks_on_node());
    note_thread_level();
    read_tuning();
    begin_creations();
}

void close() {
    if (base::is_closed()) return;
    end_agreements();
    drop_contexts();
    end_creations();
    host::free_self();
    base::close();
}

} // namespace mpix::run
