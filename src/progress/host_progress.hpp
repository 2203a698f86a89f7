// SPDX-License-Identifier: BSD-3-Clause
//
// Plans move while the program is elsewhere: in calls of the host, or in a thread of our own.
#pragma once

namespace mpix::progress {

// MPI has begun.
void note_thread_level();

// Before the first plan, any number of times: from now on plans move inside host calls.
void begin_progress();

// Before the host ends, and before it runs callbacks of the program, which may still use plans:
// from here on this is the only thread.
void end_progress();

// Between the two the progress thread is not in the host, nor comes there: plans move in the calls
// of the program. Nested as often as one likes, from any thread.
void rest();
void end_rest();

// What this thread may do for the runner: a mark may be made by threads that the host does not let
// call it, next to one that is in it.
bool may_act_on_marks();
bool may_progress();

} // namespace mpix::progress
