// SPDX-License-Identifier: BSD-3-Clause
//
// Weighing blocks, and finding the pair of ranks whose blocks do not balance.
#include "comm/size_check.hpp"

#include "base/hash.hpp"
#include "comm/context.hpp"

#include <algorithm>
#include <map>

namespace mpix::comm {
namespace {

std::uint64_t weight(int from, int to, int turn) {
    const auto ranks = static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
    return base::mix(base::mix(ranks + 0x9e3779b97f4a7c15u) + static_cast<std::uint64_t>(turn)) | 1;
}

// One more than the bytes: a block of none that only one side knows of must be found too.
std::uint64_t weighed(int from, int to, int turn, const SizeCheck::Size& size) {
    const std::uint64_t own = weight(from, to, turn);
    return own * (static_cast<std::uint64_t>(size.bytes) + 1) +
           (base::mix(own) | 1) * static_cast<std::uint64_t>(size.partitions);
}

void sum(const Context& context, std::vector<std::uint64_t>& values) {
    combine(context.all_ranks(), values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
            MPI_SUM);
}

int first_imbalance(const std::vector<std::uint64_t>& values) {
    const auto found =
        std::find_if(values.begin(), values.end(), [](std::uint64_t value) { return value != 0; });
    return static_cast<int>(found - values.begin());
}

constexpr std::int64_t no_block = -1;
constexpr std::size_t most_turns = 64; // between two ranks, that mismatch() looks at

std::string describe(const Context& context, int from, int to, const SizeCheck::Size& sent,
                     const SizeCheck::Size& expected) {
    const std::string sender = context.name_of(from), receiver = context.name_of(to);
    const auto sends = [&](std::int64_t number, const char* of, std::int64_t wanted) {
        return sender + " sends " + std::to_string(number) + of + " to " + receiver +
               ", which expects " + (wanted == no_block ? "none" : std::to_string(wanted));
    };
    if (sent.bytes == no_block)
        return receiver + " expects " + std::to_string(expected.bytes) + " bytes from " + sender +
               ", which sends none";
    if (sent.bytes != expected.bytes) return sends(sent.bytes, " bytes", expected.bytes);
    return sends(sent.partitions, " partitions", expected.partitions);
}

} // namespace

// visit(rank, turn, size)
template<class Visit>
void SizeCheck::each(const std::vector<Block>& blocks, Visit visit) {
    const bool is_ascending =
        std::adjacent_find(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
            return a.rank >= b.rank;
        }) == blocks.end();
    std::map<int, int> turns; // empty where every rank occurs once
    for (const Block& block : blocks)
        visit(block.rank, is_ascending ? 0 : turns[block.rank]++, block.size);
}

// add(from, to, weight): of what is sent, and negative of what is expected.
template<class Add>
void SizeCheck::weigh(int me, Add add) const {
    each(sent_, [&](int rank, int turn, const Size& size) {
        add(me, rank, weighed(me, rank, turn, size));
    });
    each(expected_, [&](int rank, int turn, const Size& size) {
        add(rank, me, -weighed(rank, me, turn, size));
    });
}

std::uint64_t SizeCheck::fingerprint(int me) const {
    std::uint64_t total = 0;
    weigh(me, [&](int, int, std::uint64_t value) { total += value; });
    return total;
}

// Of the blocks from one rank to another, by turn: the size sent and the size expected, where this
// rank knows them.
std::vector<SizeCheck::Size> SizeCheck::between(int me, int from, int to) const {
    std::vector<Size> sizes(2 * most_turns, Size{no_block, no_block});
    const auto take = [&](const std::vector<Block>& blocks, int peer, std::size_t side) {
        each(blocks, [&](int rank, int turn, const Size& size) {
            if (rank == peer && static_cast<std::size_t>(turn) < most_turns)
                sizes[2 * static_cast<std::size_t>(turn) + side] = size;
        });
    };
    if (me == from) take(sent_, to, 0);
    if (me == to) take(expected_, from, 1);
    return sizes;
}

std::string SizeCheck::mismatch(const Context& context) const {
    const int me = context.rank_of_all;
    std::vector<std::uint64_t> balance(static_cast<std::size_t>(context.ranks_of_all));
    weigh(me, [&](int from, int, std::uint64_t value) {
        balance[static_cast<std::size_t>(from)] += value;
    });
    sum(context, balance);
    const int sender = first_imbalance(balance);
    balance.assign(balance.size(), 0);
    weigh(me, [&](int from, int to, std::uint64_t value) {
        if (from == sender) balance[static_cast<std::size_t>(to)] += value;
    });
    sum(context, balance);
    const int receiver = first_imbalance(balance);

    std::vector<Size> sizes = between(me, sender, receiver);
    static_assert(sizeof(Size) == 2 * sizeof(std::int64_t));
    combine(context.all_ranks(), sizes.data(), static_cast<int>(2 * sizes.size()), MPI_INT64_T,
            MPI_MAX);
    std::size_t turn = 0;
    while (turn + 1 < most_turns && sizes[2 * turn] == sizes[2 * turn + 1]) ++turn;
    return describe(context, sender, receiver, sizes[2 * turn], sizes[2 * turn + 1]);
}

} // namespace mpix::comm
