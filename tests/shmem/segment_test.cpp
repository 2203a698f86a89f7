// SPDX-License-Identifier: BSD-3-Clause
//
// The segment alone: what is allocated is apart, what is freed is taken again, and what cannot be
// had is refused without a signal.
#include "shmem/peer.hpp"

#include "catch2.hpp"
#include "file_size.hpp"
#include "forked.hpp"

#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

using namespace mpix::shmem;
using namespace mpix::shmem::test;

namespace {

constexpr std::size_t KiB = 1024, MiB = KiB * KiB;

// What its file takes of the machine's memory.
std::size_t memory_of(const Segment& segment) {
    struct stat found {};
    return fstat(segment.ticket().file, &found) == 0
               ? static_cast<std::size_t>(found.st_blocks) * 512
               : 0;
}

// Of the mapping that an address is in: the line of /proc/self/smaps.
std::string flags_of(const void* memory) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    std::ifstream smaps("/proc/self/smaps");
    bool is_within = false;
    for (std::string line; std::getline(smaps, line);) {
        std::uintptr_t begin = 0, end = 0;
        if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2)
            is_within = begin <= address && address < end;
        if (is_within && line.starts_with("VmFlags:")) return line;
    }
    return "";
}

bool is_aligned(const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) % cache_line == 0;
}

bool greets(const Segment& segment) {
    return std::memcmp(segment.memory(), &segment.ticket().nonce, sizeof(std::uint64_t)) == 0;
}

// Pieces of memory that a test has, each full of its own number.
class Pieces {
  public:
    explicit Pieces(Segment& segment) : segment_(segment) {}

    bool add(std::size_t bytes) {
        std::byte* const at = segment_.allocate(bytes);
        if (!at) return false;
        pieces_.push_back({at, bytes, std::byte(++number_)});
        std::memset(at, number_ & 0xff, bytes);
        return is_aligned(at);
    }
    bool remove(std::size_t which) {
        const Piece piece = pieces_[which];
        pieces_[which] = pieces_.back();
        pieces_.pop_back();
        const bool is_kept = holds(piece);
        segment_.free(piece.at);
        return is_kept;
    }
    std::size_t count() const { return pieces_.size(); }
    bool hold() const { return std::all_of(pieces_.begin(), pieces_.end(), holds); }

  private:
    struct Piece {
        std::byte* at;
        std::size_t bytes;
        std::byte value;
    };
    static bool holds(const Piece& piece) {
        return std::all_of(piece.at, piece.at + piece.bytes,
                           [&](std::byte byte) { return byte == piece.value; });
    }

    Segment& segment_;
    std::vector<Piece> pieces_;
    int number_ = 0;
};

