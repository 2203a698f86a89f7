// SPDX-License-Identifier: BSD-3-Clause
//
// Each rank makes the text of its own events, when its turn has come, and sends it in pieces: the
// writer holds one of them at a time.
#include "comm/trace_file.hpp"

#include "base/json.hpp"
#include "base/settings.hpp"
#include "comm/clocks.hpp"
#include "comm/creations.hpp"
#include "comm/exchange.hpp"
#include "progress/trace_text.hpp"

#include <array>
#include <cerrno>
#include <cinttypes>
#include <climits>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mpix::comm {
namespace {

using progress::trace;

// Of all processes, once they know that somebody wants a trace.
struct Tracing {
    Tracing(MPI_Comm of, int by) : comm(of), writer(by), clocks(of, by), first(clocks.read()) {}

    const MPI_Comm comm;
    const int writer;
    const Clocks clocks;
    const ClockReading first;
};
std::unique_ptr<Tracing>& tracing() {
    static auto& all = *new std::unique_ptr<Tracing>; // never destroyed
    return all;
}

// Of MPIX_TRACE, and of what is written to it.
class File {
  public:
    explicit File(std::string name)
        : name_(std::move(name)), file_(std::fopen(name_.c_str(), "w"), std::fclose) {
        if (!file_) report(errno);
    }
    bool is_open() const { return file_ != nullptr; }
    const std::string& name() const { return name_; }

    void write(const std::string& text) {
        if (!has_failed_ && std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size())
            report(errno);
    }
    void close() {
        if (std::fclose(file_.release()) != 0 && !has_failed_) report(errno);
    }

  private:
    void report(int error) {
        has_failed_ = true;
        std::fprintf(stderr, "mpix: MPIX_TRACE=%s cannot be written: %s\n", name_.c_str(),
                     std::strerror(error));
    }

