// SPDX-License-Identifier: BSD-3-Clause
//
// A row an operation; the edges of neighbours by chance.
#include "wiring.hpp"
#include "index.hpp"

#include <map>
#include <numeric>

namespace mpix::plan::test {

Wiring::Wiring(const Parted& parted, Dice& dice)
    : outs(index(parted.ranks), 1), ins(outs), recv_order(outs.size()), p_(parted) {
    if (p_.kind == Kind::neighbor)
        wire_neighbors(dice);
    else
        wire_ranks();
}

void Wiring::wire_ranks() {
    const int n = p_.ranks;
    const auto root = index(p_.root), all = index(n);
    if (p_.kind == Kind::bcast) std::fill(outs.begin(), outs.end(), 0);
    if (p_.kind == Kind::bcast) outs[root] = 1, ins[root] = 0;
    if (p_.kind == Kind::gather) std::fill(ins.begin(), ins.end(), 0), ins[root] = all;
    if (p_.kind == Kind::scatter) std::fill(outs.begin(), outs.end(), 0), outs[root] = all;
    if (p_.kind == Kind::allgather || p_.kind == Kind::alltoall) ins.assign(all, all);
    if (p_.kind == Kind::alltoall) outs.assign(all, all);
    for (int from = 0; from < n; ++from)
        for (int distance = 0; distance < n; ++distance) {
            const int to = (from + distance) % n;
            if (outs[index(from)] == 0 || ins[index(to)] == 0) continue;
            connect(from, outs[index(from)] > 1 ? index(to) : 0, to,
                    ins[index(to)] > 1 ? index(from) : 0);
        }
}

// Edges to any rank, this one too, some of them twice, and some to nobody.
void Wiring::wire_neighbors(Dice& dice) {
    std::vector<std::vector<Flow>> edges(index(p_.ranks));
    for (int from = 0; from < p_.ranks; ++from) {
        const auto degree = index(dice.below(5));
        outs[index(from)] = p_.to_all_alike ? 1 : degree;
        for (std::size_t i = 0; i < degree; ++i) {
            if (dice.below(5) == 0) continue;
            const int to = static_cast<int>(dice.below(std::min(p_.ranks, 6)) + from) % p_.ranks;
            edges[index(to)].push_back({from, p_.to_all_alike ? 0 : i, to, 0});
        }
    }
    for (int to = 0; to < p_.ranks; ++to) take_in(to, std::move(edges[index(to)]), dice);
}

// The edges have any numbers at this end, but those from one rank come in the order of the sender.
void Wiring::take_in(int rank, std::vector<Flow> edges, Dice& dice) {
    std::vector<int> senders;
    for (const Flow& edge : edges) senders.push_back(edge.from);
    dice.shuffle(senders);
    const std::size_t segments = edges.size() + index(dice.below(3));
    std::vector<std::size_t> numbers(segments);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    dice.shuffle(numbers);
    numbers.resize(edges.size());
    const bool is_natural = dice.coin();
    if (is_natural) std::ranges::sort(numbers);
    std::map<int, std::vector<Flow>> by_sender;
    for (const Flow& edge : edges) by_sender[edge.from].push_back(edge);
    std::map<int, std::size_t> taken;
    for (std::size_t k = 0; k < senders.size(); ++k) {
        Flow flow = by_sender[senders[k]][taken[senders[k]]++];
        flow.in = numbers[k];
        flows.push_back(flow);
    }
    ins[index(rank)] = segments;
    if (!is_natural || dice.coin()) recv_order[index(rank)] = numbers;
}

} // namespace mpix::plan::test
