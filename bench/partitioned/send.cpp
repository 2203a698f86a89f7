// SPDX-License-Identifier: BSD-3-Clause
//
// A message there and one back between each two ranks, all partitions ready at once.
#include "bench/common/direction.hpp"
#include "bench/common/pattern.hpp"
#include "bench/partitioned/parts.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace mpix::bench {

namespace {

enum class Marking { none, one_by_one, range };

struct Kind {
    const char* name;
    bool ours;
    Marking marking;
    Memory memory;
};

constexpr std::array<Kind, 6> kinds{{
    {"host persistent", false, Marking::none, Memory::heap},
    {"host loop", false, Marking::one_by_one, Memory::heap},
    {"host range", false, Marking::range, Memory::heap},
    {"mpix loop", true, Marking::one_by_one, Memory::heap},
    {"mpix range", true, Marking::range, Memory::heap},
    {"mpix arena", true, Marking::range, Memory::arena},
}};

// Rank 2n and the next.
class Exchange {
  public:
    Exchange(const Kind& kind, const Functions& by, std::size_t bytes, int partitions, int tag,
             const Scene& scene);

    Verdict verdict() const;
    Batch batch(int iterations);

  private:
    bool is_alone() const { return peer_ >= scene_.ranks.size(); }
    bool leads() const { return rank_ < peer_; }
    double once(bool& right);
    int send();
    int turn();

    const Scene& scene_;
    const Marking marking_;
    const int rank_ = scene_.ranks.rank(), peer_ = rank_ ^ 1;
    const int elements_;
    const Room out_, in_;
    std::unique_ptr<Channel> sending_, receiving_;
    int serial_ = 0;
};

Exchange::Exchange(const Kind& kind, const Functions& by, std::size_t bytes, int partitions,
                   int tag, const Scene& scene)
    : scene_(scene), marking_(kind.marking), elements_(static_cast<int>(bytes / sizeof(double))),
      out_(allocate(kind.memory, bytes / sizeof(double))),
      in_(allocate(kind.memory, bytes / sizeof(double))) {
    if (is_alone() || !out_ || !in_) return;
    const Form form = kind.marking == Marking::none ? Form::whole : Form::partitioned;
    const MPI_Info info = kind.ours ? scene.info : MPI_INFO_NULL;
    const auto open = [&](double* buffer, bool sends) {
        return std::make_unique<Channel>(by, form,
                                         Traffic{buffer, bytes, partitions, peer_, tag, sends},
                                         scene.ranks.comm(), info);
    };
    sending_ = open(out_.get(), true);
    receiving_ = open(in_.get(), false);
}

Verdict Exchange::verdict() const {
    if (!scene_.ranks.everywhere(out_ && in_)) return Verdict::missing;
    const bool made = is_alone() || (sending_->made() && receiving_->made());
    return scene_.ranks.everywhere(made) ? Verdict::right : Verdict::wrong;
}

int Exchange::send() {
    const int started = sending_->start();
    if (marking_ == Marking::one_by_one) return started | sending_->mark_one_by_one();
    return marking_ == Marking::range ? started | sending_->mark_range() : started;
}

// Who answers sends when all has come.
int Exchange::turn() {
    int code = receiving_->start();
    if (!leads()) code |= receiving_->wait();
    code |= send();
    code |= leads() ? sending_->wait_with(*receiving_) : sending_->wait();
    return code;
}

double Exchange::once(bool& right) {
    write_pattern(out_.get(), elements_, first_element(rank_, ++serial_));
    const auto began = Clock::now();
    right &= turn() == MPI_SUCCESS;
    return nanoseconds(Clock::now() - began);
}

Batch Exchange::batch(int iterations) {
    scene_.ranks.barrier();
    Batch batch{0.1};
    if (is_alone()) return batch;
    once(batch.right); // brings the ranks into step
    double sum = 0;
    for (int iteration = 0; iteration < iterations; ++iteration) sum += once(batch.right);
    batch.right &= holds_pattern(in_.get(), elements_, first_element(peer_, serial_), 1);
    if (leads()) batch.whole = std::max(0.1, (sum / iterations - clock_cost()) / 2);
    return batch;
}

Row row_of(std::size_t bytes, int partitions, const Racers& racers) {
    Row row{"send", {{"bytes", static_cast<std::int64_t>(bytes)}, {"partitions", partitions}}};
    for (const Racer& racer : racers) row.add_time(racer);
    for (std::size_t ours = 3; ours < kinds.size(); ++ours)
        row.add_ratio(racers[kinds[ours].marking == Marking::range ? 2 : 1], racers[ours],
                      "vs parts");
    for (std::size_t ours = 3; ours < kinds.size(); ++ours)
        row.add_ratio(racers[0], racers[ours], "vs whole");
    return row;
}

void race_one(std::size_t bytes, int partitions, const Functions& host, const Scene& scene) {
    const Racers racers = race_kinds(kinds, scene, [&](const Kind& kind, int number) {
        const Functions& by = kind.ours ? linked_functions() : host;
        const bool exists = kind.marking == Marking::none || by.has_partitions();
        return exists ? std::make_unique<Exchange>(kind, by, bytes, partitions, number, scene)
                      : nullptr;
    });
    scene.tell(row_of(bytes, partitions, racers));
}

} // namespace

void race_sends(const Scene& scene) {
    const Functions host = functions_of(scene.host);
    std::vector<std::size_t> sizes{8, 64 << 10, 1 << 20, 4 << 20};
    std::vector<int> counts{1, 2, 4, 8, 16, 32, 64, 128};
    if (scene.quick) {
        sizes = {8, 64 << 10};
        counts = {1, 8};
    }
    if (!scene.sizes.empty()) sizes = scene.sizes;
    if (!scene.partitions.empty()) counts = scene.partitions;
    for (const std::size_t bytes : sizes)
        for (const int partitions : counts)
            if (bytes % static_cast<std::size_t>(partitions) == 0)
                race_one(bytes, partitions, host, scene);
}

} // namespace mpix::bench
