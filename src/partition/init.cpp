// SPDX-License-Identifier: BSD-3-Clause
//
// Planning one partitioned collective.
#include "partition/init.hpp"

#include "collective/init.hpp"
#include "host/failure.hpp"
#include "partition/message_limits.hpp"

#include <algorithm>

namespace mpix::partition {
namespace {

using comm::Communicator;

plan::Shape shape_of(const Context& context, const Arguments& arguments, const comm::Facts& facts,
                     plan::Bytes grain, bool commutative) {
    plan::Shape shape{.kind = plan::kind(arguments.collective),
                      .ranks = context.ranks,
                      .root = arguments.root,
                      .commutative = commutative};
    shape.grain = grain;
    shape.total = facts.total;
    shape.largest = facts.largest;
    context.selection().limit_order(shape, facts.order_shows != 0);
    context.node_peers().place(shape, facts.over_host != 0);
    return shape;
}

// Some rank has more partitions than there are pieces, or others. All ranks say the same.
bool are_joined(const plan::Shape& shape, const comm::Facts& facts, const Segments& segments,
                std::size_t pieces) {
    if (shape.kind == plan::Kind::reduce && facts.root_partitions == comm::unsaid) return true;
    std::int64_t own = 0;
    for (const plan::Segment& segment : segments.send)
        own += static_cast<std::int64_t>(segment.partitions.size());
    return std::max({own, facts.partitions, facts.root_partitions}) >
           static_cast<std::int64_t>(pieces);
}

std::unique_ptr<progress::Operation> make(const std::shared_ptr<Communicator>& communicator,
                                          const Arguments& arguments) {
    Context& context = communicator->context();
    const bool reduces = plan::is_reduction(arguments.collective);
    Binding binding;
    Segments segments;
    plan::Bytes grain = 1;
    if (reduces)
        grain = segments_of_reduction(context, arguments, binding, segments);
    else
        segments = segments_of_movement(context, arguments, binding);
    int commutes = 1;
    if (reduces) host::check(HOST(Op_commutative)(arguments.op, &commutes));
    const comm::Facts facts = agree_on_messages(context, arguments, binding, segments);
    binding.over_host = facts.over_host != 0;

    plan::Partitioned problem;
    problem.whole.rank = context.rank;
    problem.whole.shape = shape_of(context, arguments, facts, grain, commutes != 0);
    problem.tags = context.tags().count - 1; // the last is for MPIX_Pbuf_prepare
    if (reduces) {
        problem.pieces = cut_into_pieces(context, facts, problem.whole.shape, segments);
        problem.are_joined =
            are_joined(problem.whole.shape, facts, segments, problem.pieces.size());
    } else {
        cut_into_messages(context, arguments, facts, segments);
    }
    problem.send = std::move(segments.send);
    problem.recv = std::move(segments.recv);
    problem.recv_order = std::move(segments.recv_order);
    plan::Plan plan = plan::build(problem, context.selection().model(problem.whole.shape));
    return collective::bind_plan(
        communicator, arguments, std::move(plan), problem.whole, std::move(binding),
        std::make_unique<progress::Partitions>(std::move(segments.send_numbers),
                                               std::move(segments.recv_numbers)),
        {});
}

} // namespace

std::unique_ptr<progress::Operation> make_operation(const Arguments& arguments) {
    return collective::make_operation(arguments, make);
}

} // namespace mpix::partition
