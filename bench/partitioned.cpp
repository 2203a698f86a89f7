// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned.hpp"

#include "partitioned_options.hpp"
#include "partitioned_parts.hpp"
#include "partitioned_report.hpp"
#include "program.hpp"

#include <algorithm>
#include <string_view>

namespace mpix::bench {

namespace {

constexpr Part all_parts[] = {
    {"send",
     "half a round trip between each two ranks, all partitions ready at once, by MPI_Pready in a\n"
     "loop or by MPI_Pready_range; \"vs parts\": times as fast as the host's own partitioned send\n"
     "marked alike; \"vs whole\": as the host's persistent send of the whole",
     race_sends},
    {"early",
     "from the first work until the message is there. \"gained\" is the share of what could be\n"
     "gained over work+message: (that - early) / (that - max(its work + partition, message)).\n"
     "After Temucin and others (ICPP 2022): \"overhead\" is at-once / message, \"bandwidth\" the\n"
     "perceived one, bytes / time after the last work, \"available\" 1 - that time / message",
     race_early_birds},
    {"pready",
     "a call of MPI_Pready, partitions of 8 bytes: the processor time of a call, and the time "
     "that\n"
     "passes until all are marked, for each. \"min=1\": mpix_min_message_bytes=1; \"one-each\": "
     "and\n"
     "mpix_max_messages=1024",
     race_marks},
    {"allreduce",
     "a vector of partitions of so many bytes, made at 1 ns a byte: from the first work to the "
     "sum,\n"
     "and from when the last rank has made its last part. \"separate\": persistent allreduces of\n"
     "the parts, each started when it is made; \"tested\", \"asked\": and then MPI_Test, or\n"
     "MPI_Parrived, of the oldest that is not there. \"vs\": times as fast as the host's better "
     "way",
     race_allreduces},
    {"halo",
     "rows of uneven cost on a line of ranks, with an end of so many bytes for either neighbour: "
     "from the\n"
     "first work until all ends are there, and from when the last rank has made its last row.\n"
     "Ratios: times as fast as the host's persistent Neighbor_alltoallv after the last row",
     race_halos},
};

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

int run(const PartOptions& options) {
    const auto began = Clock::now();
    const Placement placement = place_ranks();
    const HostLibrary host;
    const Ranks ranks(host);
    const Transport transport(options.transport);
    const auto report = options.json ? make_part_json() : make_part_table(options.medians);
    const bool tells = ranks.rank() == 0;
    const Floors floors = measure_floors(host, ranks);
    if (tells)
        report->begin({host.version(), host.path(), ranks.size(), placement, {}}, floors,
                      name_of_level());
    bool right = true;
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
                          if (tells) report->add(row);
                      }};
    for (const Part& part : parts())
        if (options.parts.empty() || std::ranges::count(options.parts, part.name)) part.race(scene);
    if (tells) report->end(nanoseconds(Clock::now() - began) / 1e9);
    return right ? 0 : 1;
}

} // namespace

std::span<const Part> parts() { return all_parts; }

bool is_partitioned(int argc, char** argv) {
    return argc > 1 && std::string_view(argv[1]) == "partitioned";
}

int run_partitioned(int argc, char** argv) {
    std::string complaint;
    const auto options = read_part_options(argc - 1, argv + 1, complaint);
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv,
                    options && options->multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED,
                    &level);
    const int status = run_line("mpix-bench partitioned", part_usage, options, complaint, run);
    MPI_Finalize();
    return status;
}

} // namespace mpix::bench
