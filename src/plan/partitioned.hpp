// SPDX-License-Identifier: BSD-3-Clause
//
// A partitioned operation: segments whose partitions become ready one by one and arrive one by one.
// Data that are only moved go straight from rank to rank, so that a late rank holds up nobody else.
// A reduction is cut into pieces, each a problem of its own for the solvers there are.
#pragma once

#include "plan/solver.hpp"

#include <string_view>
#include <vector>

namespace mpix::plan {

// What goes to some ranks alike, or comes from one: partitions in their order, which follow each
// other in memory if they are dense. The two ends have the same bytes and the same cuts.
struct Segment {
    std::vector<int> peers;        // this rank too, if it is one of them
    std::vector<Place> partitions; // gates if it is sent, arrivals if it is received
    std::vector<Bytes> cuts = {};  // where each message begins, the first at 0: of nothing too
    bool is_staged = false;        // sent from where something may come earlier: it is copied out
    Bytes message_bytes = -1; // of the messages, if they are not as many as the partitions have
    bool is_joined = false;   // some message waits for several partitions of the sender

    Bytes bytes() const;
    friend bool operator==(const Segment&, const Segment&) = default;
};

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
