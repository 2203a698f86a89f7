// SPDX-License-Identifier: BSD-3-Clause
//
// What `mpix-bench partitioned` and `mpix-bench channel` tell: a table for people, or one JSON
// document. On rank 0 alone.
#pragma once

#include "bench/collectives/report.hpp"
#include "bench/common/race.hpp"

#include <memory>

namespace mpix::bench {

struct Part {
    std::string_view name; // on the command line and in JSON
    const char* text;      // for people
    void (*race)(const Scene&);
};

// A subcommand: what stands behind mpix-bench on the command line.
struct Suite {
    const char* name;
    const char* usage;
    std::span<const Part> parts;
};

class PartReport {
  public:
    virtual ~PartReport() = default;
    virtual void begin(const Setting& setting, const Floors& floors, const char* thread_level) = 0;
    virtual void add(const Row& row) = 0;
    virtual void end(double seconds) = 0;
};

std::unique_ptr<PartReport> make_part_table(const Suite& suite, bool medians);
std::unique_ptr<PartReport> make_part_json();

} // namespace mpix::bench
