// SPDX-License-Identifier: BSD-3-Clause
//
// Address space is reserved at once, so that nothing ever moves; memory comes as it is needed.
#include "shmem/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace mpix::shmem {
namespace {

constexpr std::size_t most_reserved = std::size_t{64} << 30, least_reserved = std::size_t{1} << 20;
constexpr std::size_t all_addresses = std::size_t{1} << 47; // of a process on x86-64
constexpr std::size_t first_size = std::size_t{256} << 10, largest_step = std::size_t{64} << 20;
constexpr std::size_t large = std::size_t{1} << 20; // its pages are given back when it is freed
constexpr std::size_t worth_a_call = std::size_t{16} << 10; // to give it back before

std::int64_t process_namespace() {
    struct stat found {};
    return stat("/proc/self/ns/pid", &found) == 0 ? static_cast<std::int64_t>(found.st_ino) : 0;
}

std::uint64_t random_number() {
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
        number = static_cast<std::uint64_t>(getpid()) * 0x9e3779b97f4a7c15u;
    return number;
}

// Of no use is more than the machine has. A process may want far more than its share of that, but
// not many of them can.
constexpr std::size_t shares = 8, least_useful = std::size_t{1} << 30;
std::size_t useful(std::size_t sharers) {
    const auto pages = static_cast<std::size_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
    const std::size_t memory = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t most = shares < sharers ? memory / sharers * shares : memory;
    return std::clamp(most, least_useful, most_reserved);
}

// At the end of a process memcheck looks for pointers in all that is mapped, and a word behind the
// end of the file costs it a fault: of gigabytes, hours. So there little is reserved, and the file
// is as long from the start. Valgrind gets into a process by this variable.
constexpr std::size_t searched = std::size_t{32} << 20;
bool is_under_valgrind() {
    const char* const preloaded = std::getenv("LD_PRELOAD");
    return preloaded && std::strstr(preloaded, "/vgpreload_");
}

// An eighth of the addresses at most goes to the segments of this process and its sharers.
std::size_t reservable(std::size_t sharers) {
    rlimit limit{};
    std::size_t addresses = all_addresses;
    if (getrlimit(RLIMIT_AS, &limit) == 0) addresses = std::min(addresses, limit.rlim_cur);
    const std::size_t most = is_under_valgrind() ? searched : useful(sharers);
    return std::min(addresses / 8 / sharers, most) / page * page;
}

// A core dump leaves out what is not used.
void* reserve(int file, std::size_t& bytes) {
    for (; bytes >= least_reserved; bytes = bytes / 2 / page * page) {
        void* at =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
        if (at == MAP_FAILED) continue;
        madvise(at, bytes, MADV_DONTDUMP);
        return at;
    }
    return nullptr;
}

} // namespace

std::uint64_t machine() {
    static const std::uint64_t number = [] {
        std::string id;
        std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
        return std::hash<std::string>{}(id);
    }();
    return number;
}

Segment::Segment(int sharers) {
    const int file = memfd_create("mpix", MFD_CLOEXEC);
    if (file < 0) {
        complaint_ = std::string("memfd_create: ") + std::strerror(errno);
        return;
    }
    std::size_t reserved = reservable(static_cast<std::size_t>(std::max(sharers, 1)));
    ticket_.file = file;
    pages_.open(file, sharers);
    if (reserved < least_reserved) complaint_ = "the limit on addresses (ulimit -v) is too low";
    base_ = static_cast<std::byte*>(reserve(file, reserved));
    ticket_.reserved = reserved;
    if (base_ && grow(is_under_valgrind() ? reserved : first_size)) {
        ticket_.process = getpid();
        ticket_.processes = process_namespace();
        ticket_.machine = machine();
        ticket_.nonce = random_number();
        ticket_.nonce_address = reinterpret_cast<std::uintptr_t>(&ticket_.nonce);
        std::byte* const greeting = allocate(sizeof ticket_.nonce); // at offset 0
        std::memcpy(greeting, &ticket_.nonce, sizeof ticket_.nonce);
        return;
    }
    if (complaint_.empty()) complaint_ = std::string("mmap: ") + std::strerror(errno);
    if (base_) munmap(base_, reserved);
    ::close(file);
    base_ = nullptr;
    ticket_ = {};
}

Segment::~Segment() {
    if (!base_) return;
    munmap(base_, ticket_.reserved);
    ::close(ticket_.file);
}

std::string Segment::complaint() const {
    const std::lock_guard lock(mutex_);
    return complaint_;
}

std::size_t Segment::size() const {
    const std::lock_guard lock(mutex_);
    return size_;
}

