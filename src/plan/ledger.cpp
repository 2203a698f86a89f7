// SPDX-License-Identifier: BSD-3-Clause
//
// The interval map behind the ledger: entries are split where an access begins and ends.
#include "plan/ledger.hpp"

namespace mpix::plan {

// Makes `at` a boundary between entries; returns the first entry that begins at or after it.
Ledger::Entries::iterator Ledger::split(Bytes at) {
    auto next = entries_.lower_bound(at);
    if (next == entries_.begin()) return next;
    auto before = std::prev(next);
    if (before->second.end <= at) return next;
    Entry tail = before->second;
    before->second.end = at;
    return entries_.emplace_hint(next, at, std::move(tail));
}

void Ledger::read(Bytes begin, Bytes end, StepId step, Needs& needs) {
    if (begin >= end) return;
    auto entry = split(begin);
    split(end);
    while (begin < end) {
        if (entry == entries_.end() || entry->first > begin) {
            const Bytes gap_end = entry == entries_.end() ? end : std::min(end, entry->first);
            entry = entries_.emplace_hint(entry, begin, Entry{gap_end, at_start, {}});
        }
        if (entry->second.writer != at_start) needs.push_back(entry->second.writer);
        entry->second.readers.push_back(step);
        begin = entry->second.end;
        ++entry;
    }
}

void Ledger::write(Bytes begin, Bytes end, StepId step, Needs& needs) {
    if (begin >= end) return;
    auto entry = split(begin);
    const auto last = split(end);
    while (entry != last) {
        if (entry->second.writer != at_start) needs.push_back(entry->second.writer);
        needs.insert(needs.end(), entry->second.readers.begin(), entry->second.readers.end());
        entry = entries_.erase(entry);
    }
    entries_.emplace_hint(last, begin, Entry{end, step, {}});
}

} // namespace mpix::plan
