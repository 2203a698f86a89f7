// SPDX-License-Identifier: BSD-3-Clause
//
// Asking the file system for pages step by step, and giving them back.
#include "shmem/pages.hpp"

#include "shmem/available.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <new>

namespace mpix::shmem {
namespace {

constexpr std::size_t largest_stride = std::size_t{8} << 20;
constexpr std::size_t unasked = std::size_t{1} << 20; // taken without a look at what there is

// A signal undoes the whole of a step: so steps become short until one is done between two signals.
int allocate(int file, std::size_t from, std::size_t to) {
    for (std::size_t step = largest_stride; from < to;) {
        const std::size_t bytes = std::min(step, to - from);
        const int code = posix_fallocate(file, static_cast<off_t>(from), static_cast<off_t>(bytes));
        if (code == 0) {
            from += bytes;
            step = std::min(2 * step, largest_stride);
        } else if (code == EINTR) {
            step = std::max(bytes / 2 / page * page, page);
        } else {
            return code;
        }
    }
    return 0;
}

} // namespace

// Half of what is available is for what the ranks allocate elsewhere. The other half is divided:
// they may all ask now, and each would see the same.
bool Pages::is_affordable(std::size_t bytes) {
    if (bytes < unasked - unasked_) {
        unasked_ += bytes;
        return true;
    }
    const std::uint64_t available = available_memory();
    const bool is_enough = available == not_known || bytes + unasked_ < available / 2 / sharers_;
    if (is_enough) unasked_ = 0;
    return is_enough;
}

int Pages::provide(std::size_t from, std::size_t to) {
    return is_affordable(to - from) ? allocate(file_, from, to) : ENOMEM;
}

int Pages::grow(std::size_t from, std::size_t to) {
    const int code = provide(from, to);
    if (code != 0) [[maybe_unused]]
        const int cut = ftruncate(file_, static_cast<off_t>(from));
    return code;
}

int Pages::punch(std::size_t from, std::size_t to) const {
    return fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from),
                     static_cast<off_t>(to - from));
}

void Pages::give_back(std::size_t from, std::size_t to) noexcept try {
    from = (from + page - 1) / page * page;
    to = to / page * page;
    for (auto gap = missing_.lower_bound(from); from < to; ++gap) { // parts may be missing already
        const bool is_last = gap == missing_.end() || gap->first >= to;
        const std::size_t until = is_last ? to : gap->first;
        if (from < until) {
            missing_[from] = until; // before: it may lack memory itself
            if (punch(from, until) != 0) missing_.erase(from);
        }
        if (is_last) return;
        from = gap->second;
    }
} catch (const std::bad_alloc&) {
    // then they stay
}

int Pages::restore(std::size_t from, std::size_t to) {
    from = from / page * page;
    to = (to + page - 1) / page * page;
    auto gap = missing_.upper_bound(from);
    if (gap != missing_.begin() && std::prev(gap)->second > from) --gap;
    while (gap != missing_.end() && gap->first < to) {
        const auto [begin, end] = *gap;
        const std::size_t first = std::max(begin, from), last = std::min(end, to);
        if (const int code = provide(first, last)) {
            punch(first, last);
            return code;
        }
        if (last < end) missing_[last] = end;
        if (begin < first)
            gap->second = first;
        else
            missing_.erase(gap);
        gap = missing_.lower_bound(last);
    }
    return 0;
}

} // namespace mpix::shmem