    const std::string name_;
    bool has_failed_ = false;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

int rank_in(MPI_Comm comm) {
    int rank = 0;
    HOST(Comm_rank)(comm, &rank);
    return rank;
}

// No memory for it: then the rest of this rank is not there.
void write_own(int rank, const progress::TraceClock& clock,
               const std::function<void(const std::string&)>& take) {
    try {
        progress::write_trace_text(trace(), rank, clock, take);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "mpix: no memory for the trace of rank %d\n", rank);
    }
}

void send_piece(const Tracing& with, const std::string& piece) {
    MPI_Request request = MPI_REQUEST_NULL;
    host::check(HOST(Isend)(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, with.writer,
                            host::tag_limit(with.comm), with.comm, &request));
    host::check(progress::wait_for(request));
}

// Into one with room for it. Empty: it was the last.
void receive_piece(const Tracing& with, int rank, std::string& piece) {
    MPI_Request request = MPI_REQUEST_NULL;
    int size = 0;
    piece.resize(progress::trace_piece);
    host::check(HOST(Irecv)(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, rank,
                            host::tag_limit(with.comm), with.comm, &request));
    MPI_Status status;
    host::check(progress::wait_for(request, &status));
    HOST(Get_count)(&status, MPI_BYTE, &size);
    piece.resize(static_cast<std::size_t>(size));
}

// What the ranks tell before they write.
struct Sums {
    std::int64_t dropped = 0; // events
    std::int64_t clock_error = 0;
    std::int64_t plans = 0;
};

void write_all(File& file, const Tracing& with, const progress::TraceClock& clock, int ranks,
               const Sums& sums, std::string& piece) {
    bool is_first = true;
    const auto write = [&](const std::string& text) {
        file.write((is_first ? "" : ",\n") + text);
        is_first = false;
    };
    file.write("{\"traceEvents\":[\n");
    for (int rank = 0; rank < ranks; ++rank) {
        if (rank == with.writer) {
            write_own(rank, clock, write);
            continue;
        }
        while (receive_piece(with, rank, piece), !piece.empty()) write(piece);
    }
    char end[256];
    std::snprintf(
        end, sizeof end,
        "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"ranks\":%d,\"dropped_events\":"
        "%" PRId64 ",\"clock_error_ns\":%" PRId64 "}}\n",
        ranks, sums.dropped, sums.clock_error);
    file.write(end);
    file.close();
}

// What a reader would look for in vain.
void report_missing(const File& file, const Sums& sums) {
    const base::Settings& settings = base::settings();
    if (sums.plans == 0 && settings.MPIX_TRACE_EVENTS > 0 && !settings.MPIX_DISABLE)
        std::fprintf(
            stderr,
            "mpix: no operation is in %s: none ran on a plan, as plain collectives do with "
            "MPIX_AUTO=1\n",
            file.name().c_str());
    if (sums.dropped == 0) return;
    std::fprintf(stderr,
                 "mpix: %" PRId64
                 " events are not in %s: MPIX_TRACE_EVENTS=%d is the room of a rank\n",
                 sums.dropped, file.name().c_str(), base::settings().MPIX_TRACE_EVENTS);
}

// From the first reading to the last the clocks are taken to run evenly.
progress::TraceClock clock_between(const ClockReading& first, const ClockReading& last) {
    progress::TraceClock clock{.own = first.own, .common = first.keeper};
    if (last.own > first.own)
        clock.pace = static_cast<double>(last.keeper - first.keeper) /
                     static_cast<double>(last.own - first.own);
    return clock;
}

// One that is told ticks.
progress::TraceClock in_ticks(progress::TraceClock clock, const progress::Ticks::Scale& scale) {
    clock.common +=
        static_cast<std::int64_t>(static_cast<double>(scale.time - clock.own) * clock.pace);
    clock.own = scale.ticks;
    clock.pace *= scale.tick_ns;
    return clock;
}

void write_with(const Tracing& with) {
    trace().end();
    const int rank = rank_in(with.comm);
    int ranks = 1;
    HOST(Comm_size)(with.comm, &ranks);
    const Ranks all{.comm = with.comm, .self = rank, .count = ranks};
    const ClockReading last = with.clocks.read();
    progress::TraceClock clock = in_ticks(clock_between(with.first, last), progress::ticks.scale());

    std::optional<File> file;
    std::string piece; // with room for any, before the others are told to send theirs
    if (rank == with.writer) {
        file.emplace(base::settings().MPIX_TRACE);
        piece.reserve(progress::trace_piece);
    }
    const auto told = std::make_unique<std::array<std::int64_t, 5>>();
    auto& [can_write, origin, error, dropped, plans] = *told;
    can_write = file && file->is_open();
    origin = rank == with.writer ? trace().origin() : 0;
    dropped = static_cast<std::int64_t>(trace().dropped());
    plans = static_cast<std::int64_t>(trace().plans().size());
    error = std::max(with.first.error, last.error);
    combine(all, told->data(), 3, MPI_INT64_T, MPI_MAX);
    combine(all, &dropped, 2, MPI_INT64_T, MPI_SUM);
    if (!can_write) return;
    clock.origin = origin;
    if (file) {
        const Sums sums{dropped, error, plans};
        write_all(*file, with, clock, ranks, sums, piece);
        return report_missing(*file, sums);
    }
    write_own(rank, clock, [&](const std::string& text) { send_piece(with, text); });
    send_piece(with, {});
}

} // namespace

void begin_trace() noexcept try {
    const MPI_Comm control = control_of_world();
    if (control == MPI_COMM_NULL) return;
    const bool is_wanted = !base::settings().MPIX_TRACE.empty();
    const auto first = std::make_unique<int>(is_wanted ? rank_in(control) : INT_MAX);
    combine({.comm = control}, first.get(), 1, MPI_INT, MPI_MIN);
    if (*first == INT_MAX) return;
    tracing() = std::make_unique<Tracing>(control, *first);
    if (is_wanted) trace().begin(static_cast<std::size_t>(base::settings().MPIX_TRACE_EVENTS));
} catch (...) {
    std::fputs("mpix: nothing is traced: no memory, or the host refuses\n", stderr);
}

void write_trace() noexcept try {
    if (const std::unique_ptr<Tracing> with = std::exchange(tracing(), nullptr)) write_with(*with);
} catch (...) {
    std::fputs("mpix: the trace is not whole: no memory, or the host refuses\n", stderr);
}

} // namespace mpix::comm
