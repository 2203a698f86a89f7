// SPDX-License-Identifier: BSD-3-Clause
//
// Turn by turn.
#include "progress/host_race.hpp"

#include "shmem/preference.hpp"

namespace mpix::progress {

static_assert(Race::settling >= shmem::Preference::trial);

HostRace::Turn HostRace::begin() {
    if (is_over_) return turn_ = times_.is_host_quicker() ? Turn::host : Turn::plan;
    if (race_.is_over()) {
        times_ = race_.times();
        return turn_ = Turn::compare;
    }
    race_.begin();
    return turn_ = race_.next() == Race::Way::plan ? Turn::plan : Turn::host;
}

bool HostRace::end() {
    if (is_over_) return true;
    if (turn_ != Turn::compare) {
        race_.end();
        return true;
    }
    is_over_ = true;
    tell_(times_);
    return false;
}

} // namespace mpix::progress
