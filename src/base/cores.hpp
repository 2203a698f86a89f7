// SPDX-License-Identifier: BSD-3-Clause
//
// The cores that the ranks of this job share on this node. Nobody is asked: it is needed before
// ranks can talk.
#pragma once

namespace mpix::base {

// `variable` is one that the launcher sets for its ranks, and has not itself.
int cores_of_job(const char* variable);

// Those on which this process may run.
int own_cores();

} // namespace mpix::base