std::string check_many(Segment& segment, unsigned seed) {
    std::mt19937 random(seed);
    Pieces pieces(segment);
    bool right = true;
    for (int step = 0; step < 4000; ++step) {
        if (pieces.count() < 40 && (pieces.count() == 0 || random() % 2))
            right = pieces.add(random() % (random() % 10 ? 500 : 40'000)) && right;
        else
            right = pieces.remove(random() % pieces.count()) && right;
    }
    right = pieces.hold() && right;
    while (pieces.count() > 0) right = pieces.remove(0) && right;
    return unless(right, "pieces are not apart");
}

} // namespace

TEST_CASE("memory of a segment is aligned, within, and apart from the greeting") {
    Segment segment;
    REQUIRE(segment.is_there());
    CHECK(segment.complaint() == "");
    CHECK(segment.ticket().process == getpid());
    CHECK(is_aligned(segment.memory()));
    for (const std::size_t bytes : {0u, 1u, 8u, 63u, 64u, 65u, 5'000u, 300'000u}) {
        std::byte* const at = segment.allocate(bytes);
        REQUIRE(at != nullptr);
        std::memset(at, 0xff, bytes);
        CHECK(is_aligned(at));
        CHECK(segment.contains(at));
        CHECK(segment.contains(at + bytes));
        CHECK(segment.memory() + segment.offset(at) == at);
        CHECK(segment.offset(at) + bytes <= file_size(segment));
    }
    CHECK(greets(segment));
    int other = 0;
    CHECK_FALSE(segment.contains(&other));
    CHECK_FALSE(segment.contains(nullptr));
    CHECK_FALSE(segment.contains(segment.memory() - 1));
    CHECK_FALSE(segment.contains(segment.memory() + segment.ticket().reserved));
}

TEST_CASE("the process has one segment, and knows what is in it") {
    int other = 0;
    CHECK_FALSE(is_in_segment(&other));
    REQUIRE(segment().is_there());
    CHECK(&segment() == &segment());
    std::byte* const at = segment().allocate(1);
    CHECK(is_in_segment(at));
    CHECK_FALSE(is_in_segment(&other));
    segment().free(at);
}

TEST_CASE("neighbours that are freed in any order become one hole") {
    constexpr std::size_t piece = 16 * KiB;
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
        Segment segment;
        std::array<std::byte*, 3> pieces;
        for (std::byte*& at : pieces) at = segment.allocate(piece);
        std::byte* const after = segment.allocate(1);
        REQUIRE((pieces[1] == pieces[0] + piece && pieces[2] == pieces[1] + piece));
        for (const std::size_t which : order) segment.free(pieces[which]);
        CHECK(segment.allocate(3 * piece) == pieces[0]);
        CHECK(segment.allocate(1) > after);
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("a hole is taken only by what fits") {
    Segment segment;
    std::byte* const small = segment.allocate(64);
    std::byte* const between = segment.allocate(64);
    std::byte* const large = segment.allocate(256);
    std::byte* const after = segment.allocate(64);
    segment.free(small);
    segment.free(large);
    CHECK(segment.allocate(65) == large);
    CHECK(segment.allocate(128) == large + 128);
    CHECK(segment.allocate(1) == small);
    CHECK(segment.allocate(1) > after);
    segment.free(between + 1); // not what allocate gave
    CHECK(segment.allocate(64) != between);
    segment.free(between);
    CHECK(segment.allocate(64) == between);
}

TEST_CASE("only the holder frees, where a piece begins, and once") {
    Segment segment;
    std::byte* const ours = segment.allocate(256);
    std::byte* const theirs = segment.allocate(256, cache_line, Holder::program);
    std::byte* const after = segment.allocate(64);
    for (const Holder holder : {Holder::library, Holder::program})
        for (std::byte* const at : {ours + 1, ours + cache_line, theirs - 1, theirs + cache_line,
                                    after + cache_line, segment.memory() + file_size(segment)})
            CHECK_FALSE(segment.free(at, holder));
    CHECK_FALSE(segment.free(ours, Holder::program));
    CHECK_FALSE(segment.free(theirs));
    CHECK(segment.allocate(256) > after); // nothing has become free
    CHECK(segment.free(theirs, Holder::program));
    CHECK(segment.free(ours));
    CHECK_FALSE(segment.free(theirs, Holder::program));
    CHECK_FALSE(segment.free(ours));
    CHECK(segment.allocate(512) == ours);
    CHECK_FALSE(segment.free(ours, Holder::program)); // what it was before does not count
    CHECK_FALSE(segment.free(theirs));
}

TEST_CASE("pieces of many sizes keep what is written to them, and leave one hole") {
    Segment segment;
    CHECK(check_many(segment, 1) == "");
    const std::size_t size = file_size(segment);
    CHECK(segment.allocate(size - cache_line) == segment.memory() + cache_line);
    CHECK(file_size(segment) == size);
    CHECK(greets(segment));
}

TEST_CASE("threads allocate and free at once") {
    Segment segment;
    std::array<std::string, 3> wrong;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < wrong.size(); ++i)
        threads.emplace_back([&segment, &wrong, i] { wrong[i] = check_many(segment, 10 + i); });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& found : wrong) CHECK(found == "");
}

TEST_CASE("a segment grows without moving") {
    Segment segment;
    Pieces pieces(segment);
    std::byte* const base = segment.memory();
    for (const std::size_t bytes : {200 * KiB, 600 * KiB, 3 * MiB, 40 * MiB}) {
        CHECK(pieces.add(bytes));
        CHECK(segment.memory() == base);
        CHECK(file_size(segment) <= segment.ticket().reserved);
    }
    CHECK(file_size(segment) >= 43 * MiB);
    CHECK(pieces.hold());
    CHECK(greets(segment));
}