// By more than is needed now, if that can be had.
bool Segment::grow(std::size_t bytes) {
    const std::size_t step = std::min(std::max(size_, first_size), largest_step);
    return (step > bytes && grow_to(round_up(size_ + step, page))) ||
           grow_to(round_up(size_ + bytes, page));
}

// The limit on the size of files would be told by a signal.
bool Segment::grow_to(std::size_t wanted) {
    rlimit limit{};
    const bool is_refused = wanted > ticket_.reserved ||
                            (getrlimit(RLIMIT_FSIZE, &limit) == 0 && wanted > limit.rlim_cur);
    Pieces added{{size_, {wanted - size_, Holder::library}}};
    const int code = is_refused ? EFBIG : pages_.grow(size_, wanted);
    if (code != 0) {
        complain(code, wanted);
        return false;
    }
    madvise(base_ + size_, wanted - size_, MADV_DODUMP);
    add_hole(added.extract(added.begin()));
    size_ = wanted;
    return true;
}

void Segment::complain(int code, std::size_t wanted) {
    complaint_ =
        std::string("growing to ") + std::to_string(wanted) + " bytes: " + std::strerror(code);
}

// One hole with those beside it. Nodes only move: what is freed is never lost for want of memory.
void Segment::add_hole(Pieces::node_type hole) noexcept {
    std::size_t& bytes = hole.mapped().bytes;
    auto after = holes_.lower_bound(hole.key());
    if (after != holes_.end() && after->first == hole.key() + bytes) {
        bytes += after->second.bytes;
        after = holes_.erase(after);
    }
    if (after != holes_.begin()) {
        Pieces::value_type& before = *std::prev(after);
        if (before.first + before.second.bytes == hole.key()) {
            before.second.bytes += bytes;
            return;
        }
    }
    holes_.insert(after, std::move(hole));
}

// Makes two holes of one, if there is something on either side, and returns what begins there.
Segment::Pieces::iterator Segment::cut(Pieces::iterator hole, std::size_t at) {
    const std::size_t before = at - hole->first;
    if (before == 0) return hole;
    if (before == hole->second.bytes) return std::next(hole);
    const Piece rest{hole->second.bytes - before, Holder::library};
    const auto after = holes_.insert(std::next(hole), {at, rest});
    hole->second.bytes = before;
    return after;
}

std::byte* Segment::allocate(std::size_t bytes, std::size_t alignment, Holder holder) {
    if (!base_) return nullptr;
    bytes = round_up(std::max<std::size_t>(bytes, 1), cache_line);
    const std::lock_guard lock(mutex_);
    const auto fits = [&](const auto& hole) {
        const std::size_t skipped = round_up(hole.first, alignment) - hole.first;
        return hole.second.bytes >= bytes && hole.second.bytes - bytes >= skipped;
    };
    auto hole = std::find_if(holes_.begin(), holes_.end(), fits);
    if (hole == holes_.end()) {
        if (!grow(bytes + alignment - cache_line)) return nullptr;
        hole = std::find_if(holes_.begin(), holes_.end(), fits);
    }
    const std::size_t offset = round_up(hole->first, alignment);
    if (const int code = pages_.restore(offset, offset + bytes)) {
        complain(code, size_);
        return nullptr;
    }
    cut(hole, offset + bytes);
    hole = cut(hole, offset);
    hole->second.holder = holder;
    taken_.insert(holes_.extract(hole));
    return base_ + offset;
}

bool Segment::free(std::byte* memory, Holder holder) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = taken_.find(offset(memory));
    if (found == taken_.end() || found->second.holder != holder) return false;
    const std::size_t from = found->first, bytes = found->second.bytes;
    add_hole(taken_.extract(found));
    if (bytes >= large) pages_.give_back(from, from + bytes);
    return true;
}

void Segment::give_back(const std::byte* memory, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    if (bytes >= worth_a_call) pages_.give_back(offset(memory), offset(memory) + bytes);
}

namespace {
// Release and acquire pair: whoever has memory of it sees it complete.
constinit std::atomic<const Segment*> made{nullptr};

constinit std::atomic<int> known_sharers{few_sharers}; // relaxed: said before all else
} // namespace

void set_sharers(int processes) {
    known_sharers.store(std::max(processes, 1), std::memory_order_relaxed);
}
int sharers() { return known_sharers.load(std::memory_order_relaxed); }

Segment& segment() {
    static Segment& one = *new Segment(sharers()); // never destroyed: others may still read it
    made.store(&one, std::memory_order_release);
    return one;
}

std::size_t segment_size() {
    const Segment* const one = made.load(std::memory_order_acquire);
    return one ? one->size() : 0;
}

bool is_in_segment(const void* memory) {
    const Segment* const one = made.load(std::memory_order_acquire);
    return one && one->contains(memory);
}

} // namespace mpix::shmem
