// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's motivating case: each rank of a line computes rows of uneven cost, whose ends its
// neighbours need. In partitions, a row each, or all at once when the last row is computed.
#include "bench/common/direction.hpp"
#include "bench/common/pattern.hpp"
#include "bench/partitioned/parts.hpp"
#include "bench/partitioned/pipeline.hpp"

#include <array>
#include <memory>

namespace mpix::bench {

namespace {

constexpr int rows = 32;
constexpr double work_per_byte = 1; // of both ends of a row, nanoseconds

// A quarter of the rows costs four times as much, elsewhere on every rank; every second rank has
// half as much again to do in each.
double cost(int row, int rank) {
    const bool is_heavy = (row + rank * 11) % rows < rows / 4;
    return (is_heavy ? 4 : 1) * (rank % 2 ? 1.5 : 1);
}

enum class Form { host, ours, partitioned };

struct Kind {
    const char* name;
    Form form;
    Memory memory;
};

constexpr Kind kinds[] = {
    {"host persistent", Form::host, Memory::heap},
    {"mpix persistent", Form::ours, Memory::heap},
    {"mpix marked", Form::partitioned, Memory::heap},
    {"mpix arena", Form::partitioned, Memory::arena},
};

// The left ends of all rows, then the right ends.
struct Edges {
    Edges(Memory memory, int elements_each, const Ranks& all)
        : each(elements_each), side(rows * each), ranks(all),
          mine(allocate(memory, 2 * static_cast<std::size_t>(side))),
          theirs(allocate(memory, 2 * static_cast<std::size_t>(side))) {}

    void write(int row, int number) const {
        for (int at : {row * each, side + row * each})
            write_pattern(mine.get() + at, each, first_element(ranks.rank(), number) + at);
    }
    // The left neighbour's right ends, and the right neighbour's left, where there are any.
    bool right(int number) const {
        const int left = ranks.rank() - 1, next = ranks.rank() + 1;
        return (left < 0 ||
                holds_pattern(theirs.get(), side, first_element(left, number) + side, 1)) &&
               (next == ranks.size() ||
                holds_pattern(theirs.get() + side, side, first_element(next, number), 1));
    }

