// SPDX-License-Identifier: BSD-3-Clause
//
// The cores that the ranks of this job share on this node, and how the kernel shares them out.
// Nobody is asked: it is needed before ranks can talk.
#pragma once

namespace mpix::base {

// `variable` is one that the launcher sets for its ranks, and has not itself.
int cores_of_job(const char* variable);

// Those on which this process may run.
int own_cores();

// Whether the kernel shares cores out among sessions, and this rank is in another than its
// launcher, which has made one of each rank: then its yields reach no other rank. True also of
// control groups with shares of their own, where the kernel does not look at sessions.
bool is_apart_from_job(const char* variable);

} // namespace mpix::base
