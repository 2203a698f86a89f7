// SPDX-License-Identifier: BSD-3-Clause
//
// The halo of a block with 26 neighbours on a periodic grid of ranks: many of them are one rank,
// and some this one.
#include "bench/channels/parts.hpp"
#include "bench/common/bare_copies.hpp"
#include "bench/common/direction.hpp"
#include "bench/common/pattern.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace mpix::bench {

namespace {

constexpr std::size_t neighbours = 26, messages = 2 * neighbours;

enum class Way { persistent, channels, bundle, bare };
struct Kind {
    const char* name;
    Way way;
};
constexpr std::array<Kind, 4> kinds{{{"host persistent", Way::persistent},
                                     {"mpix channels", Way::channels},
                                     {"mpix bundle", Way::bundle},
                                     {"bare copies", Way::bare}}};

// Whom the neighbour in each direction is; in the reverse order they are opposite.
std::array<int, neighbours> find_neighbours(const Ranks& ranks) {
    int extents[3] = {0, 0, 0}, periods[3] = {1, 1, 1}, own[3];
    MPI_Dims_create(ranks.size(), 3, extents);
    MPI_Comm grid = MPI_COMM_NULL;
    MPI_Cart_create(ranks.comm(), 3, extents, periods, 0, &grid);
    MPI_Cart_coords(grid, ranks.rank(), 3, own);
    std::array<int, neighbours> found{};
    std::size_t next = 0;
    for (int direction = 0; direction < 27; ++direction) {
        if (direction == 13) continue;
        int there[3] = {own[0] + direction / 9 - 1, own[1] + direction / 3 % 3 - 1,
                        own[2] + direction % 3 - 1};
        MPI_Cart_rank(grid, there, &found[next++]);
    }
    MPI_Comm_free(&grid);
    return found;
}

// Whom what comes from each direction is from.
std::array<int, neighbours> opposite(std::array<int, neighbours> peers) {
    std::ranges::reverse(peers);
    return peers;
}

class Halo {
  public:
    Halo(const Kind& kind, const Functions& host, std::size_t bytes, const Scene& scene);
    ~Halo();

    Verdict verdict() const;
    Batch batch(int iterations);

  private:
    double* out(std::size_t i) { return out_.data() + i * elements_; }
    double* in(std::size_t i) { return in_.data() + i * elements_; }
    void make(MPI_Comm comm, const Functions& by);
    int exchange();
    bool is_right();