TEST_CASE("more than the reserved addresses is refused, and less is not") {
    Segment segment;
    const std::size_t size = file_size(segment), reserved = segment.ticket().reserved;
    for (const std::size_t bytes : {reserved, reserved + 1, std::size_t{1} << 62}) {
        CHECK(segment.allocate(bytes) == nullptr);
        CHECK(segment.complaint().find("growing") != std::string::npos);
    }
    CHECK(file_size(segment) == size);
    CHECK(segment.allocate(1) != nullptr);
}

TEST_CASE("beyond the limit on the size of files memory is refused without a signal") {
    CHECK(in_child([] {
              if (!limit(RLIMIT_FSIZE, MiB)) return unless(false, "setrlimit");
              Segment segment;
              Pieces pieces(segment);
              while (pieces.add(10'000)) {}
              std::string wrong =
                  unless(segment.complaint().find("growing") != std::string::npos, "no complaint") +
                  unless(pieces.count() > 20, "too few pieces") +
                  unless(file_size(segment) <= MiB, "too large a file") +
                  unless(!segment.allocate(2 * MiB), "more than the limit");
              wrong += unless(pieces.remove(3) && pieces.add(10'000), "freed memory is refused");
              return wrong + unless(pieces.hold(), "pieces are not apart");
          }) == "");
}

TEST_CASE("where the first memory is refused there is no segment") {
    for (const std::size_t bytes : {std::size_t{0}, 8 * KiB})
        CHECK(in_child([bytes] {
                  if (!limit(RLIMIT_FSIZE, bytes)) return unless(false, "setrlimit");
                  Segment segment;
                  return unless(!segment.is_there(), "it is there") +
                         unless(segment.complaint().find("growing") == 0, segment.complaint()) +
                         unless(segment.ticket() == Ticket{}, "it has a ticket") +
                         unless(!segment.allocate(1), "it has memory") +
                         unless(!segment.contains(&segment), "it contains something") +
                         unless(!segment.contains(nullptr), "it contains nothing");
              }) == "");
}

TEST_CASE("where no file can be made there is no segment") {
    CHECK(in_child([] {
              if (!limit(RLIMIT_NOFILE, 0)) return unless(false, "setrlimit");
              Segment segment;
              return unless(!segment.is_there(), "it is there") +
                     unless(segment.complaint().find("memfd_create") == 0, segment.complaint()) +
                     unless(!segment.allocate(1), "it has memory");
          }) == "");
}

TEST_CASE("where addresses are limited an eighth is for all segments of the node") {
    if (is_sanitized) return;
    for (const std::size_t sharers : {8u, 100u, 300u})
        CHECK(in_child([sharers] {
                  std::size_t pages = 0; // that this process has by now
                  std::ifstream("/proc/self/statm") >> pages;
                  const std::size_t addresses = pages * 4 * KiB + 8192 * MiB;
                  const std::size_t share = addresses / 8 / sharers;
                  if (!limit(RLIMIT_AS, addresses)) return unless(false, "setrlimit");
                  const Segment none(static_cast<int>(addresses / 8 / (512 * KiB)));
                  Segment segment(static_cast<int>(sharers));
                  if (!segment.is_there()) return unless(false, segment.complaint());
                  const std::size_t reserved = segment.ticket().reserved;
                  Pieces pieces(segment);
                  while (pieces.count() < 10 && pieces.add(MiB / 4)) {}
                  return unless(reserved <= share && reserved > share - 4 * KiB, "not the share") +
                         unless(!none.is_there(), "too small a share is taken") +
                         unless(none.complaint().find("ulimit -v") != std::string::npos,
                                none.complaint()) +
                         unless(none.ticket() == Ticket{}, "what is not there has a ticket") +
                         unless(pieces.count() == 10, "too few pieces") +
                         unless(pieces.hold() && greets(segment), "pieces are not apart");
              }) == "");
}

TEST_CASE("all segments of a node reserve a multiple of its memory, however many there are") {
    constexpr std::size_t GiB = 1024 * MiB;
    const std::size_t memory = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * 4 * KiB;
    std::size_t before = 64 * GiB;
    for (const std::size_t sharers : {1u, 8u, 16u, 128u, 2000u, 10'000u}) {
        const Segment segment(static_cast<int>(sharers));
        REQUIRE(segment.is_there());
        const std::size_t reserved = segment.ticket().reserved;
        INFO(sharers << " sharers, " << reserved << " bytes");
        CHECK(reserved <= before);
        CHECK(reserved >= std::min(memory / sharers, GiB) / 2);
        CHECK(sharers * reserved <= std::max(8 * memory + GiB, sharers * GiB));
        before = reserved;
    }
}

TEST_CASE("memory is aligned as it is asked for, and what is skipped is taken by others") {
    Segment segment;
    std::byte* const first = segment.allocate(100);
    for (const std::size_t alignment : {64u, 128u, 1024u, 4096u}) {
        std::byte* const at = segment.allocate(100, alignment);
        CHECK(reinterpret_cast<std::uintptr_t>(at) % alignment == 0);
        std::byte* const large = segment.allocate(MiB, alignment);
        CHECK(reinterpret_cast<std::uintptr_t>(large) % alignment == 0);
    }
    CHECK(segment.allocate(64) == first + 256 + MiB); // before the one aligned at 128
}

TEST_CASE("large memory that is freed goes back to the machine, and comes again") {
    Segment segment;
    std::byte* const before = segment.allocate(100);
    std::byte* const large = segment.allocate(16 * MiB + 100);
    std::byte* const after = segment.allocate(100);
    for (std::byte* const at : {before, after}) std::memset(at, 0x55, 100);
    const auto is_kept = [](const std::byte* at) {
        return std::all_of(at, at + 100, [](std::byte byte) { return byte == std::byte{0x55}; });
    };
    const std::size_t full = memory_of(segment);
    std::memset(large, 0xff, 16 * MiB + 100);
    segment.free(large);
    CHECK(memory_of(segment) <= full - 16 * MiB + 4 * KiB);
    CHECK(segment.allocate(5 * MiB) == large);
    CHECK(memory_of(segment) <= full - 11 * MiB + 8 * KiB);
    CHECK(memory_of(segment) >= full - 11 * MiB);
    std::byte* const middle = segment.allocate(3 * MiB + 1'000);
    CHECK(middle == large + 5 * MiB);
    segment.free(large);
    CHECK(segment.allocate(5 * MiB) == large);
    segment.allocate(8 * MiB - 1'000);
    CHECK(memory_of(segment) >= full - 4 * KiB);
    CHECK((is_kept(before) && is_kept(after)));
}

TEST_CASE("what a core dump has of a segment is what is used") {
    Segment segment;
    if (flags_of(segment.memory()).empty()) return; // the kernel does not tell
    std::byte* const last = segment.allocate(3 * MiB) + 3 * MiB - 1;
    CHECK(flags_of(segment.memory()).find(" dd") == std::string::npos);
    CHECK(flags_of(last).find(" dd") == std::string::npos);
    CHECK(flags_of(segment.memory() + file_size(segment)).find(" dd") != std::string::npos);
    CHECK(in_child([&segment] {
              const Peer peer(segment.ticket());
              const std::string flags = flags_of(peer.at(0));
              return unless(flags.find(" dd") != std::string::npos, "a peer is dumped");
          }) == "");
}

TEST_CASE("signals do not keep a segment from growing") {
    CHECK(in_child([] {
              struct sigaction action {};
              action.sa_handler = [](int) {};
              sigaction(SIGALRM, &action, nullptr); // without SA_RESTART
              const itimerval every{{0, 500}, {0, 500}};
              Segment segment;
              setitimer(ITIMER_REAL, &every, nullptr);
              Pieces pieces(segment);
              bool right = true;
              for (int i = 0; i < 20 && right; ++i) right = pieces.add(8 * MiB);
              return unless(right, segment.complaint()) + unless(pieces.hold(), "not apart");
          }) == "");
}
