// SPDX-License-Identifier: BSD-3-Clause
//
// Partitioned requests that are used once: a send to the other of two ranks and a receive from it
// are made, started, marked, waited for and freed.
#include "bench/common/direction.hpp"
#include "bench/common/pattern.hpp"
#include "bench/partitioned/parts.hpp"

#include <array>
#include <memory>

namespace mpix::bench {

namespace {

constexpr int partitions = 2;

struct Kind {
    const char* name;
    bool ours;
};

constexpr std::array<Kind, 2> kinds{{{"host", false}, {"mpix", true}}};

class Life {
  public:
    Life(const Kind& kind, const Functions& by, std::size_t bytes, int tag, const Scene& scene)
        : ranks_(scene.ranks), by_(by), info_(kind.ours ? scene.info : MPI_INFO_NULL), tag_(tag),
          bytes_(bytes), elements_(static_cast<int>(bytes / sizeof(double))),
          out_(allocate(Memory::heap, bytes / sizeof(double))),
          in_(allocate(Memory::heap, bytes / sizeof(double))) {}

    Verdict verdict() const {
        return ranks_.everywhere(out_ && in_) ? Verdict::right : Verdict::missing;
    }
    Batch batch(int iterations);

  private:
    bool once();

    const Ranks& ranks_;
    const Functions& by_;
    const MPI_Info info_;
    const int rank_ = ranks_.rank(), peer_ = rank_ ^ 1, tag_;
    const std::size_t bytes_;
    const int elements_;
    const Room out_, in_;
    int serial_ = 0;
};

bool Life::once() {
    const auto open = [&](double* buffer, bool sends) {
        return Channel(by_, Form::partitioned,
                       Traffic{buffer, bytes_, partitions, peer_, tag_, sends}, ranks_.comm(),
                       info_);
    };
    Channel sending = open(out_.get(), true), receiving = open(in_.get(), false);
    if (!sending.made() || !receiving.made()) return false;
    const int started = receiving.start() | sending.start();
    return (started | sending.mark_one_by_one() | sending.wait_with(receiving)) == MPI_SUCCESS;
}

// A rank without another only takes part in the barrier.
Batch Life::batch(int iterations) {
    ranks_.barrier();
    Batch batch{0.1};
    if (peer_ >= ranks_.size()) return batch;
    write_pattern(out_.get(), elements_, first_element(rank_, ++serial_));
    batch.right &= once(); // brings the ranks into step
    const auto began = Clock::now();
    for (int iteration = 0; iteration < iterations; ++iteration) batch.right &= once();
    batch.whole = (nanoseconds(Clock::now() - began) - clock_cost()) / iterations;
    batch.right &= holds_pattern(in_.get(), elements_, first_element(peer_, serial_), 1);
    return batch;
}

} // namespace

void race_lives(const Scene& scene) {
    const Functions host = functions_of(scene.host);
    for (const std::size_t bytes : {std::size_t{64}, std::size_t{64} << 10}) {
        const Racers racers = race_kinds(kinds, scene, [&](const Kind& kind, int number) {
            const Functions& by = kind.ours ? linked_functions() : host;
            return by.has_partitions() ? std::make_unique<Life>(kind, by, bytes, number, scene)
                                       : nullptr;
        });
        Row row{"life", {{"bytes", static_cast<std::int64_t>(bytes)}}};
        for (const Racer& racer : racers) row.add_time(racer);
        row.add_ratio(racers[0], racers[1], "vs host");
        scene.tell(row);
    }
}

} // namespace mpix::bench
