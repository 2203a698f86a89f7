// SPDX-License-Identifier: BSD-3-Clause
//
// What the reports that are files have in common.
#include "bench/collectives/report.hpp"

#include <cstdio>
#include <fstream>

namespace mpix::bench {

bool save(const std::string& file, const markup::Element& root) {
    if (markup::write(file, root)) return true;
    std::fprintf(stderr, "mpix-bench: cannot write %s\n", file.c_str());
    return false;
}

std::string obstacle_to_write(const std::string& file) {
    return std::ofstream(file) ? "" : "cannot write " + file;
}

} // namespace mpix::bench
