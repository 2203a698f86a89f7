// SPDX-License-Identifier: BSD-3-Clause
//
// What a step touches from its beginning to its end. Of a buffer that is not dense it touches whole
// blocks, by their numbers.
#pragma once

#include "plan/plan.hpp"

#include <vector>

namespace mpix::plan {

struct Access {
    Place place;
    bool writes;
};

using Accesses = std::vector<Access>;

inline Place touched(const Span& span, Bytes bytes) {
    return {span.buffer, span.offset, is_blocks(span.buffer) && bytes > 0 ? 1 : bytes};
}

inline Accesses accesses(const Step& step, std::span<const Copy> copies) {
    const auto place = [&](const Span& span) { return touched(span, step.bytes); };
    switch (step.action) {
    case Action::send: return {{place(step.from), false}};
    case Action::recv: return {{place(step.to), true}};
    case Action::combine:
        return {{place(step.from), false}, {place(step.stage), true}, {place(step.to), true}};
    case Action::copy: {
        if (copies.empty()) return {{place(step.from), false}, {place(step.to), true}};
        Accesses all;
        each_copy(step, copies, [&](const Copy& copy) {
            all.push_back({{step.from.buffer, step.from.offset + copy.from, copy.bytes}, false});
            all.push_back({{step.to.buffer, step.to.offset + copy.to, copy.bytes}, true});
        });
        return all;
    }
    case Action::reduce: return {{place(step.from), false}, {place(step.to), true}};
    case Action::arrive: return {{place(step.to), false}};
    case Action::delegate:
    case Action::member:
    case Action::call: break;
    }
    return {};
}

inline bool conflict(const Access& a, const Access& b) {
    const bool is_empty = a.place.bytes == 0 || b.place.bytes == 0;
    return (a.writes || b.writes) && !is_empty && a.place.buffer == b.place.buffer &&
           a.place.offset < b.place.offset + b.place.bytes &&
           b.place.offset < a.place.offset + a.place.bytes;
}

} // namespace mpix::plan
