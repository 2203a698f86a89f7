// SPDX-License-Identifier: BSD-3-Clause
#include "bench/suite.hpp"

#include "bench/common/program.hpp"
#include "bench/common/progress.hpp"
#include "bench/common/race_options.hpp"

#include <algorithm>
#include <string_view>

namespace mpix::bench {

namespace {

const char* name_of_level() {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (level == MPI_THREAD_MULTIPLE) return "MPI_THREAD_MULTIPLE";
    if (level == MPI_THREAD_SERIALIZED) return "MPI_THREAD_SERIALIZED";
    return level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SINGLE";
}

bool is_multiple() {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
}

// What the inits of mpix are given.
class Transport {
  public:
    explicit Transport(const std::string& name) {
        if (name.empty()) return;
        MPI_Info_create(&info_);
        MPI_Info_set(info_, "mpix_transport", name.c_str());
    }
    ~Transport() {
        if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
    }
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    MPI_Info info() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

int run(const Suite& suite, const PartOptions& options) {
    const auto began = Clock::now();
    const Placement placement = place_ranks();
    const HostLibrary host;
    const Ranks ranks(host);
    const Transport transport(options.transport);
    const auto report = options.json ? make_part_json() : make_part_table(suite, options.medians);
    const bool tells = ranks.rank() == 0;
    const Floors floors = measure_floors(host, ranks);
    if (tells)
        report->begin({host.version(), host.path(), ranks.size(), placement, {}}, floors,
                      name_of_level());
    bool right = true;
    const auto wants = [&](const Part& part) {
        return options.parts.empty() || std::ranges::count(options.parts, part.name) > 0;
    };
    Progress progress(static_cast<int>(std::ranges::count_if(suite.parts, wants)), stdout, tells);
    const Scene scene{host,
                      ranks,
                      options.pace(),
                      options.quick,
                      is_multiple(),
                      transport.info(),
                      options.partitions,
                      options.sizes,
                      options.contenders,
                      [&](const Row& row) {
                          right &= row.right();
                          if (!tells) return;
                          progress.erase();
                          report->add(row);
                          progress.show();
                      }};
    for (const Part& part : suite.parts) {
        if (!wants(part)) continue;
        progress.next(std::string(part.name));
        part.race(scene);
    }
    progress.erase();
    if (tells) report->end(nanoseconds(Clock::now() - began) / 1e9);
    return right ? 0 : 1;
}

} // namespace

int run_suite(const Suite& suite, int argc, char** argv) {
    std::string complaint;
    const auto options = read_part_options(argc - 1, argv + 1, suite, complaint);
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv,
                    options && options->multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED,
                    &level);
    const std::string name = std::string("mpix-bench ") + suite.name;
    const int status =
        run_line(name.c_str(), suite.usage, options, complaint,
                 [&](const PartOptions& understood) { return run(suite, understood); });
    MPI_Finalize();
    return status;
}

} // namespace mpix::bench
