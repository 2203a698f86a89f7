// SPDX-License-Identifier: BSD-3-Clause
//
// From the arguments of a partitioned collective to segments: which partitions go to whom and come
// from whom. It decides nothing about messages.
#pragma once

#include "collective/arguments.hpp"
#include "comm/size_check.hpp"
#include "plan/partitioned.hpp"
#include "progress/binding.hpp"
#include "progress/numbering.hpp"

namespace mpix::partition {

using collective::Arguments;
using comm::Context;
using progress::Binding;
using progress::Numbering;

// The two sides, in the order of their numbers.
struct Segments {
    std::vector<plan::Segment> send, recv;
    Numbering send_numbers, recv_numbers;
    std::vector<std::size_t> recv_order; // in which the messages of one rank come, if it is another
};

// The partitions of the first `blocks` blocks of a side.
std::vector<plan::Place> partition_places(const collective::Side& side, std::size_t blocks,
                                          plan::Buffer dense, plan::Buffer typed,
                                          std::vector<progress::TypedBlock>& table);

// Of an operation that moves data. Fills the binding.
Segments segments_of_movement(const Context& context, const Arguments& arguments, Binding& binding);

// Of a reduction, whose messages are not those of segments: they have no peers. Returns the grain.
plan::Bytes segments_of_reduction(const Context& context, const Arguments& arguments,
                                  Binding& binding, Segments& segments);

// What this rank sends to each and expects of each.
comm::SizeCheck pair(const Segments& segments, bool with_partitions);
// The same of a reduction whose segments are results of one rank each, with their partitions.
comm::SizeCheck pair_with_results(const Context& context, const Segments& segments);

} // namespace mpix::partition
