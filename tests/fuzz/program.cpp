// SPDX-License-Identifier: BSD-3-Clause
// What the parts of a program mean to each other.
#include "program.hpp"

#include <algorithm>

namespace fuzz {

const KindFacts& facts(Kind kind) {
    constexpr auto none = Shape::none, single = Shape::single, tiled = Shape::tiled,
                   placed = Shape::placed, bytes = Shape::placed_in_bytes, packed = Shape::packed;
    static const KindFacts table[] = {
        {"barrier", none, none, false, false, false, false, InPlace::nowhere},
        {"bcast", single, single, true, false, false, false, InPlace::nowhere},
        {"gather", single, tiled, true, false, false, false, InPlace::send},
        {"gatherv", single, placed, true, false, false, true, InPlace::send},
        {"scatter", tiled, single, true, false, false, false, InPlace::recv},
        {"scatterv", placed, single, true, false, false, true, InPlace::recv},
        {"allgather", single, tiled, false, false, false, false, InPlace::send},
        {"allgatherv", single, placed, false, false, false, true, InPlace::send},
        {"alltoall", tiled, tiled, false, false, false, false, InPlace::send},
        {"alltoallv", placed, placed, false, false, false, true, InPlace::send},
        {"alltoallw", bytes, bytes, false, false, false, true, InPlace::send},
        {"reduce", single, single, true, true, false, false, InPlace::send},
        {"allreduce", single, single, false, true, false, false, InPlace::send},
        {"reduce_scatter", packed, single, false, true, false, true, InPlace::send},
        {"reduce_scatter_block", tiled, single, false, true, false, false, InPlace::send},
        {"scan", single, single, false, true, false, false, InPlace::send},
        {"exscan", single, single, false, true, false, false, InPlace::send},
        {"neighbor_allgather", single, tiled, false, false, true, false, InPlace::nowhere},
        {"neighbor_allgatherv", single, placed, false, false, true, true, InPlace::nowhere},
        {"neighbor_alltoall", tiled, tiled, false, false, true, false, InPlace::nowhere},
        {"neighbor_alltoallv", placed, placed, false, false, true, true, InPlace::nowhere},
        {"neighbor_alltoallw", bytes, bytes, false, false, true, true, InPlace::nowhere},
        {"message", single, single, false, false, false, false, InPlace::nowhere},
    };
    return table[static_cast<std::size_t>(kind)];
}

int Communicator::member_of(int world_rank) const {
    const auto found = std::find(members.begin(), members.end(), world_rank);
    return found == members.end() ? -1 : static_cast<int>(found - members.begin());
}

std::vector<int> Communicator::peers_of(int member) const {
    std::vector<int> peers;
    for (int m = 0; m < size(); m++)
        if (!is_inter() || group_of(m) != group_of(member)) peers.push_back(m);
    return peers;
}

bool is_on_operation(Action action) {
    switch (action) {
    case Action::check:
    case Action::init:
    case Action::free_request:
    case Action::start:
    case Action::ready:
    case Action::prepare:
    case Action::complete: return true;
    default: return false;
    }
}

int Program::init_of(int operation) const {
    for (std::size_t i = 0; i < items.size(); i++)
        if (items[i].action == Action::init && items[i].subject == operation)
            return static_cast<int>(i);
    return -1;
}

bool is_on_bundle(Action action) {
    return action == Action::start_bundle || action == Action::complete_bundle;
}

bool Program::is_on(const Item& item, int operation) const {
    if (!is_on_bundle(item.action))
        return is_on_operation(item.action) && item.subject == operation;
    const std::vector<Member>& members = bundles[at(item.subject)];
    return std::any_of(members.begin(), members.end(),
                       [&](const Member& member) { return member.operation == operation; });
}

bool Program::is_optional(int item) const {
    switch (items[at(item)].action) {
    case Action::make:
    case Action::complete:
    case Action::complete_bundle:
    case Action::ready: return false;
    default: return true;
    }
}

bool Program::keeps(const std::set<int>& skipped, int number) const {
    if (skipped.contains(number)) return false;
    const Item& item = items[at(number)];
    if (item.action == Action::make) { // only where something needs it
        for (std::size_t i = at(number) + 1; i < items.size(); i++) {
            const Item& later = items[i];
            const bool child =
                later.action == Action::make && comms[at(later.subject)].parent == item.subject;
            if (is_on_bundle(later.action)) continue;
            const bool user = is_on_operation(later.action)
                                  ? operations[at(later.subject)].comm == item.subject
                                  : later.subject == item.subject &&
                                        later.action != Action::free_comm &&
                                        later.action != Action::make;
            if ((child || user) && keeps(skipped, static_cast<int>(i))) return true;
        }
        return false;
    }
    if (item.action == Action::free_comm) {
        for (std::size_t i = 0; i < at(number); i++)
            if (items[i].action == Action::make && items[i].subject == item.subject)
                return keeps(skipped, static_cast<int>(i));
        return true;
    }
    if (item.action == Action::complete_bundle) {
        const auto start = std::find_if(items.begin(), items.end(), [&](const Item& other) {
            return other.action == Action::start_bundle && other.subject == item.subject;
        });
        return !skipped.contains(static_cast<int>(start - items.begin()));
    }
    if (!is_on_operation(item.action)) return true;
    for (std::size_t i = 0; i < items.size(); i++) {
        const Item& other = items[i];
        if (other.subject != item.subject || !skipped.contains(static_cast<int>(i))) continue;
        if (other.action == Action::init) return false;
        const bool of_round = item.action == Action::ready || item.action == Action::prepare ||
                              item.action == Action::complete;
        if (other.action == Action::start && of_round && other.round == item.round) return false;
    }
    return true;
}

bool Program::has(const std::set<int>& skipped, Action feature) const {
    for (std::size_t i = 0; i < items.size(); i++)
        if (items[i].action == feature) return !skipped.contains(static_cast<int>(i));
    return false;
}

} // namespace fuzz
