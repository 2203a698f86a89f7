// SPDX-License-Identifier: BSD-3-Clause
//
// Turn by turn.
#include "progress/host_race.hpp"

#include "shmem/preference.hpp"

namespace mpix::progress {

// A trial ends when the round after its last begins.
static_assert(Race::settling > shmem::Preference::trial);

std::size_t HostRace::begin() {
    if (is_over_) return race_.winner(times_);
    const bool have_to_meet = race_.have_to_meet();
    if (have_to_meet || race_.is_over()) {
        if (!have_to_meet) times_ = race_.times();
        is_comparing_ = true;
        return race_.host();
    }
    race_.begin();
    return race_.next();
}

bool HostRace::end() {
    if (is_over_) return true;
    if (!is_comparing_) {
        race_.end();
        return true;
    }
    is_comparing_ = false;
    if (race_.have_to_meet()) {
        race_.have_met();
        return false;
    }
    is_over_ = true;
    tell_(times_, race_.winner(times_));
    return false;
}

} // namespace mpix::progress
