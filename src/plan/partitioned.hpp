// SPDX-License-Identifier: BSD-3-Clause
//
// A partitioned operation: segments whose partitions become ready one by one and arrive one by one.
// Data that are only moved go straight from rank to rank, so that a late rank holds up nobody else,
// or where all want them from node to node, a message at a time: relays.hpp.
// A reduction is cut into pieces, each a problem of its own for the solvers there are.
#pragma once

#include "plan/segment.hpp"
#include "plan/solver.hpp"

#include <string_view>
#include <vector>

namespace mpix::plan {

struct Partitioned {
    Problem whole;             // says what it is; the places are in what follows
    std::vector<Segment> send; // those of one rank before or after: the k-th to it is its k-th from
    std::vector<Segment> recv;
    std::vector<std::size_t> recv_order; // of their messages, if it is not that of their numbers
    std::vector<Problem> pieces;         // of a reduction, the same on every rank
    bool are_joined = false; // some piece has several partitions, here or on another rank
    std::int32_t tags = Builder::default_tags;
};

// Messages of one piece from one rank to another, at most.
inline constexpr std::int64_t messages_of_piece = 2;

// Where messages begin that end where partitions end: at most `most` of them, each but the last of
// at least `least` bytes. `bounds` are the ends of the partitions, ascending. What has no bytes is
// one message, which tells that all its partitions are marked.
std::vector<Bytes> cuts(const std::vector<Bytes>& bounds, Bytes least, std::int64_t most);

Plan build(const Partitioned& problem, const Model& model);

} // namespace mpix::plan
