// SPDX-License-Identifier: BSD-3-Clause
//
// Early-bird communication: one message in partitions that become ready over some work. The
// measures beside the gained share are those of Temucin, Grant and Afsahi, "Micro-benchmarking MPI
// Partitioned Point-to-Point Communication", ICPP 2022, after Schonbein and others, "Measuring
// Multithreaded Message Matching Misery" and Grant and others, "Finepoints", ISC 2019.
#include "bench/common/direction.hpp"
#include "bench/common/pattern.hpp"
#include "bench/partitioned/parts.hpp"
#include "bench/partitioned/pipeline.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace mpix::bench {

namespace {

constexpr int partitions = 16;
constexpr double work_time = 1e6; // nanoseconds

enum class When { never, at_once, early };

struct Kind {
    const char* name;
    bool ours;
    Form form;
    When work;
    bool sends;
    int partitions; // that are sent
    Memory memory;
};

enum {
    work,
    message,
    last,
    late,
    host_at_once,
    host_early,
    our_message,
    our_last,
    our_early,
    arena_at_once,
    arena_early
};

constexpr std::array<Kind, 11> kinds{{
    {"work alone", false, Form::whole, When::early, false, partitions, Memory::heap},
    {"host message", false, Form::whole, When::never, true, partitions, Memory::heap},
    {"host partition", false, Form::whole, When::never, true, 1, Memory::heap},
    {"host work+message", false, Form::whole, When::early, true, partitions, Memory::heap},
    {"host at-once", false, Form::partitioned, When::never, true, partitions, Memory::heap},
    {"host early", false, Form::partitioned, When::early, true, partitions, Memory::heap},
    {"mpix at-once", true, Form::partitioned, When::never, true, partitions, Memory::heap},
    {"mpix partition", true, Form::partitioned, When::never, true, 1, Memory::heap},
    {"mpix early", true, Form::partitioned, When::early, true, partitions, Memory::heap},
    {"mpix arena-at-once", true, Form::partitioned, When::never, true, partitions, Memory::arena},
    {"mpix arena-early", true, Form::partitioned, When::early, true, partitions, Memory::arena},
}};

// What rank 2n sends to the next.
struct Cargo {
    Cargo(Memory memory, const Scene& scene)
        : rank(scene.ranks.rank()), peer(rank ^ 1), elements(bytes / sizeof(double)),
          is_paired(peer < scene.ranks.size()), sends(rank < peer && is_paired),
          buffer(allocate(memory, elements)) {}

    void write(int partition, int number) const {
        const int count = elements / partitions, first = partition * count;
        write_pattern(buffer.get() + first, count, first_element(rank, number) + first);
    }
    bool right(int count, int number) const {
        if (sends || !is_paired) return true;
        return holds_pattern(buffer.get(), elements / partitions * count,
                             first_element(peer, number), 1);
    }

    static constexpr std::size_t bytes = 4 << 20;
    const int rank, peer, elements;
    const bool is_paired, sends;
    const Room buffer;
    int serial = 0;
};

// One kind of going there.
class Flight {
  public:
    Flight(const Kind& kind, const Functions& by, Cargo& cargo, const Work& work, int tag,
           const Scene& scene);

    Verdict verdict(const Ranks& ranks) const {
        return ranks.everywhere(!cargo_.is_paired || !kind_.sends || channel_->made())
                   ? Verdict::right
                   : Verdict::wrong;
    }
    Batch batch(int iterations) { return run(pipeline_, iterations, cargo_.serial, ranks_); }

  private:
    void receive();
    void send();
    int send_whole();

