// SPDX-License-Identifier: BSD-3-Clause
//
// Counting what the kernel lists.
#include "comm/network_cards.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <string>
#include <system_error>

namespace mpix::comm {
namespace {

namespace fs = std::filesystem;

constexpr int most_cards = 63;

// Nothing where there is no such folder.
fs::directory_iterator entries(const fs::path& folder) {
    std::error_code none;
    return {folder, none};
}

bool is_active(const fs::path& port) {
    std::string state;
    std::getline(std::ifstream(port / "state"), state);
    return state.find("ACTIVE") != std::string::npos;
}

// InfiniBand's tell of their ports; others have none there.
bool has_link(const fs::path& card) {
    const fs::path ports = card / "ports";
    std::error_code none;
    return !fs::exists(ports, none) ||
           std::ranges::any_of(entries(ports), [](const auto& port) { return is_active(port); });
}

} // namespace

int fast_cards() {
    static const int found = count_cards("/sys/class");
    return found;
}

int count_cards(const fs::path& classes) {
    std::ptrdiff_t found = 0;
    for (const char* const kind : {"infiniband", "cxi"})
        found += std::ranges::count_if(entries(classes / kind),
                                       [](const auto& card) { return has_link(card); });
    return static_cast<int>(std::min<std::ptrdiff_t>(found, most_cards));
}

std::uint64_t missing_cards(int cards) { return ~std::uint64_t{0} << cards; }

int fewest_cards(std::uint64_t missing) { return std::countr_zero(missing); }

} // namespace mpix::comm
