// SPDX-License-Identifier: BSD-3-Clause
//
// Segments and memory of other processes: a child of the test, or the test as its child sees it.
#include "shmem/peer.hpp"

#include "catch2.hpp"
#include "forked.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <cstring>
#include <memory>
#include <vector>

using namespace mpix::shmem;
using namespace mpix::shmem::test;

namespace {

std::uint64_t& word(std::byte* at) { return *reinterpret_cast<std::uint64_t*>(at); }

std::uint64_t address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

bool is_mapped(const std::byte* at) {
    return msync(const_cast<std::byte*>(at), cache_line, MS_ASYNC) == 0;
}

// Whether this machine lets anyone read another process, a child of its own at least.
bool can_read_children() {
    Pipe done;
    static std::uint64_t secret = 1;
    Child child([&] {
        secret = 2;
        done.put(address_of(&secret));
        pause();
        return std::string();
    });
    std::uint64_t found = 0;
    const bool is_read =
        read_memory(child.process(), done.take<std::uint64_t>(), &found, sizeof found);
    kill(child.process(), SIGKILL);
    if (!is_read) WARN("reading other processes is not permitted here");
    return is_read && found == 2;
}

// A process with a segment of its own, which waits until the test ends it.
class Owner {
  public:
    Owner()
        : child_([this] {
              Segment segment;
              std::byte* const at = segment.allocate(8);
              word(at) = 17;
              ticket_.put(segment.ticket());
              offset_.put(segment.offset(at));
              go_on_.take<char>();
              std::byte* const much = segment.allocate(30 << 20);
              word(much + (30 << 20) - 8) = 18;
              offset_.put(segment.offset(much));
              go_on_.take<char>();
              return unless(word(at) == 19, "the other side's store is not seen");
          }),
          ticket(ticket_.take<Ticket>()) {}
    ~Owner() { child_.stop(); } // where the test does not let it come to its end
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;

    std::uint64_t offset() { return offset_.take<std::uint64_t>(); }
    void go_on() { go_on_.put('x'); }
    std::string end() { return child_.end(); }

  private:
    Pipe ticket_, offset_, go_on_;
    Child child_;

  public:
    const Ticket ticket;
};

} // namespace

