// SPDX-License-Identifier: BSD-3-Clause
//
// Copies that are one step: short ones in a list, and such as are equally far apart.
#include "plan/builder.hpp"

#include <algorithm>

namespace mpix::plan {

bool Builder::may_list(const Move& move) const {
    const auto is_dense = [](Buffer buffer) {
        return !is_blocks(buffer) && buffer != Buffer::nothing;
    };
    return may_list_ && is_dense(move.from.buffer) && is_dense(move.to.buffer);
}

// A step costs as much as several short copies. All of them wait for what any of them needs.
void Builder::copy(std::span<const Move> moves) {
    constexpr auto short_copy = static_cast<Bytes>(Model::short_copy);
    constexpr Bytes most_of_step = 8 * short_copy;
    constexpr std::array dense{Buffer::send, Buffer::recv, Buffer::scratch};
    std::array<std::array<List, dense.size()>, dense.size()> lists;
    for (const Move& move : moves) {
        const auto from = static_cast<std::size_t>(move.from.buffer),
                   to = static_cast<std::size_t>(move.to.buffer);
        if (!may_list(move) || move.from.bytes > short_copy) {
            copy(move.from, move.to);
            continue;
        }
        if (move.from.bytes == 0 || move.from == move.to) continue;
        List& list = lists[from][to];
        list.copies.push_back({move.from.offset, move.to.offset, move.from.bytes});
        list.bytes += move.from.bytes;
        if (list.bytes >= most_of_step) copy(dense[from], dense[to], list);
    }
    for (const Buffer from : dense)
        for (const Buffer to : dense)
            copy(from, to, lists[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)]);
}

void Builder::copy(Buffer from, Buffer to, List& list) {
    const std::span<const Copy> copies = list.copies;
    // Visits what copies that follow each other are together.
    const auto each_run = [&](Buffer buffer, Bytes Copy::*at, auto visit) {
        for (std::size_t i = 0; i < copies.size();) {
            Place run{buffer, copies[i].*at, 0};
            for (; i < copies.size() && copies[i].*at == run.offset + run.bytes; ++i)
                run.bytes += copies[i].bytes;
            visit(run);
        }
    };
    if (copies.size() == 1)
        copy({from, copies[0].from, list.bytes}, {to, copies[0].to, list.bytes});
    if (copies.size() > 1) {
        // What is to be sent nobody writes.
        if (from != Buffer::send)
            each_run(from, &Copy::from, [&](const Place& run) { reads(run); });
        each_run(to, &Copy::to, [&](const Place& run) { writes(run); });
        const Span first_from{from, std::ranges::min(copies, {}, &Copy::from).from},
            first_to{to, std::ranges::min(copies, {}, &Copy::to).to};
        add({.action = Action::copy,
             .from = first_from,
             .to = first_to,
             .bytes = list.bytes,
             .number = static_cast<std::int32_t>(plan_.copies.size()),
             .copies = static_cast<std::int32_t>(copies.size())});
        for (const Copy& copy : copies)
            plan_.copies.push_back(
                {copy.from - first_from.offset, copy.to - first_to.offset, copy.bytes});
    }
    list = {};
}

void Builder::copy(const Move& first, int count, Bytes from_stride, Bytes to_stride) {
    if (count == 0 || first.from.bytes == 0) return;
    if (!may_list(first)) {
        for (int i = 0; i < count; ++i)
            copy(moved(first.from, i * from_stride), moved(first.to, i * to_stride));
        return;
    }
    const Bytes bytes = first.from.bytes;
    // What is to be sent nobody writes.
    if (first.from.buffer != Buffer::send)
        reads(first.from.part(0, (count - 1) * from_stride + bytes));
    writes(first.to.part(0, (count - 1) * to_stride + bytes));
    add({.action = Action::copy,
         .from = {first.from.buffer, first.from.offset},
         .to = {first.to.buffer, first.to.offset},
         .bytes = count * bytes,
         .number = static_cast<std::int32_t>(plan_.copies.size()),
         .copies = 1,
         .repeats = count});
    plan_.copies.push_back({from_stride, to_stride, bytes});
}

} // namespace mpix::plan
