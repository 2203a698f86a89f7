// SPDX-License-Identifier: BSD-3-Clause
//
// Their names, and sums over the kinds of plans that each has.
#include "library/counted_operations.hpp"

#include "plan/collective.hpp"

#include <algorithm>
#include <cctype>
#include <mutex>

namespace mpix::library {
namespace {

// However it was made.
constexpr std::string_view channel = "channel";

bool is_same(std::string_view one, std::string_view other) {
    return std::ranges::equal(one, other, [](unsigned char a, unsigned char b) {
        return std::tolower(a) == std::tolower(b);
    });
}

std::vector<std::string> name_all() {
    std::vector<std::string> all;
    for (const bool is_partitioned : {false, true})
        for (std::size_t i = 0; i < plan::collectives; ++i) {
            const auto collective = static_cast<plan::Collective>(i);
            const bool is_there = is_partitioned ? collective != plan::Collective::barrier
                                                 : collective != plan::Collective::scatterw;
            const char* const before = is_partitioned ? "p" : "";
            if (is_there) all.push_back(before + std::string(plan::short_name(collective)));
        }
    for (const char* const name : {"psend", "precv"}) all.emplace_back(name);
    all.emplace_back(channel);
    return all;
}

bool is_of(std::string_view kind, std::string_view operation) {
    if (operation.empty()) return true;
    if (operation != channel) return is_same(kind, operation);
    return std::ranges::none_of(counted_operations(),
                                [&](const std::string& other) { return is_same(kind, other); });
}

} // namespace

const std::vector<std::string>& counted_operations() {
    static const auto& all = *new std::vector(name_all()); // never destroyed
    return all;
}

std::int64_t counted(std::string_view operation, std::int64_t progress::Counters::*counter) {
    std::int64_t sum = 0;
    const std::lock_guard lock(progress::all_counters().mutex);
    for (auto& [kind, counters] : progress::all_counters().by_kind)
        if (is_of(kind[0], operation)) sum += progress::look(counters.*counter);
    return sum;
}

} // namespace mpix::library
