// SPDX-License-Identifier: BSD-3-Clause
//
// Counting, and bringing the counters of the ranks together. A rank may have kinds of plans that
// others have not: so each sends what it has, by name.
#include "progress/statistics.hpp"

#include "base/settings.hpp"
#include "host/host.hpp"
#include "progress/counters.hpp"
#include "progress/engine.hpp"
#include "progress/statistics_json.hpp"
#include "progress/statistics_table.hpp"
#include "progress/waiting.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <utility>

namespace mpix::progress {
namespace {

// How one entry travels.
struct Parcel {
    static constexpr std::size_t longest = 48;
    char kind[3][longest] = {};
    Counters counters;
};

std::vector<Parcel> pack() {
    std::vector<Parcel> parcels;
    const Engine::Guard guard(engine()); // a session may still be at work in another thread
    const std::lock_guard lock(all_counters().mutex);
    for (auto& [kind, counters] : all_counters().by_kind) {
        Parcel& parcel = parcels.emplace_back();
        for (std::size_t i = 0; i < kind.size(); ++i)
            std::memcpy(parcel.kind[i], kind[i].data(),
                        std::min(kind[i].size(), Parcel::longest - 1));
        parcel.counters = look(counters);
    }
    return parcels;
}

CountersByKind unpack(const std::vector<Parcel>& parcels) {
    CountersByKind all;
    for (const Parcel& parcel : parcels)
        all[{parcel.kind[0], parcel.kind[1], parcel.kind[2]}].push_back(parcel.counters);
    return all;
}

// On rank 0 those of all. Nonblocking, as ranks may outnumber cores. Empty where it fails.
std::vector<Parcel> gather(const std::vector<Parcel>& own, int rank, int ranks) {
    const MPI_Comm world = MPI_COMM_WORLD;
    const bool is_root = rank == 0;
    const int bytes = static_cast<int>(own.size() * sizeof(Parcel));
    std::vector<int> sizes(static_cast<std::size_t>(ranks)), places(sizes);
    MPI_Request request = MPI_REQUEST_NULL;
    if (HOST(Igather)(&bytes, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, world, &request) ||
        wait_for(request))
        return {};
    std::exclusive_scan(sizes.begin(), sizes.end(), places.begin(), 0);
    const auto size = static_cast<std::size_t>(places.back() + sizes.back());
    std::vector<Parcel> all(is_root ? size / sizeof(Parcel) : 0);
    if (HOST(Igatherv)(own.data(), bytes, MPI_BYTE, all.data(), sizes.data(), places.data(),
                       MPI_BYTE, 0, world, &request) ||
        wait_for(request))
        return {};
    return all;
}

// Relaxed: who finalises has synchronised with every thread that used MPI.
constinit std::atomic<bool> does_world_count{false};

void write(const std::string& text, const std::string& name) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "w"),
                                                               std::fclose);
    if (!file || std::fputs(text.c_str(), file.get()) < 0 || std::fflush(file.get()) != 0)
        std::fprintf(stderr, "mpix: MPIX_STATS=json:%s cannot be written: %s\n", name.c_str(),
                     std::strerror(errno));
}

void report_all(const base::Report& wanted, int rank, int ranks) {
    const std::vector<Parcel> all = gather(pack(), rank, ranks);
    if (rank > 0) return;
    const CountersByKind counters = unpack(all);
    if (wanted.is_printed) std::fputs(statistics_table(counters, ranks).c_str(), stderr);
    if (!wanted.json.empty()) write(statistics_json(counters, ranks), wanted.json);
}

// Each has a file of its own, but for the first.
void report_own(const base::Report& wanted, int rank, int ranks) {
    const std::vector<Parcel> own = pack();
    if (own.empty() && rank > 0) return;
    const CountersByKind counters = unpack(own);
    if (!wanted.json.empty())
        write(statistics_json(counters, ranks),
              rank > 0 ? wanted.json + '.' + std::to_string(rank) : wanted.json);
    if (wanted.is_printed)
        std::fprintf(
            stderr,
            "mpix: rank %d alone, as no plan has shown that all ranks have MPIX_STATS=1\n%s", rank,
            statistics_table(counters, ranks).c_str());
}

} // namespace

void begin_statistics() {
    static std::once_flag once;
    if (base::settings().MPIX_STATS.is_wanted()) std::call_once(once, begin_counting);
}

void note_counting(MPI_Comm all) {
    int is_world = 0;
    HOST(Initialized)(&is_world); // else a program of sessions
    if (is_world && host::compare_ranks(all, MPI_COMM_WORLD) != MPI_UNEQUAL)
        does_world_count.store(true, std::memory_order_relaxed);
}

void report_statistics() try {
    static std::once_flag once;
    const base::Report& wanted = base::settings().MPIX_STATS;
    if (!wanted.is_wanted() || base::settings().MPIX_DISABLE) return;
    std::call_once(once, [&] {
        int rank = 0, ranks = 1;
        HOST(Comm_rank)(MPI_COMM_WORLD, &rank);
        HOST(Comm_size)(MPI_COMM_WORLD, &ranks);
        if (does_world_count.load(std::memory_order_relaxed))
            report_all(wanted, rank, ranks);
        else
            report_own(wanted, rank, ranks);
    });
} catch (const std::bad_alloc&) {
    std::fputs("mpix: no memory for the report of MPIX_STATS\n", stderr);
}

} // namespace mpix::progress
