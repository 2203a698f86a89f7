// SPDX-License-Identifier: BSD-3-Clause
//
// Agreeing, learning how many partitions the senders have, and cutting.
#include "partition/message_limits.hpp"

#include "collective/blocks.hpp"
#include "collective/device_buffers.hpp"
#include "comm/context.hpp"
#include "host/failure.hpp"
#include "plan/relays.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

namespace mpix::partition {
namespace {

using comm::Facts;
using plan::Bytes;
using plan::Kind;
using plan::Place;
using plan::Problem;
using plan::Segment;

constexpr std::int64_t not_alike = -1; // what a rank says whose own numbers differ

std::int64_t common_partitions(const std::vector<Segment>& segments) {
    if (segments.empty()) return comm::unsaid;
    const std::size_t first = segments[0].partitions.size();
    for (const Segment& segment : segments)
        if (segment.partitions.size() != first) return not_alike;
    return static_cast<std::int64_t>(first);
}

bool is_root(const Context& context, const Arguments& arguments) {
    return context.rank == arguments.root;
}

bool is_alltoall(const Arguments& arguments) {
    const Kind kind = plan::kind(arguments.collective);
    return kind == Kind::alltoall || kind == Kind::neighbor;
}

// Both ends of a transfer have the same partitions.
bool asserts_pairs(const Arguments& arguments) {
    return arguments.hints.each_pair_same && is_alltoall(arguments);
}

// Which numbers of partitions must be equal where, and who tells them whom.
void say_partitions(const Context& context, const Arguments& arguments, const Segments& segments,
                    Facts& facts) {
    const auto of = [](const std::vector<Segment>& side) {
        return static_cast<std::int64_t>(side[0].partitions.size());
    };
    const collective::PartitionHints& hints = arguments.hints;
    switch (plan::kind(arguments.collective)) {
    case Kind::bcast:
        if (!is_root(context, arguments)) {
            if (hints.are_others_same) facts.partitions = of(segments.recv);
        } else if (!hints.is_root_unknown) {
            facts.root_partitions = of(segments.send);
        }
        break;
    case Kind::reduce:
        if (!is_root(context, arguments))
            facts.partitions = of(segments.send);
        else if (!hints.is_root_unknown)
            facts.root_partitions = of(segments.send);
        break;
    case Kind::allreduce:
    case Kind::scan:
    case Kind::exscan: facts.partitions = of(segments.send); break;
    case Kind::alltoall:
    case Kind::neighbor:
        if (hints.all_send_same) facts.root_partitions = common_partitions(segments.send);
        if (hints.all_recv_same) facts.partitions = common_partitions(segments.recv);
        break;
    default: break;
    }
}

std::int64_t most_messages(const std::vector<Segment>& segments, const MessageLimits& limits) {
    std::map<int, std::int64_t> to;
    for (const Segment& segment : segments) {
        const auto messages =
            limits.cut(segment.bytes(), static_cast<std::int64_t>(segment.partitions.size()));
        for (const int peer : segment.peers) to[peer] += static_cast<std::int64_t>(messages.size());
    }
    std::int64_t most = 0;
    for (const auto& [peer, messages] : to) most = std::max(most, messages);
    return most;
}

// Whether there are relays depends on facts that are not yet known: tags are for either way.
std::int64_t tags_of_movement(const Context& context, const Arguments& arguments,
                              const Segments& segments, const MessageLimits& limits) {
    const std::int64_t most = most_messages(segments.send, limits);
    plan::Shape shape{.kind = plan::kind(arguments.collective), .nodes = {}};
    context.node_peers().place(shape, arguments.over_host);
    return shape.one_node ? most : plan::messages_with_relays(shape.nodes, shape.kind, most);
}

std::int64_t tags_of(const Context& context, const Arguments& arguments, const Segments& segments,
                     const MessageLimits& limits) {
    if (!plan::is_reduction(arguments.collective))
        return tags_of_movement(context, arguments, segments, limits);
    std::int64_t pieces = 0;
    for (const Segment& segment : segments.send)
        pieces += std::min<std::int64_t>(static_cast<std::int64_t>(segment.partitions.size()),
                                         limits.max_messages);
    return plan::messages_of_piece * pieces;
}

// One number from each sender, in the order of the messages between two ranks.
class Learning {
  public:
    explicit Learning(const Context& context) : tags_(context.tags()) {}
    ~Learning() {
        for (MPI_Request& request : requests_) progress::wait_for(request);
    }
    void tell(int peer, const std::int64_t& number) {
        host::check(HOST(Isend)(&number, 1, MPI_INT64_T, peer, tags_.first, tags_.comm,
                                &requests_.emplace_back(MPI_REQUEST_NULL)));
    }
    void learn(int peer, std::int64_t& number) {
        host::check(HOST(Irecv)(&number, 1, MPI_INT64_T, peer, tags_.first, tags_.comm,
                                &requests_.emplace_back(MPI_REQUEST_NULL)));
    }
    void finish() {
        for (MPI_Request& request : requests_) host::check(progress::wait_for(request));
    }