    const int each, side;
    const Ranks& ranks;
    const Room mine, theirs;
    int serial = 0;
};

// The ranks in a line.
class Line {
  public:
    explicit Line(const Ranks& ranks) {
        const int size = ranks.size(), periodic = 0;
        MPI_Cart_create(ranks.comm(), 1, &size, &periodic, 0, &comm_);
    }
    ~Line() { MPI_Comm_free(&comm_); }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    MPI_Comm comm() const { return comm_; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

class Halo {
  public:
    Halo(const Kind& kind, const Functions& by, decltype(MPI_Neighbor_alltoallv_init)* init,
         Edges& edges, const Work& work, MPI_Comm comm, const Scene& scene);
    ~Halo() {
        if (request_ != MPI_REQUEST_NULL) by_.free(&request_);
    }
    Halo(const Halo&) = delete;
    Halo& operator=(const Halo&) = delete;

    Verdict verdict() const {
        return edges_.ranks.everywhere(made_) ? Verdict::right : Verdict::wrong;
    }
    Batch batch(int iterations) { return run(pipeline_, iterations, edges_.serial, edges_.ranks); }

  private:
    void bind_partitions(MPI_Comm comm, MPI_Info info);
    void bind_whole(decltype(MPI_Neighbor_alltoallv_init)* init, MPI_Comm comm, MPI_Info info);

    const Functions& by_;
    Edges& edges_;
    const std::array<int, 2> counts_{edges_.side, edges_.side}, places_{0, edges_.side};
    MPI_Request request_ = MPI_REQUEST_NULL;
    Pipeline pipeline_;
    bool made_ = false;
};

Halo::Halo(const Kind& kind, const Functions& by, decltype(MPI_Neighbor_alltoallv_init)* init,
           Edges& edges, const Work& work, MPI_Comm comm, const Scene& scene)
    : by_(by), edges_(edges) {
    pipeline_.items = rows;
    pipeline_.make = [&](int row, int serial) {
        edges.write(row, serial);
        work(cost(row, edges.ranks.rank()));
    };
    pipeline_.right = [&](int serial) { return edges.right(serial); };
    const MPI_Info info = kind.form == Form::host ? MPI_INFO_NULL : scene.info;
    kind.form == Form::partitioned ? bind_partitions(comm, info) : bind_whole(init, comm, info);
}

void Halo::bind_partitions(MPI_Comm comm, MPI_Info info) {
    const std::array<int, 2> parts{rows, rows};
    const std::array<MPI_Count, 2> counts{edges_.each, edges_.each};
    const std::array<MPI_Aint, 2> places{0, edges_.side};
    made_ = MPIX_Pneighbor_alltoallv_init(edges_.mine.get(), parts.data(), counts.data(),
                                          places.data(), MPI_DOUBLE, edges_.theirs.get(),
                                          parts.data(), counts.data(), places.data(), MPI_DOUBLE,
                                          comm, info, &request_) == MPI_SUCCESS;
    pipeline_.start = [this] { return MPI_Start(&request_); };
    pipeline_.hand_over = [this](int row) {
        return MPIX_Pready_extended(row, MPIX_ALL_DESTS, &request_);
    };
    pipeline_.finish = [this] { return MPI_Wait(&request_, MPI_STATUS_IGNORE); };
}

void Halo::bind_whole(decltype(MPI_Neighbor_alltoallv_init)* init, MPI_Comm comm, MPI_Info info) {
    made_ = init(edges_.mine.get(), counts_.data(), places_.data(), MPI_DOUBLE, edges_.theirs.get(),
                 counts_.data(), places_.data(), MPI_DOUBLE, comm, info, &request_) == MPI_SUCCESS;
    pipeline_.finish = [this] {
        const int code = by_.start(&request_);
        return code | by_.wait(&request_, MPI_STATUS_IGNORE);
    };
}

Row row_of(std::size_t bytes, const Racers& racers) {
    Row row{"halo", {{"rows", rows}, {"bytes", static_cast<std::int64_t>(bytes)}}};
    for (const Racer& racer : racers) row.add_time(racer, "whole");
    for (const Racer& racer : racers) row.add_time(racer, "after", &Racer::after);
    for (const auto& [what, value] :
         {std::pair("whole", &Racer::whole), std::pair("after", &Racer::after)})
        for (const std::size_t ours : {1, 2, 3})
            row.add_ratio(racers[0], racers[ours], what, value);
    return row;
}

void race_one(std::size_t bytes, const Functions& host, const Line& line, const Scene& scene) {
    const int each = static_cast<int>(bytes / sizeof(double));
    Edges heap(Memory::heap, each, scene.ranks), arena(Memory::arena, each, scene.ranks);
    const Work work(2 * static_cast<double>(bytes) * work_per_byte, [&] { heap.write(0, 0); });
    Racers racers;
    std::vector<std::unique_ptr<Halo>> halos;
    for (const Kind& kind : kinds) {
        Racer& racer = racers.emplace_back(Racer{.name = kind.name});
        Edges& edges = kind.memory == Memory::heap ? heap : arena;
        const bool is_host = kind.form == Form::host;
        auto* const init =
            is_host
                ? scene.host.find<decltype(MPI_Neighbor_alltoallv_init)>("Neighbor_alltoallv_init")
                : &MPI_Neighbor_alltoallv_init;
        const bool exists = init && scene.wants(kind.name);
        if (!scene.ranks.everywhere(exists && edges.mine && edges.theirs)) continue;
        auto& halo = halos.emplace_back(std::make_unique<Halo>(
            kind, is_host ? host : linked_functions(), init, edges, work, line.comm(), scene));
        racer.verdict = halo->verdict();
        racer.runner.run = [&halo = *halo](int iterations) { return halo.batch(iterations); };
    }
    race(racers, scene.pace, scene.ranks);
    scene.tell(row_of(bytes, racers));
}

} // namespace

void race_halos(const Scene& scene) {
    calibrate_burning();
    const Functions host = functions_of(scene.host);
    const Line line(scene.ranks);
    using Sizes = std::vector<std::size_t>;
    const Sizes usual = scene.quick ? Sizes{512, 4 << 10} : Sizes{512, 4 << 10, 32 << 10};
    const Sizes& sizes = scene.sizes.empty() ? usual : scene.sizes;
    for (const std::size_t bytes : sizes) race_one(bytes, host, line, scene);
}

} // namespace mpix::bench
