// SPDX-License-Identifier: BSD-3-Clause
//
// What is known of the network, and what is mostly found.
#include "comm/network.hpp"

#include "base/settings.hpp"
#include "base/words.hpp"
#include "host/host.hpp"

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <system_error>

namespace mpix::comm {
namespace {

constinit std::mutex known_mutex;
constinit NetworkCosts known_costs;

} // namespace

bool has_fast_network() {
    static const bool found = [] {
        std::error_code none;
        for (const char* const kind : {"/sys/class/infiniband", "/sys/class/cxi"})
            if (std::filesystem::directory_iterator(kind, none) !=
                std::filesystem::directory_iterator())
                return true;
        return false;
    }();
    return found;
}

NetworkCosts usual_network(bool is_fast) {
    // One process fills such a card. What goes through the kernel takes several to do so.
    if (is_fast) return {true, 1.5, 0.2, 1.0 / 10000, 1};
    return {true, 16, 4, 1.0 / 4000, 4, 40, host::here().longest_eager() + 1.0};
}

NetworkCosts known_network() {
    const std::lock_guard lock(known_mutex);
    return known_costs;
}

void learn_network(const NetworkCosts& costs) {
    const std::lock_guard lock(known_mutex);
    if (costs.is_there) known_costs = costs;
}

void tell(const NetworkCosts& costs) {
    static std::atomic_flag is_said{};
    if (!costs.is_there || !base::is_listed(base::settings().MPIX_VERBOSE, "plan") ||
        is_said.test_and_set())
        return;
    std::fprintf(stderr,
                 "mpix: between nodes a message takes %.2f us, %.2f of them to post it; a long one "
                 "goes at %.1f GB/s, and takes %.2f us more from %.0f bytes on\n",
                 costs.latency, costs.overhead, 1e-3 / costs.per_byte, costs.rendezvous,
                 costs.eager);
}

} // namespace mpix::comm
