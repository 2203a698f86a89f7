// SPDX-License-Identifier: BSD-3-Clause
//
// The bookkeeping of error codes; errors are rare, a search is good enough.
#include "host/error_texts.hpp"

namespace mpix::host {

// A code stays in the class it was made for, so only one of the same class can be reused.
ErrorTexts::Entry& ErrorTexts::next(int error_class) {
    if (entries_.size() < most) return entries_.emplace_back();
    for (std::size_t tried = 0; tried < most; ++tried) {
        oldest_ = (oldest_ + 1) % most;
        if (entries_[oldest_].error_class == error_class) return entries_[oldest_];
    }
    return entries_.emplace_back();
}

int ErrorTexts::class_of(int code) {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_)
        if (entry.code == code) return entry.error_class;
    return -1;
}

ErrorTexts& error_texts() {
    static ErrorTexts& texts = *new ErrorTexts; // never destroyed: calls may come late
    return texts;
}

} // namespace mpix::host
