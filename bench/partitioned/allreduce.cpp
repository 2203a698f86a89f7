// SPDX-License-Identifier: BSD-3-Clause
//
// A vector that is made part by part and summed over the ranks: a partitioned allreduce, against
// the host's persistent allreduces of the parts, each started when its part is made.
#include "bench/common/direction.hpp"
#include "bench/common/pattern.hpp"
#include "bench/partitioned/parts.hpp"
#include "bench/partitioned/pipeline.hpp"

#include <memory>
#include <utility>

namespace mpix::bench {

namespace {

constexpr double work_per_byte = 1; // nanoseconds

struct Kind {
    const char* name;
    bool ours;
    bool asks; // whether the oldest part that has not come has, whenever one more is made
    Memory memory;
};

constexpr Kind kinds[] = {
    {"host separate", false, false, Memory::heap}, {"host tested", false, true, Memory::heap},
    {"mpix marked", true, false, Memory::heap},    {"mpix asked", true, true, Memory::heap},
    {"mpix arena", true, false, Memory::arena},
};

// A rank's share of the vector, and the sum.
struct Vector {
    Vector(Memory memory, int part_count, int elements_each, const Ranks& all)
        : parts(part_count), each(elements_each), ranks(all),
          mine(allocate(memory, static_cast<std::size_t>(parts) * static_cast<std::size_t>(each))),
          sum(allocate(memory, static_cast<std::size_t>(parts) * static_cast<std::size_t>(each))) {}

    void write(int part, int number) const {
        write_pattern(mine.get() + part * each, each,
                      first_element(ranks.rank(), number) + part * each);
    }
    bool right(int number) const {
        double first = 0;
        for (int rank = 0; rank < ranks.size(); ++rank) first += first_element(rank, number);
        return holds_pattern(sum.get(), parts * each, first, ranks.size());
    }

    const int parts, each;
    const Ranks& ranks;
    const Room mine, sum;
    int serial = 0;
};

// One request for all parts, or one for each.
class Summing {
  public:
    Summing(const Kind& kind, const Functions& by, decltype(MPI_Allreduce_init)* init,
            Vector& vector, const Work& work, const Scene& scene);
    ~Summing();
    Summing(const Summing&) = delete;
    Summing& operator=(const Summing&) = delete;

    Verdict verdict() const {
        return vector_.ranks.everywhere(made_) ? Verdict::right : Verdict::wrong;
    }
    Batch batch(int iterations) {
        return run(pipeline_, iterations, vector_.serial, vector_.ranks);
    }

  private:
    void bind_ours(MPI_Info info, bool asks);
    void bind_host(decltype(MPI_Allreduce_init)* init, bool asks);
    int mark_part(int part, bool asks);
    int start_part(int part, bool asks);
    int wait_for_rest();

