// SPDX-License-Identifier: BSD-3-Clause
//
// Finding the next run of free tags.
#include "comm/tag_allocator.hpp"

namespace mpix::comm {

TagAllocator& tag_allocator() {
    static TagAllocator& circle = *new TagAllocator; // never destroyed
    return circle;
}

bool TagAllocator::is_free(int begin, int count) const {
    auto after = taken_.lower_bound(begin);
    if (after != taken_.end() && after->first < begin + count) return false;
    if (after == taken_.begin()) return true;
    --after;
    return after->first + after->second <= begin;
}

int TagAllocator::take(int count, int limit) {
    bool has_wrapped = false;
    for (int begin = next_;; ++begin) {
        if (begin > limit - count) {
            if (has_wrapped || limit - count < first) return -1;
            has_wrapped = true;
            begin = first;
        }
        if (!is_free(begin, count)) continue;
        next_ = begin + count;
        taken_.emplace(begin, count);
        return begin;
    }
}

} // namespace mpix::comm
