// SPDX-License-Identifier: BSD-3-Clause
//
// A rule for each size class, the later before the earlier.
#include "comm/wisdom.hpp"

#include "base/settings.hpp"
#include "comm/selection.hpp"
#include "host/host.hpp"
#include "plan/tuning.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace mpix::comm {
namespace {

std::vector<plan::Rule>& rules() {
    static auto& learnt = *new std::vector<plan::Rule>; // never destroyed
    return learnt;
}

bool is_first() {
    int is_there = 0, rank = 0;
    HOST(Initialized)(&is_there);
    if (is_there) HOST(Comm_rank)(MPI_COMM_WORLD, &rank);
    return is_there && rank == 0;
}

} // namespace

void learn(const RaceResults::About& about, int ranks, bool one_node, const plan::Solver* solver) {
    if (base::settings().MPIX_TUNING_WRITE.empty()) return;
    rules().push_back({.collective = about.collective,
                       .ranks = {ranks, ranks},
                       .bytes = {about.least(), about.most()},
                       .one_node = one_node,
                       .solver = solver});
}

void write_wisdom() noexcept try {
    const std::string& name = base::settings().MPIX_TUNING_WRITE;
    if (name.empty() || !is_first()) return;
    std::string text = tuning_text();
    for (const plan::Rule& rule : rules()) text += to_text(rule);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "w"),
                                                               std::fclose);
    if (!file || std::fputs(text.c_str(), file.get()) < 0 || std::fflush(file.get()) != 0)
        std::fprintf(stderr, "mpix: MPIX_TUNING_WRITE=%s cannot be written: %s\n", name.c_str(),
                     std::strerror(errno));
} catch (const std::bad_alloc&) {
    std::fputs("mpix: no memory for the table of MPIX_TUNING_WRITE\n", stderr);
}

} // namespace mpix::comm
