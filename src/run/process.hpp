// SPDX-License-Identifier: BSD-3-Clause
//
// What holds for the whole process: when MPI begins and ends, how the host waits, and that plans
// move while the program is elsewhere.
#pragma once

namespace mpix::run {

// Tells the host how to wait. Before its Init, which waits too.
void choose_waiting();

// MPI has begun: the thread level is known. Open MPI's Init has overwritten how to wait: so this
// says it again.
void begin();

// Before the first plan, any number of times: from now on plans move inside host calls.
void begin_progress();

// Before the host ends, and before it runs callbacks of the program, which may still use plans:
// from here on this is the only thread.
void end();

// What this thread may do for the runner: a mark may be made by threads that the host does not let
// call it, next to one that is in it.
bool may_act_on_marks();
bool may_progress();

// After those callbacks: what plans share is given back, and from here on nothing else is.
void close();

} // namespace mpix::run