  private:
    const progress::Tags tags_;
    std::vector<MPI_Request> requests_;
};

// How many partitions each received segment has where it is sent, by its place.
class Senders {
  public:
    Senders(const Context& context, const Arguments& arguments, const Facts& facts,
            const Segments& segments)
        : context_(context), args_(arguments), facts_(facts), segments_(segments),
          partitions_(segments.recv.size(), 1) {
        const collective::PartitionHints& hints = args_.hints;
        if (plan::kind(args_.collective) == Kind::bcast) {
            if (facts_.root_partitions != comm::unsaid) fill(facts_.root_partitions);
        } else if (asserts_pairs(args_)) {
            for (std::size_t i = 0; i < partitions_.size(); ++i)
                partitions_[i] = static_cast<std::int64_t>(segments_.recv[i].partitions.size());
        } else if (is_alltoall(args_) && hints.all_send_same) {
            if (facts_.root_partitions != comm::unsaid) fill(facts_.root_partitions);
        } else {
            learn();
        }
    }
    std::int64_t operator[](std::size_t i) const { return partitions_[i]; }

  private:
    void fill(std::int64_t number) { std::fill(partitions_.begin(), partitions_.end(), number); }
    void learn();

    const Context& context_;
    const Arguments& args_;
    const Facts& facts_;
    const Segments& segments_;
    std::vector<std::int64_t> partitions_;
};

void Senders::learn() {
    std::vector<std::int64_t> own; // of the segments sent
    std::vector<std::int64_t> to_self;
    for (const Segment& segment : segments_.send)
        own.push_back(static_cast<std::int64_t>(segment.partitions.size()));
    Learning learning(context_);
    for (std::size_t i = 0; i < own.size(); ++i)
        for (const int peer : segments_.send[i].peers) {
            if (peer == context_.rank)
                to_self.push_back(own[i]);
            else
                learning.tell(peer, own[i]);
        }
    std::size_t next_own = 0;
    const auto& order = segments_.recv_order;
    for (std::size_t k = 0; k < (order.empty() ? partitions_.size() : order.size()); ++k) {
        const std::size_t i = order.empty() ? k : order[k];
        for (const int peer : segments_.recv[i].peers) {
            if (peer == context_.rank)
                partitions_[i] = to_self[next_own++];
            else
                learning.learn(peer, partitions_[i]);
        }
    }
    learning.finish();
}

// The ends of `parts` equal partitions.
std::vector<Bytes> ends(Bytes bytes, std::int64_t parts) {
    std::vector<Bytes> bounds;
    if (bytes == 0) return bounds;
    bounds.reserve(static_cast<std::size_t>(parts));
    for (std::int64_t p = 1; p < parts; ++p) bounds.push_back(bytes / parts * p);
    bounds.push_back(bytes);
    return bounds;
}

} // namespace

MessageLimits MessageLimits::of(const collective::PartitionHints& hints) {
    return {hints.min_message, hints.max_messages};
}

std::vector<Bytes> MessageLimits::cut(Bytes bytes, std::int64_t partitions) const {
    return plan::cuts(ends(bytes, partitions), min_message, max_messages);
}

Facts agree_on_messages(Context& context, const Arguments& arguments, const Binding& binding,
                        const Segments& segments) {
    const MessageLimits own = MessageLimits::of(arguments.hints);
    Facts facts;
    facts.collective = arguments.call().number();
    if (plan::has_root(arguments.collective)) facts.root = arguments.root;
    if (plan::is_in_place_everywhere(arguments.collective))
        facts.in_place = arguments.send.in_place;
    const bool is_scattered = plan::kind(arguments.collective) == Kind::reduce_scatter;
    const comm::SizeCheck size_check = is_scattered ? pair_with_results(context, segments)
                                                    : pair(segments, asserts_pairs(arguments));
    for (const auto* side : {&segments.send, &segments.recv})
        for (const Segment& segment : *side) {
            facts.total += segment.bytes();
            facts.largest = std::max(facts.largest, segment.bytes());
        }
    if (plan::is_reduction(arguments.collective)) {
        const auto& side = arguments.recv.types.empty() ? arguments.send : arguments.recv;
        collective::describe_reduction(facts, arguments.op, side.type(0));
        facts.bytes = 0;
        for (const Segment& segment : segments.send) facts.bytes += segment.bytes();
        facts.total = facts.bytes;
    }
    facts.assertions = arguments.hints.assertions();
    say_partitions(context, arguments, segments, facts);
    facts.over_host = arguments.over_host || !binding.is_dense();
    facts.min_message = own.min_message;
    facts.few_messages = -own.max_messages;
    facts.tags = tags_of(context, arguments, segments, own) + 1; // for MPIX_Pbuf_prepare
    facts.on_device = collective::is_on_device(arguments);
    comm::agree(context, facts, size_check);
    if (facts.on_device) collective::refuse_device(name(arguments.call()));
    if (!binding.reduction.is_possible())
        throw host::Failure{host::error_code(MPI_ERR_UNSUPPORTED_OPERATION,
                                             std::string(name(arguments.call())) +
                                                 ": the MPI library cannot reduce alone, and the "
                                                 "operation or the datatype is the program's own")};
    return facts;
}

void cut_into_messages(const Context& context, const Arguments& arguments, const Facts& facts,
                       Segments& segments) {
    const MessageLimits limits{facts.min_message, -facts.few_messages};
    const Senders senders(context, arguments, facts, segments);
    // Where nobody knows the root's partitions messages end anywhere.
    const bool is_anywhere =
        plan::kind(arguments.collective) == Kind::bcast && facts.root_partitions == comm::unsaid;
    const auto cut = [&](Segment& segment, std::int64_t partitions) {
        const Bytes bytes = segment.bytes();
        segment.cuts = limits.cut(bytes, is_anywhere ? std::min<Bytes>(bytes, limits.max_messages)
                                                     : partitions);
        segment.is_joined =
            is_anywhere || segment.cuts.size() < static_cast<std::size_t>(partitions);
    };
    for (Segment& segment : segments.send)
        cut(segment, static_cast<std::int64_t>(segment.partitions.size()));
    for (std::size_t i = 0; i < segments.recv.size(); ++i) cut(segments.recv[i], senders[i]);
}

namespace {

// The pieces of a vector of `bytes` that begin at `at` in the send room, in parts of equal size.
void add_pieces(std::vector<Problem>& pieces, const Problem& whole, const Place& from,
                const Place& to, std::int64_t parts, const MessageLimits& limits) {
    const std::vector<Bytes> begins = limits.cut(whole.shape.total, parts);
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const Bytes end = i + 1 < begins.size() ? begins[i + 1] : whole.shape.total;
        Problem& piece = pieces.emplace_back(whole);
        piece.shape.total = piece.shape.largest = end - begins[i];
        piece.send = {from.part(begins[i], end - begins[i])};
        if (to.bytes > 0) piece.recv = {to.part(begins[i], end - begins[i])};
    }
}

} // namespace

