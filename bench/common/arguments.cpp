// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/arguments.hpp"

#include "bench/collectives/operations.hpp"

#include <algorithm>

namespace mpix::bench {

// The w forms count a whole buffer's bytes in an int: 16 MiB of each of 127 ranks.
std::optional<Sizes> read_sizes(std::string_view text) {
    constexpr std::size_t most = std::size_t{16} << 20;
    Sizes sizes{};
    const auto colon = text.find(':');
    const auto first = text.substr(0, colon);
    const auto second = colon == text.npos ? first : text.substr(colon + 1);
    if (!read_number(first, std::size_t{8}, most, sizes.smallest) ||
        !read_number(second, sizes.smallest, most, sizes.largest))
        return std::nullopt;
    if (sizes.smallest % sizeof(double) != 0 || sizes.largest % sizeof(double) != 0)
        return std::nullopt;
    return sizes;
}

std::vector<std::size_t> sizes_of(const Sizes& sizes, std::size_t factor) {
    std::vector<std::size_t> list;
    for (std::size_t bytes = sizes.smallest; bytes < sizes.largest; bytes *= factor)
        list.push_back(bytes);
    list.push_back(sizes.largest);
    return list;
}

bool is_wanted(std::string_view operation, const std::vector<std::string>& operations) {
    return operations.empty() || std::ranges::find(operations, operation) != operations.end();
}

bool read_operations(const char* text, std::vector<std::string>& operations) {
    return read_names(text, [&](const std::string& name) {
        operations.push_back(name);
        return find_operation(name) != nullptr;
    });
}

} // namespace mpix::bench