    const Scene& scene_;
    const Functions& host_;
    const Way way_;
    const std::size_t elements_;
    const std::array<int, neighbours> peers_, sources_;
    std::vector<double> out_, in_;
    std::array<MPI_Request, messages> messages_{}, channels_{}; // receives, then sends
    MPI_Request bundle_ = MPI_REQUEST_NULL;
    std::unique_ptr<BareCopies> bare_;
    int code_ = MPI_SUCCESS;
    int serial_ = 0;
};

// What goes in one direction comes from the opposite one: there it has the same tag.
void Halo::make(MPI_Comm comm, const Functions& by) {
    const auto bytes = static_cast<int>(elements_ * sizeof(double));
    for (std::size_t i = 0; i < neighbours; ++i) {
        const auto tag = static_cast<int>(100 * static_cast<std::size_t>(way_) + i);
        code_ |= by.recv_init(in(i), bytes, MPI_BYTE, sources_[i], tag, comm, &messages_[i]);
        code_ |=
            by.send_init(out(i), bytes, MPI_BYTE, peers_[i], tag, comm, &messages_[neighbours + i]);
    }
}

Halo::Halo(const Kind& kind, const Functions& host, std::size_t bytes, const Scene& scene)
    : scene_(scene), host_(host), way_(kind.way), elements_(bytes / sizeof(double)),
      peers_(find_neighbours(scene.ranks)), sources_(opposite(peers_)),
      out_(neighbours * elements_), in_(neighbours * elements_) {
    if (way_ == Way::bare) {
        const BareCopies::Messages all{out_.data(), in_.data(), bytes, peers_, sources_};
        bare_ = std::make_unique<BareCopies>(all, scene.host, scene.ranks);
        return;
    }
    const bool is_ours = way_ != Way::persistent;
    make(scene.ranks.comm(), is_ours ? linked_functions() : host);
    if (!is_ours) return;
    std::vector<MPI_Info> infos(messages, scene.info);
    code_ |= MPIX_Bind_channels(messages_.data(), channels_.data(), messages, infos.data());
    if (way_ == Way::bundle)
        code_ |= MPIX_Bundle_init(messages, channels_.data(), MPI_INFO_NULL, &bundle_);
}

Halo::~Halo() {
    if (bundle_ != MPI_REQUEST_NULL) MPI_Request_free(&bundle_);
    if (way_ == Way::bare) return;
    if (way_ != Way::persistent) MPIX_Unbind_channels(channels_.data(), messages);
    for (MPI_Request& request : messages_)
        way_ == Way::persistent ? host_.free(&request) : MPI_Request_free(&request);
}

Verdict Halo::verdict() const {
    if (bare_ && !bare_->made()) return Verdict::missing;
    return scene_.ranks.everywhere(code_ == MPI_SUCCESS) ? Verdict::right : Verdict::wrong;
}

int Halo::exchange() {
    if (bare_) {
        bare_->exchange();
        return MPI_SUCCESS;
    }
    if (way_ == Way::bundle) return MPI_Start(&bundle_) | MPI_Wait(&bundle_, MPI_STATUS_IGNORE);
    if (way_ == Way::channels)
        return MPI_Startall(messages, channels_.data()) |
               MPI_Waitall(messages, channels_.data(), MPI_STATUSES_IGNORE);
    static auto* const startall = scene_.host.find<decltype(MPI_Startall)>("Startall");
    return startall(messages, messages_.data()) |
           host_.waitall(messages, messages_.data(), MPI_STATUSES_IGNORE);
}

bool Halo::is_right() {
    bool right = true;
    for (std::size_t i = 0; i < neighbours; ++i)
        right &= holds_pattern(in(i), static_cast<int>(elements_),
                               first_element(sources_[i], serial_) + static_cast<double>(i), 1);
    return right;
}

Batch Halo::batch(int iterations) {
    scene_.ranks.barrier();
    Batch batch{0.1};
    double sum = 0;
    for (int iteration = 0; iteration <= iterations; ++iteration) {
        ++serial_;
        for (std::size_t i = 0; i < neighbours; ++i)
            write_pattern(out(i), static_cast<int>(elements_),
                          first_element(scene_.ranks.rank(), serial_) + static_cast<double>(i));
        const auto began = Clock::now();
        batch.right &= exchange() == MPI_SUCCESS;
        if (iteration > 0) sum += nanoseconds(Clock::now() - began);
    }
    batch.right &= is_right();
    batch.whole = std::max(0.1, sum / iterations - clock_cost());
    return batch;
}

void race_one(std::size_t bytes, const Functions& host, const Scene& scene) {
    const Racers racers = race_kinds(kinds, scene, [&](const Kind& kind, int) {
        return std::make_unique<Halo>(kind, host, bytes, scene);
    });
    Row row{"halo", {{"bytes", static_cast<std::int64_t>(bytes)}}};
    for (const Racer& racer : racers) row.add_time(racer);
    for (std::size_t other = 1; other < kinds.size(); ++other)
        row.add_ratio(racers[0], racers[other], "vs");
    scene.tell(row);
}

} // namespace

void race_halo_of_neighbours(const Scene& scene) {
    const Functions host = functions_of(scene.host);
    std::vector<std::size_t> sizes{8, 4 << 10};
    if (!scene.sizes.empty()) sizes = scene.sizes;
    for (const std::size_t bytes : sizes) race_one(bytes, host, scene);
}

} // namespace mpix::bench
