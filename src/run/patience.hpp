// SPDX-License-Identifier: BSD-3-Clause
//
// How a waiting rank passes its time: it spins a little, then gives its core to whoever needs it.
// Hosts that only spin lose three orders of magnitude when ranks outnumber cores.
#pragma once

#include <sched.h>

namespace mpix::run {

// Whether this job has more ranks on this node than cores, as far as can be seen without asking
// them.
bool is_crowded();

class Patience {
  public:
    void pause() {
        if (polls_ < spins())
            ++polls_;
        else
            sched_yield();
    }

  private:
    // Polls before the first yield: few when ranks outnumber cores, because then the one waited
    // for may need this core. MPIX_YIELD decides otherwise.
    static int spins();

    int polls_ = 0;
};

} // namespace mpix::run
