// SPDX-License-Identifier: BSD-3-Clause
//
// Who touched which bytes of one buffer last. A solver writes its steps in program order; the
// ledger turns that order into the dependencies that the data really have: read after write, write
// after read, write after write, and nothing else.
#pragma once

#include "plan/plan.hpp"

#include <boost/container/small_vector.hpp>

#include <map>

namespace mpix::plan {

using Needs = boost::container::small_vector<StepId, 8>;

// A gate among the steps that others wait for. All wait for the one that opens at Start.
constexpr StepId id_of_gate(std::size_t gate) { return -1 - static_cast<StepId>(gate); }
constexpr bool is_gate(StepId id) { return id < 0; }
constexpr std::size_t gate_of(StepId id) { return static_cast<std::size_t>(-1 - id); }
inline constexpr StepId at_start = id_of_gate(0);

class Ledger {
  public:
    // Records that `step` reads (writes) [begin, end) and appends the steps it must wait for.
    void read(Bytes begin, Bytes end, StepId step, Needs& needs);
    void write(Bytes begin, Bytes end, StepId step, Needs& needs);

  private:
    struct Entry {
        Bytes end;
        StepId writer;
        boost::container::small_vector<StepId, 2> readers;
    };
    using Entries = std::map<Bytes, Entry>;

    Entries::iterator split(Bytes at);

    Entries entries_; // disjoint, by first byte; bytes in no entry were never touched
};

} // namespace mpix::plan