    const Kind& kind_;
    Cargo& cargo_;
    const Ranks& ranks_;
    std::unique_ptr<Channel> channel_;
    Pipeline pipeline_;
};

Flight::Flight(const Kind& kind, const Functions& by, Cargo& cargo, const Work& work, int tag,
               const Scene& scene)
    : kind_(kind), cargo_(cargo), ranks_(scene.ranks) {
    if (!cargo.is_paired) return;
    if (kind.sends) {
        const Traffic traffic{cargo.buffer.get(),
                              cargo.bytes / partitions * static_cast<std::size_t>(kind.partitions),
                              kind.partitions,
                              cargo.peer,
                              tag,
                              cargo.sends};
        channel_ = std::make_unique<Channel>(by, kind.form, traffic, scene.ranks.comm(),
                                             kind.ours ? scene.info : MPI_INFO_NULL);
    }
    if (cargo.sends && kind.work == When::early) {
        pipeline_.items = partitions;
        pipeline_.make = [&](int item, int serial) {
            cargo.write(item, serial);
            work(1);
        };
    } else if (cargo.sends) {
        pipeline_.prepare = [&](int serial) {
            for (int item = 0; item < kind.partitions; ++item) cargo.write(item, serial);
        };
    }
    if (kind.sends) cargo.sends ? send() : receive();
}

void Flight::receive() {
    pipeline_.start = [this] { return channel_->start(); };
    pipeline_.finish = [this] { return channel_->wait(); };
    pipeline_.right = [this](int serial) { return cargo_.right(kind_.partitions, serial); };
}

void Flight::send() {
    if (kind_.form == Form::whole || kind_.work == When::never) {
        pipeline_.finish = [this] { return send_whole(); };
        return;
    }
    pipeline_.start = [this] { return channel_->start(); };
    pipeline_.hand_over = [this](int item) { return channel_->mark(item); };
    pipeline_.finish = [this] { return channel_->wait(); };
}

int Flight::send_whole() {
    int code = channel_->start();
    if (kind_.form == Form::partitioned) code |= channel_->mark_range();
    return code | channel_->wait();
}

// Of what could be gained: to be done when the last partition, sent as fast as anyone sends it, is
// there, or a message as long as all, if that takes longer. Work takes as long as where a message
// follows: writing what another core has read is slower than writing what nobody has.
double gained(const Racers& of, const Racer& early, double Spread::*statistic) {
    const auto time = [&](int kind) { return of[static_cast<std::size_t>(kind)].whole.*statistic; };
    const double worked = time(late) - of[late].after.*statistic;
    const double end = std::max(worked + std::min(time(last), time(our_last)), time(message));
    return 100 * (time(late) - early.whole.*statistic) / (time(late) - end);
}

void add_metrics(Row& row, const Racers& of, const Racer& early, const Racer& at_once) {
    const Racer& single = of[message];
    constexpr int needed[] = {work, message, last, late, our_last};
    const bool exists = std::ranges::all_of(needed, [&](int kind) {
        return of[static_cast<std::size_t>(kind)].verdict == Verdict::right;
    });
    const auto add = [&](const char* what, Unit unit, auto make) {
        row.add(early, what, unit, exists, make);
    };
    add("gained", Unit::percent,
        [&](double Spread::*statistic) { return gained(of, early, statistic); });
    add("overhead", Unit::ratio, [&](double Spread::*statistic) {
        return at_once.whole.*statistic / (single.whole.*statistic);
    });
    add("bandwidth", Unit::gigabytes,
        [&](double Spread::*statistic) { return Cargo::bytes / (early.after.*statistic); });
    add("available", Unit::percent, [&](double Spread::*statistic) {
        return 100 * (1 - early.after.*statistic / (single.whole.*statistic));
    });
}

// Everyone's row has the names of the first in its columns.
void tell(const char* name, Racers of, int at_once, int early, const Scene& scene) {
    const auto who = [&](int kind) -> Racer& { return of[static_cast<std::size_t>(kind)]; };
    who(at_once).name = "at-once";
    who(early).name = "early";
    Row row{"early", {{"bytes", Cargo::bytes}, {"partitions", partitions}}, name};
    const int shown[] = {work, message, last, our_last, late, at_once, early};
    for (const int kind : shown) row.add_time(who(kind));
    row.add_time(who(early), "after", &Racer::after);
    add_metrics(row, of, who(early), who(at_once));
    scene.tell(row);
}

} // namespace

void race_early_birds(const Scene& scene) {
    calibrate_burning();
    const Functions host = functions_of(scene.host);
    Cargo heap(Memory::heap, scene), arena(Memory::arena, scene);
    const Work work(work_time / partitions, [&] { heap.write(0, 0); });
    Racers racers;
    std::vector<std::unique_ptr<Flight>> flights;
    for (const Kind& kind : kinds) {
        Racer& racer = racers.emplace_back(Racer{.name = kind.name});
        const Functions& by = kind.ours ? linked_functions() : host;
        Cargo& cargo = kind.memory == Memory::heap ? heap : arena;
        const bool exists = kind.form == Form::whole || by.has_partitions();
        if (!exists || !scene.wants(kind.name) || !scene.ranks.everywhere(cargo.buffer != nullptr))
            continue;
        auto& flight = flights.emplace_back(std::make_unique<Flight>(
            kind, by, cargo, work, static_cast<int>(racers.size()), scene));
        racer.verdict = flight->verdict(scene.ranks);
        racer.runner.run = [&flight = *flight](int iterations) { return flight.batch(iterations); };
    }
    race(racers, scene.pace, scene.ranks);
    tell("host", racers, host_at_once, host_early, scene);
    tell("mpix", racers, our_message, our_early, scene);
    tell("mpix arena", racers, arena_at_once, arena_early, scene);
}

} // namespace mpix::bench
