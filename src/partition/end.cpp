// SPDX-License-Identifier: BSD-3-Clause
//
// Planning one end. Both ends cut the sender's bytes alike; the receiver's partitions are what they
// are.
#include "partition/end.hpp"

#include "collective/init.hpp"
#include "comm/calibration.hpp"
#include "comm/spot.hpp"
#include "comm/tag_allocator.hpp"
#include "host/failure.hpp"
#include "partition/pair_plan.hpp"
#include "progress/engine.hpp"

#include <algorithm>
#include <string>

namespace mpix::partition {

PairEnd::PairEnd(const collective::Arguments& arguments,
                 std::shared_ptr<comm::CommunicatorId> identity, bool sends, int peer, int tag)
    : identity_(std::move(identity)), sends_(sends), over_host_(arguments.over_host), peer_(peer),
      tag_(tag), terms_(MessageLimits::of(arguments.hints)) {
    const collective::Side& side = sends ? arguments.send : arguments.recv;
    binding_.send = arguments.send.buffer;
    binding_.recv = arguments.recv.buffer;
    segment_.partitions = sends ? partition_places(side, 1, plan::Buffer::send,
                                                   plan::Buffer::send_blocks, binding_.send_blocks)
                                : partition_places(side, 1, plan::Buffer::recv,
                                                   plan::Buffer::recv_blocks, binding_.recv_blocks);
}

// The operation lets go of it under the guard, before anything else of it is gone.
PairEnd::~PairEnd() {
    const progress::Engine::Guard guard(progress::engine());
    if (first_tag_ >= 0) comm::tag_allocator().give_back(first_tag_);
}

void PairEnd::describe(Handshake& handshake) const {
    handshake.tag = tag_;
    handshake.communicator = identity_->number();
    handshake.turn = turn;
    handshake.bytes = segment_.bytes();
    handshake.partitions = static_cast<std::int64_t>(segment_.partitions.size());
    handshake.min_message = terms_.min_message;
    handshake.max_messages = terms_.max_messages;
    handshake.address = comm::ProcessAddress::own(over_host_);
}

// Messages to this process itself are messages too: the two ends are started apart.
plan::Partitioned PairEnd::problem() const {
    plan::Partitioned problem;
    problem.whole.rank = -1;
    problem.whole.shape.kind = plan::Kind::neighbor;
    problem.whole.shape.ranks = 2;
    problem.whole.shape.total = segment_.bytes();
    (sends_ ? problem.send : problem.recv).push_back(segment_);
    return problem;
}

void PairEnd::bind(const plan::Partitioned& problem, const progress::OpenLinks& open, int tag) {
    progress::Binding binding = binding_; // bind_alone may follow
    operation_->bind(plan_of_pair(problem, peer_), std::move(binding),
                     {identity_->control(), identity_, tag, problem.tags + 1}, open);
    collective::announce(*operation_, problem.whole);
}

void PairEnd::bind_sender(const comm::ProcessAddress& receiver, Handshake& offer) {
    plan::Partitioned mine = problem();
    plan::Segment& segment = mine.send[0];
    segment.cuts =
        terms_.cut(segment.bytes(), static_cast<std::int64_t>(segment.partitions.size()));
    segment.is_joined = segment.cuts.size() < segment.partitions.size();
    segment.peers = {0};
    mine.tags = std::max(static_cast<std::int32_t>(segment.cuts.size()), 1);
    const progress::Engine::Guard guard(progress::engine());
    describe(offer);
    progress::Links::Connection connection;
    const bool is_near = comm::find_connection(receiver, offer.address.part, connection);
    if (first_tag_ < 0)
        first_tag_ =
            comm::tag_allocator().take(mine.tags + 1, host::tag_limit(identity_->control()));
    if (first_tag_ < 0)
        throw host::Failure{host::error_code(MPI_ERR_OTHER, "there are no more tags for messages")};
    offer.first_tag = first_tag_;
    const auto open = [&](const plan::Plan& plan, const progress::Links::Source& source) {
        auto channels = is_near ? std::make_unique<progress::Links>(connection, plan, source,
                                                                    comm::Calibration::known())
                                : std::make_unique<progress::Links>(plan);
        offer.block = channels->block();
        return channels;
    };
    try {
        bind(mine, open, first_tag_);
    } catch (...) { // nobody will hear of it
        comm::abandon(offer.address, offer.block);
        throw;
    }
}

void PairEnd::bind_receiver(const Handshake& offer) {
    plan::Partitioned mine = problem();
    plan::Segment& segment = mine.recv[0];
    const MessageLimits of_sender{offer.min_message, offer.max_messages};
    segment.cuts = of_sender.cut(offer.bytes, offer.partitions);
    segment.is_joined = static_cast<std::int64_t>(segment.cuts.size()) < offer.partitions;
    segment.peers = {0};
    segment.message_bytes = offer.bytes;
    mine.tags = std::max(static_cast<std::int32_t>(segment.cuts.size()), 1);
    if (offer.bytes != segment.bytes())
        operation_->fail(host::error_code(
            MPI_ERR_TRUNCATE, "the sender has " + std::to_string(offer.bytes) +
                                  " bytes, the receiver " + std::to_string(segment.bytes())));
    progress::Envelope came = envelope_;
    came.bytes = std::min(came.bytes, offer.bytes);
    operation_->set_envelope(came);
    const progress::Engine::Guard guard(progress::engine());
    progress::Links::Connection connection;
    const bool is_near = offer.block != comm::ProcessAddress::nowhere;
    if (is_near && !comm::find_connection(offer.address, comm::part_of_node(), connection))
        throw host::Failure{
            host::error_code(MPI_ERR_OTHER, "the sender's memory cannot be mapped")};
    const auto open = [&](const plan::Plan& plan, const progress::Links::Source&) {
        return is_near ? std::make_unique<progress::Links>(connection, plan, offer.block)
                       : std::make_unique<progress::Links>(plan);
    };
    bind(mine, open, offer.first_tag);
}

void PairEnd::bind_alone(int code) {
    if (code != MPI_SUCCESS) operation_->fail(code);
    const auto open = [](const plan::Plan& plan, const progress::Links::Source&) {
        return std::make_unique<progress::Links>(plan);
    };
    bind(problem(), open, 0);
}

} // namespace mpix::partition
