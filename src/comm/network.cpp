// SPDX-License-Identifier: BSD-3-Clause
//
// What is known of the network, and what is mostly found.
#include "comm/network.hpp"

#include "base/settings.hpp"
#include "base/words.hpp"
#include "host/host.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>

namespace mpix::comm {
namespace {

constinit std::mutex known_mutex;
constinit NetworkCosts known_costs;

} // namespace

NetworkCosts usual_network(int fast_cards) {
    // One process fills such a card. What goes through the kernel takes several to do so.
    if (fast_cards > 0) return {true, 1.5, 0.2, 0.2, 1.0 / 10000, static_cast<double>(fast_cards)};
    return {true, 16, 4, 2, 1.0 / 4000, 4, 40, host::here().longest_eager() + 1.0};
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
                 "mpix: between nodes a message takes %.2f us, %.2f of them to post it, and %.2f "
                 "to take one more; a long one "
                 "goes at %.1f GB/s, %.0f at once, and takes %.2f us more from %.0f bytes on\n",
                 costs.latency, costs.overhead, costs.taking, 1e-3 / costs.per_byte, costs.streams,
                 costs.rendezvous, costs.eager);
}

} // namespace mpix::comm