std::vector<Problem> cut_into_pieces(const Context& context, const Facts& facts,
                                     const plan::Shape& shape, const Segments& segments) {
    const MessageLimits limits{facts.min_message, -facts.few_messages};
    std::vector<Problem> pieces;
    Problem whole;
    whole.rank = context.rank;
    whole.shape = shape;
    const auto place_of = [](const Segment& segment) {
        Place place = segment.partitions[0];
        place.bytes = segment.bytes();
        return place;
    };
    if (shape.kind == Kind::reduce_scatter) {
        whole.shape.kind = Kind::reduce;
        for (std::size_t r = 0; r < segments.send.size(); ++r) {
            const Segment& segment = segments.send[r];
            whole.shape.root = static_cast<int>(r);
            whole.shape.total = segment.bytes();
            const Place to =
                whole.shape.root == context.rank ? place_of(segments.recv[0]) : Place{};
            add_pieces(pieces, whole, place_of(segment), to,
                       static_cast<std::int64_t>(segment.partitions.size()), limits);
        }
        return pieces;
    }
    std::int64_t parts = facts.partitions;
    if (shape.kind == Kind::reduce && facts.root_partitions != comm::unsaid)
        parts =
            parts == comm::unsaid ? facts.root_partitions : std::gcd(parts, facts.root_partitions);
    if (parts == comm::unsaid)
        parts = static_cast<std::int64_t>(segments.send[0].partitions.size());
    Place to = segments.recv.empty() ? Place{} : segments.recv[0].partitions[0];
    if (!segments.recv.empty()) to.bytes = shape.total; // of an exscan too, where nothing comes
    add_pieces(pieces, whole, place_of(segments.send[0]), to, parts, limits);
    return pieces;
}

} // namespace mpix::partition