    const Functions& by_;
    Vector& vector_;
    std::vector<MPI_Request> requests_;
    int complete_ = 0; // parts in this round
    Pipeline pipeline_;
    bool made_ = true;
};

Summing::Summing(const Kind& kind, const Functions& by, decltype(MPI_Allreduce_init)* init,
                 Vector& vector, const Work& work, const Scene& scene)
    : by_(by), vector_(vector),
      requests_(kind.ours ? 1 : static_cast<std::size_t>(vector.parts), MPI_REQUEST_NULL) {
    pipeline_.items = vector.parts;
    pipeline_.make = [&](int part, int serial) {
        vector.write(part, serial);
        work(1);
    };
    pipeline_.right = [&](int serial) { return vector.right(serial); };
    kind.ours ? bind_ours(scene.info, kind.asks) : bind_host(init, kind.asks);
}

Summing::~Summing() {
    for (MPI_Request& request : requests_)
        if (request != MPI_REQUEST_NULL) by_.free(&request);
}

void Summing::bind_ours(MPI_Info info, bool asks) {
    MPI_Request* const request = requests_.data();
    made_ = MPIX_Pallreduce_init(vector_.mine.get(), vector_.sum.get(), vector_.parts, vector_.each,
                                 MPI_DOUBLE, MPI_SUM, vector_.ranks.comm(), info,
                                 request) == MPI_SUCCESS;
    pipeline_.start = [=, this] {
        complete_ = 0;
        return MPI_Start(request);
    };
    pipeline_.hand_over = [=, this](int part) { return mark_part(part, asks); };
    pipeline_.finish = [=] { return MPI_Wait(request, MPI_STATUS_IGNORE); };
}

void Summing::bind_host(decltype(MPI_Allreduce_init)* init, bool asks) {
    for (int part = 0; part < vector_.parts; ++part)
        made_ &=
            init(vector_.mine.get() + part * vector_.each, vector_.sum.get() + part * vector_.each,
                 vector_.each, MPI_DOUBLE, MPI_SUM, vector_.ranks.comm(), MPI_INFO_NULL,
                 &requests_[static_cast<std::size_t>(part)]) == MPI_SUCCESS;
    pipeline_.hand_over = [=, this](int part) { return start_part(part, asks); };
    pipeline_.finish = [this] { return wait_for_rest(); };
}

int Summing::mark_part(int part, bool asks) {
    int code = MPI_Pready(part, requests_[0]), has_come = asks;
    while (has_come && complete_ <= part) {
        code |= MPI_Parrived(requests_[0], complete_, &has_come);
        complete_ += has_come;
    }
    return code;
}

int Summing::start_part(int part, bool asks) {
    int code = by_.start(&requests_[static_cast<std::size_t>(part)]), done = asks;
    while (done && complete_ <= part) {
        code |= by_.test(&requests_[static_cast<std::size_t>(complete_)], &done, MPI_STATUS_IGNORE);
        complete_ += done;
    }
    return code;
}

int Summing::wait_for_rest() {
    const int first = std::exchange(complete_, 0);
    return by_.waitall(vector_.parts - first, requests_.data() + first, MPI_STATUSES_IGNORE);
}

// The host's better way.
const Racer& best_of_host(const Racers& racers, Spread Racer::*value) {
    const bool is_tested = racers[1].verdict == Verdict::right &&
                           (racers[1].*value).minimum < (racers[0].*value).minimum;
    return racers[is_tested ? 1 : 0];
}

Row row_of(int parts, std::size_t bytes, const Racers& racers) {
    Row row{"allreduce", {{"partitions", parts}, {"bytes", static_cast<std::int64_t>(bytes)}}};
    for (const Racer& racer : racers) row.add_time(racer, "whole");
    for (const Racer& racer : racers) row.add_time(racer, "after", &Racer::after);
    for (const auto& [what, value] :
         {std::pair("whole", &Racer::whole), std::pair("after", &Racer::after)})
        for (const Racer& racer : racers)
            if (racer.ours()) row.add_ratio(best_of_host(racers, value), racer, what, value);
    return row;
}

void race_one(int parts, std::size_t bytes, const Functions& host, const Scene& scene) {
    const int each = static_cast<int>(bytes / sizeof(double));
    auto* const init = scene.host.find<decltype(MPI_Allreduce_init)>("Allreduce_init");
    Vector heap(Memory::heap, parts, each, scene.ranks),
        arena(Memory::arena, parts, each, scene.ranks);
    const Work work(static_cast<double>(bytes) * work_per_byte, [&] { heap.write(0, 0); });
    Racers racers;
    std::vector<std::unique_ptr<Summing>> sums;
    for (const Kind& kind : kinds) {
        Racer& racer = racers.emplace_back(Racer{.name = kind.name});
        Vector& vector = kind.memory == Memory::heap ? heap : arena;
        const bool exists = (kind.ours || init) && scene.wants(kind.name);
        if (!scene.ranks.everywhere(exists && vector.mine && vector.sum)) continue;
        auto& sum = sums.emplace_back(std::make_unique<Summing>(
            kind, kind.ours ? linked_functions() : host, init, vector, work, scene));
        racer.verdict = sum->verdict();
        racer.runner.run = [&sum = *sum](int iterations) { return sum.batch(iterations); };
    }
    race(racers, scene.pace, scene.ranks);
    scene.tell(row_of(parts, bytes, racers));
}

} // namespace

void race_allreduces(const Scene& scene) {
    calibrate_burning();
    const Functions host = functions_of(scene.host);
    using Sizes = std::vector<std::size_t>;
    const Sizes usual = scene.quick ? Sizes{4 << 10, 64 << 10} : Sizes{4 << 10, 64 << 10, 1 << 20};
    const Sizes& sizes = scene.sizes.empty() ? usual : scene.sizes;
    std::vector<int> counts{8, 32};
    if (!scene.partitions.empty()) counts = scene.partitions;
    for (const int parts : counts)
        for (const std::size_t bytes : sizes) race_one(parts, bytes, host, scene);
}

} // namespace mpix::bench
