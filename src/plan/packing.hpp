// SPDX-License-Identifier: BSD-3-Clause
//
// Several blocks in one message: straight from or into the user's buffer where the blocks are
// adjacent there, through scratch and copies where they are not. The other end cannot tell which:
// layouts differ from rank to rank, the bytes of the message do not.
#pragma once

#include "plan/builder.hpp"

#include <span>
#include <vector>

namespace mpix::plan {

// The same bytes in the same order, in as few places as possible.
std::vector<Place> runs(std::span<const Place> places);

// One place for all of them: they themselves if they are a single run, otherwise new scratch.
Place joined(Builder& plan, std::span<const Place> places);

// Copies between a joined place and the places it stands for; nothing if it is them.
void pack(Builder& plan, std::span<const Place> places, const Place& whole);
void unpack(Builder& plan, const Place& whole, std::span<const Place> places);

// From each place to the other of its number.
std::vector<Move> moves(std::span<const Place> from, std::span<const Place> to);

// `count` of the places, from number `first` on, going round at the end.
std::vector<Place> around(const std::vector<Place>& places, int first, int count);

// Where `count` blocks from number `first` on begin when they follow one another, going round at
// the end; the last entry is the end of the last.
std::vector<Bytes> offsets(const std::vector<Bytes>& sizes, int first, int count);

// The blocks [from, to) of those offsets.
Place slice(const Place& whole, const std::vector<Bytes>& offsets, int from, int to);

} // namespace mpix::plan