TEST_CASE("a child maps its parent's segment, and both see what is stored") {
    Segment segment;
    REQUIRE(segment.is_there());
    std::byte* const at = segment.allocate(16);
    word(at) = 1'234;
    CHECK(in_child([&, ticket = segment.ticket(), offset = segment.offset(at)] {
              const Peer peer(ticket);
              if (!peer.is_there()) return unless(false, "it is not there");
              std::byte* const seen = peer.at(offset);
              std::string wrong = unless(seen != at, "it was not mapped") +
                                  unless(word(seen) == 1'234, "other data");
              word(seen + 8) = 4'321;
              return wrong;
          }) == "");
    CHECK(word(at + 8) == 4'321);
}

TEST_CASE("memory that a segment grew by is seen where it was mapped before") {
    Owner owner;
    const Peer peer(owner.ticket);
    REQUIRE(peer.is_there());
    CHECK(peer.ticket() == owner.ticket);
    const std::uint64_t first = owner.offset();
    CHECK(word(peer.at(first)) == 17);
    owner.go_on();
    CHECK(word(peer.at(owner.offset() + (30 << 20) - 8)) == 18);
    word(peer.at(first)) = 19;
    owner.go_on();
    CHECK(owner.end() == "");
    CHECK(word(peer.at(first)) == 19); // the memory outlives its owner
    CHECK_FALSE(Peer(owner.ticket).is_there());
}

TEST_CASE("a segment with another nonce is not there") {
    Segment segment;
    Ticket ticket = segment.ticket();
    CHECK(Peer(ticket).is_there());
    ++ticket.nonce;
    CHECK_FALSE(Peer(ticket).is_there());
    CHECK_FALSE(Peer(Ticket{}).is_there());
}

TEST_CASE("where the file is closed, or is another by now, there is no segment") {
    auto segment = std::make_unique<Segment>();
    const Ticket ticket = segment->ticket();
    segment.reset();
    CHECK_FALSE(Peer(ticket).is_there());
    Pipe pipe;
    const int ends = dup(0);
    const int empty = memfd_create("empty", MFD_CLOEXEC),
              large = memfd_create("other", MFD_CLOEXEC);
    const int device = open("/dev/null", O_RDWR | O_CLOEXEC);
    REQUIRE(ftruncate(large, 1 << 20) == 0);
    for (const int file : {ends, empty, large, device}) {
        INFO("file " << file);
        REQUIRE(dup2(file, ticket.file) == ticket.file);
        CHECK_FALSE(Peer(ticket).is_there());
        close(file);
    }
    close(ticket.file);
}

TEST_CASE("a ticket leads to one peer, however often it is asked for") {
    Owner owner;
    std::shared_ptr<const Peer> peer = find_peer(owner.ticket);
    REQUIRE(peer != nullptr);
    CHECK(word(peer->at(owner.offset())) == 17);
    CHECK(find_peer(owner.ticket) == peer);
    Ticket other = owner.ticket;
    other.nonce = ~other.nonce;
    CHECK(find_peer(other) == nullptr);
    CHECK(find_peer(owner.ticket) == peer);
    kill(static_cast<pid_t>(owner.ticket.process), SIGKILL);
    CHECK(owner.end() == "signal 9");
    CHECK(find_peer(owner.ticket) == peer);
    const std::byte* const at = peer->at(0);
    CHECK(is_mapped(at));
    peer.reset();
}

TEST_CASE("a peer that nobody uses stays mapped until its process has ended") {
    Owner first, second, third;
    const auto mapped_at = [](const Owner& owner) -> const std::byte* {
        const auto peer = find_peer(owner.ticket);
        return peer ? peer->at(0) : nullptr;
    };
    const std::byte* const at = mapped_at(first);
    REQUIRE(at != nullptr);
    CHECK(is_mapped(at));
    CHECK(mapped_at(second) != nullptr);
    CHECK(is_mapped(at));
    CHECK(mapped_at(first) == at);
    kill(static_cast<pid_t>(first.ticket.process), SIGKILL);
    CHECK(first.end() == "signal 9");
    const std::byte* const other = mapped_at(third);
    CHECK(other != nullptr);
    CHECK((!is_mapped(at) || other == at));
    CHECK(mapped_at(first) == nullptr);
}

TEST_CASE("however many share a node, each has room for the segments of all") {
    if (is_sanitized) return;
    for (const std::size_t sharers : {300u, 3'000u, 20'000u})
        CHECK(in_child([sharers] {
                  const Segment own(static_cast<int>(sharers));
                  std::vector<std::unique_ptr<Peer>> all; // one for each, though of the same
                  while (all.size() < sharers - 1 && (all.empty() || all.back()->is_there()))
                      all.push_back(std::make_unique<Peer>(own.ticket()));
                  return unless(own.is_there(), own.complaint()) +
                         unless(all.back()->is_there(),
                                "there are only " + std::to_string(all.size() - 1));
              }) == "");
}

TEST_CASE("the own ticket leads to the own segment") {
    REQUIRE(segment().is_there());
    const std::shared_ptr<const Peer> self = find_peer(segment().ticket());
    REQUIRE(self != nullptr);
    CHECK(self->at(0) == segment().memory());
    { const Peer again(segment().ticket()); }
    CHECK(std::memcmp(segment().memory(), &segment().ticket().nonce, 8) == 0); // still mapped
}

TEST_CASE("a child's memory is readable, and what is not memory is not") {
    if (!can_read_children()) return;
    Owner owner;
    const Peer peer(owner.ticket);
    REQUIRE(peer.is_there());
    CHECK(peer.is_readable());
    Ticket wrong = owner.ticket;
    wrong.nonce_address = 8;
    const auto is_readable = [](const Ticket& ticket) {
        const Peer found(ticket);
        return found.is_there() && found.is_readable();
    };
    CHECK_FALSE(is_readable(wrong)); // not mapped
    wrong.nonce_address = address_of(&wrong);
    CHECK_FALSE(is_readable(wrong)); // another number
    kill(static_cast<pid_t>(owner.ticket.process), SIGKILL);
    CHECK(owner.end() == "signal 9");
    CHECK_FALSE(peer.is_readable()); // ended
}

TEST_CASE("memory is read whole or not at all") {
    if (!can_read_children()) return;
    constexpr std::size_t bytes = 300 * page;
    auto* const memory = static_cast<std::byte*>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(memory != MAP_FAILED);
    Pipe ready;
    Child child([&] {
        for (std::size_t i = 0; i < bytes / 8; ++i) word(memory + 8 * i) = 3 * i;
        munmap(memory + bytes - page, page);
        ready.put('x');
        pause();
        return std::string();
    });
    ready.take<char>();
    std::vector<std::byte> copy(bytes);
    const std::size_t whole = bytes - page;
    CHECK(read_memory(child.process(), address_of(memory), copy.data(), whole));
    for (std::size_t i = 0; i < whole / 8; ++i)
        if (word(copy.data() + 8 * i) != 3 * i) FAIL_CHECK("word " << i);
    CHECK(word(memory + 8) == 0); // not this process's
    CHECK(read_memory(child.process(), address_of(memory + 24), copy.data(), 8));
    CHECK(word(copy.data()) == 9);
    CHECK(read_memory(child.process(), address_of(memory), copy.data(), 0));
    CHECK_FALSE(read_memory(child.process(), address_of(memory), copy.data(), bytes));
    CHECK_FALSE(read_memory(child.process(), address_of(memory + whole), copy.data(), 1));
    kill(child.process(), SIGKILL);
    munmap(memory, bytes);
}
