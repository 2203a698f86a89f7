// SPDX-License-Identifier: BSD-3-Clause
//
// From the arguments of a partitioned collective to segments: which partitions go to whom and come
// from whom. It decides nothing about messages.
#pragma once

#include "plan/partitioned.hpp"
#include "run/arguments.hpp"
#include "run/binding.hpp"
#include "run/numbering.hpp"
#include "run/pairing.hpp"

namespace mpix::partition {

using run::Arguments;
using run::Binding;
using run::Context;
using run::Numbering;

// The two sides, in the order of their numbers.
struct Segments {
    std::vector<plan::Segment> send, recv;
    Numbering send_numbers, recv_numbers;
    std::vector<std::size_t> recv_order; // in which the messages of one rank come, if it is another
};

// The partitions of the first `blocks` blocks of a side.
std::vector<plan::Place> partition_places(const run::Side& side, std::size_t blocks,
                                          plan::Room dense, plan::Room typed,
                                          std::vector<run::TypedBlock>& table);

// Of an operation that moves data. Fills the binding.
Segments segments_of_movement(const Context& context, const Arguments& arguments, Binding& binding);

// Of a reduction, whose messages are not those of segments: they have no peers. Returns the grain.
plan::Bytes segments_of_reduction(const Context& context, const Arguments& arguments,
                                  Binding& binding, Segments& segments);

// What this rank sends to each and expects of each.
run::Pairing pair(const Segments& segments, bool with_partitions);
// The same of a reduction whose segments are results of one rank each, with their partitions.
run::Pairing pair_with_results(const Context& context, const Segments& segments);

} // namespace mpix::partition
