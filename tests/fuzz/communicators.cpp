// SPDX-License-Identifier: BSD-3-Clause
// Membership and neighbourhoods by the rules of MPI 4.1: sections 7.4 and 8.6.
#include "communicators.hpp"

#include <algorithm>
#include <numeric>

namespace fuzz {
namespace {

void take_all(Communicator& made, const Communicator& parent) {
    made.members = parent.members;
    made.first_group = parent.first_group;
}

// The ranks of a parent with one colour, by key.
std::vector<int> coloured(const Communicator& made, const Communicator& parent, int colour) {
    std::vector<int> ranks;
    for (int r = 0; r < parent.size(); r++)
        if (made.colours[at(r)] == colour) ranks.push_back(r);
    std::stable_sort(ranks.begin(), ranks.end(),
                     [&](int a, int b) { return made.keys[at(a)] < made.keys[at(b)]; });
    for (int& rank : ranks) rank = parent.members[at(rank)];
    return ranks;
}

void draw_keys(Random& random, Communicator& made, const Communicator& parent) {
    for (int r = 0; r < parent.size(); r++) made.keys.push_back(r);
    if (random.chance(40))
        std::reverse(made.keys.begin(), made.keys.end());
    else if (random.chance(40))
        random.shuffle(made.keys);
}

void split(Random& random, Communicator& made, const Communicator& parent) {
    for (int r = 0; r < parent.size(); r++) made.colours.push_back(random.chance(70) ? 0 : -1);
    made.colours[at(random.below(parent.size()))] = 0;
    draw_keys(random, made, parent);
    made.members = coloured(made, parent, 0);
    made.first_group = made.size();
}

// Two groups, and perhaps ranks in neither.
void join(Random& random, Communicator& made, const Communicator& parent) {
    std::vector<int> ranks(parent.members.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    random.shuffle(ranks);
    made.colours.assign(ranks.size(), -1);
    for (std::size_t i = 0; i < ranks.size(); i++)
        made.colours[at(ranks[i])] = i < 2               ? static_cast<int>(i)
                                     : random.chance(85) ? static_cast<int>(random.below(2))
                                                         : -1;
    draw_keys(random, made, parent);
    made.members = coloured(made, parent, 0);
    made.first_group = made.size();
    const std::vector<int> second = coloured(made, parent, 1);
    made.members.insert(made.members.end(), second.begin(), second.end());
}

// The member at some steps along a dimension, -1 beyond the border.
int shifted(const Communicator& grid, int member, std::size_t dimension, int steps) {
    int stride = 1;
    for (std::size_t d = dimension + 1; d < grid.dims.size(); d++) stride *= grid.dims[d];
    const int length = grid.dims[dimension];
    const int place = member / stride % length;
    int moved = place + steps;
    if (moved < 0 || moved >= length) {
        if (grid.periods[dimension] == 0) return -1;
        moved = (moved + length) % length;
    }
    return member + (moved - place) * stride;
}

// What is sent to the left arrives, at the left neighbour, in the block for its right.
void cartesian(Random& random, Communicator& made, const Communicator& parent) {
    int left = static_cast<int>(random.between((parent.size() + 1) / 2, parent.size()));
    const auto dimensions = random.between(1, 3);
    for (long d = 0; d < dimensions; d++) {
        std::vector<int> divisors;
        for (int n = 1; n <= left; n++)
            if (left % n == 0) divisors.push_back(n);
        made.dims.push_back(d + 1 == dimensions ? left : random.pick(divisors));
        made.periods.push_back(random.chance(50));
        left /= made.dims.back();
    }
    const int size =
        std::accumulate(made.dims.begin(), made.dims.end(), 1, [](int a, int b) { return a * b; });
    made.members.assign(parent.members.begin(), parent.members.begin() + size);
    made.first_group = size;
    made.edges.resize(at(size));
    made.destinations.resize(at(size));
    for (int member = 0; member < size; member++)
        for (std::size_t d = 0; d < made.dims.size(); d++)
            for (const int direction : {-1, 1}) {
                const int block = 2 * static_cast<int>(d) + (direction < 0 ? 1 : 0);
                const int peer = shifted(made, member, d, direction);
                made.destinations[at(member)].push_back(peer);
                made.edges[at(member)].push_back({peer, block});
            }
}

// The k-th edge that a process lists to another matches the k-th that the other lists from it.
void match_edges(Communicator& made) {
    made.edges.resize(at(made.size()));
    for (int member = 0; member < made.size(); member++) {
        std::vector<int> used(at(made.size()), 0);
        for (const int source : made.sources[at(member)]) {
            const std::vector<int>& theirs = made.destinations[at(source)];
            int& block = used[at(source)];
            while (theirs[at(block)] != member) block++;
            made.edges[at(member)].push_back({source, block++});
        }
    }
}

void dist_graph(Random& random, Communicator& made, const Communicator& parent) {
    take_all(made, parent);
    made.sources.resize(at(made.size()));
    made.destinations.resize(at(made.size()));
    const int density = static_cast<int>(random.between(10, 70));
    for (int from = 0; from < made.size(); from++)
        for (int to = 0; to < made.size(); to++)
            while (random.chance(density)) {
                made.destinations[at(from)].push_back(to);
                made.sources[at(to)].push_back(from);
                if (random.chance(75)) break;
            }
    for (auto& list : made.sources) random.shuffle(list);
    for (auto& list : made.destinations) random.shuffle(list);
    match_edges(made);
}

// The old kind of graph: symmetric, and perhaps without the last ranks of the parent.
void graph(Random& random, Communicator& made, const Communicator& parent) {
    const auto size = random.between((parent.size() + 1) / 2, parent.size());
    made.members.assign(parent.members.begin(), parent.members.begin() + size);
    made.first_group = made.size();
    made.destinations.resize(at(size));
    const int density = static_cast<int>(random.between(20, 70));
    for (int a = 0; a < made.size(); a++)
        for (int b = a; b < made.size(); b++)
            while (random.chance(density)) {
                made.destinations[at(a)].push_back(b);
                if (a != b) made.destinations[at(b)].push_back(a);
                if (random.chance(75)) break;
            }
    for (auto& list : made.destinations) random.shuffle(list);
    made.sources = made.destinations;
    match_edges(made);
}

} // namespace

Communicator world(int ranks) {
    Communicator made;
    made.members.resize(at(ranks));
    std::iota(made.members.begin(), made.members.end(), 0);
    made.first_group = ranks;
    return made;
}

Communicator derive(Random& random, const std::vector<Communicator>& comms, int parent) {
    using Made = Communicator::Made;
    const Communicator& from = comms[at(parent)];
    Communicator made = from;
    made.parent = parent;
    made.copied = true;
    // Of two groups only a copy is made: the other constructors want one.
    if (from.is_inter() || random.chance(25)) return made;
    made = {};
    made.parent = parent;
    made.made = random.pick(
        {Made::split, Made::split, Made::cartesian, Made::graph, Made::dist_graph, Made::inter});
    if (made.made == Made::inter && from.size() < 2) made.made = Made::split;
    switch (made.made) {
    case Made::cartesian: cartesian(random, made, from); break;
    case Made::graph: graph(random, made, from); break;
    case Made::dist_graph: dist_graph(random, made, from); break;
    case Made::inter: join(random, made, from); break;
    default: split(random, made, from); break;
    }
    return made;
}

} // namespace fuzz
