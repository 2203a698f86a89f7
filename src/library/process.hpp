// SPDX-License-Identifier: BSD-3-Clause
//
// What holds for the whole process: when MPI begins and ends, and how the host waits.
#pragma once

namespace mpix::library {

// Tells the host how to wait. Before its Init, which waits too.
void choose_waiting();

// MPI has begun: the thread level is known. Open MPI's Init has overwritten how to wait: so this
// says it again.
void begin();

// After the last callbacks of the program: what plans share is given back, and from here on nothing
// else is.
void close();

} // namespace mpix::library
