// SPDX-License-Identifier: BSD-3-Clause
//
// Planning one end. Both ends cut the sender's bytes alike; the receiver's partitions are what they
// are.
#include "partition/end.hpp"

#include "collective/init.hpp"
#include "host/failure.hpp"
#include "partition/pair_plan.hpp"
#include "run/engine.hpp"
#include "run/survey.hpp"
#include "run/tag_circle.hpp"

#include <algorithm>
#include <string>

namespace mpix::partition {

End::End(const run::Arguments& arguments, std::shared_ptr<run::Identity> identity, bool sends,
         int peer, int tag)
    : identity_(std::move(identity)), sends_(sends), over_host_(arguments.over_host), peer_(peer),
      tag_(tag), terms_(Terms::of(arguments.hints)) {
    const run::Side& side = sends ? arguments.send : arguments.recv;
    binding_.send = arguments.send.buffer;
    binding_.recv = arguments.recv.buffer;
    segment_.partitions = sends ? partition_places(side, 1, plan::Room::send,
                                                   plan::Room::send_blocks, binding_.send_blocks)
                                : partition_places(side, 1, plan::Room::recv,
                                                   plan::Room::recv_blocks, binding_.recv_blocks);
}

// The operation lets go of it under the guard, before anything else of it is gone.
End::~End() {
    const run::Engine::Guard guard(run::engine());
    if (first_tag_ >= 0) run::tag_circle().give_back(first_tag_);
}

void End::describe(Letter& letter) const {
    letter.tag = tag_;
    letter.communicator = identity_->number();
    letter.turn = turn;
    letter.bytes = segment_.bytes();
    letter.partitions = static_cast<std::int64_t>(segment_.partitions.size());
    letter.min_message = terms_.min_message;
    letter.max_messages = terms_.max_messages;
    letter.card = run::Card::own(over_host_);
}

// Messages to this process itself are messages too: the two ends are started apart.
plan::Partitioned End::problem() const {
    plan::Partitioned problem;
    problem.whole.rank = -1;
    problem.whole.shape.kind = plan::Kind::neighbor;
    problem.whole.shape.ranks = 2;
    problem.whole.shape.total = segment_.bytes();
    (sends_ ? problem.send : problem.recv).push_back(segment_);
    return problem;
}

void End::bind(const plan::Partitioned& problem, const run::Operation::OpenChannels& open,
               int tag) {
    run::Binding binding = binding_; // bind_alone may follow
    operation_->bind(plan_of_pair(problem, peer_), std::move(binding),
                     {identity_->post(), identity_, tag, problem.lanes + 1}, open);
    collective::announce(*operation_, problem.whole);
}

void End::bind_sender(const run::Card& receiver, Letter& offer) {
    plan::Partitioned mine = problem();
    plan::Segment& segment = mine.send[0];
    segment.cuts =
        terms_.cut(segment.bytes(), static_cast<std::int64_t>(segment.partitions.size()));
    segment.is_joined = segment.cuts.size() < segment.partitions.size();
    segment.peers = {0};
    mine.lanes = std::max(static_cast<std::int32_t>(segment.cuts.size()), 1);
    const run::Engine::Guard guard(run::engine());
    describe(offer);
    run::Channels::Link link;
    const bool is_near = run::find_link(receiver, offer.card.part, link);
    if (first_tag_ < 0)
        first_tag_ = run::tag_circle().take(mine.lanes + 1, run::tag_limit(identity_->post()));
    if (first_tag_ < 0)
        throw host::Failure{host::error_code(MPI_ERR_OTHER, "there are no more tags for messages")};
    offer.first_tag = first_tag_;
    const auto open = [&](const plan::Plan& plan, const run::Channels::Source& source) {
        auto channels =
            is_near ? std::make_unique<run::Channels>(link, plan, source, run::Survey::known())
                    : std::make_unique<run::Channels>(plan);
        offer.block = channels->block();
        return channels;
    };
    try {
        bind(mine, open, first_tag_);
    } catch (...) { // nobody will hear of it
        run::abandon(offer.card, offer.block);
        throw;
    }
}

void End::bind_receiver(const Letter& offer) {
    plan::Partitioned mine = problem();
    plan::Segment& segment = mine.recv[0];
    const Terms of_sender{offer.min_message, offer.max_messages};
    segment.cuts = of_sender.cut(offer.bytes, offer.partitions);
    segment.is_joined = static_cast<std::int64_t>(segment.cuts.size()) < offer.partitions;
    segment.peers = {0};
    segment.message_bytes = offer.bytes;
    mine.lanes = std::max(static_cast<std::int32_t>(segment.cuts.size()), 1);
    if (offer.bytes != segment.bytes())
        operation_->fail(host::error_code(
            MPI_ERR_TRUNCATE, "the sender has " + std::to_string(offer.bytes) +
                                  " bytes, the receiver " + std::to_string(segment.bytes())));
    run::Envelope came = envelope_;
    came.bytes = std::min(came.bytes, offer.bytes);
    operation_->set_envelope(came);
    const run::Engine::Guard guard(run::engine());
    run::Channels::Link link;
    const bool is_near = offer.block != run::Card::nowhere;
    if (is_near && !run::find_link(offer.card, run::part_of_node(), link))
        throw host::Failure{
            host::error_code(MPI_ERR_OTHER, "the sender's memory cannot be mapped")};
    const auto open = [&](const plan::Plan& plan, const run::Channels::Source&) {
        return is_near ? std::make_unique<run::Channels>(link, plan, offer.block)
                       : std::make_unique<run::Channels>(plan);
    };
    bind(mine, open, offer.first_tag);
}

void End::bind_alone(int code) {
    if (code != MPI_SUCCESS) operation_->fail(code);
    const auto open = [](const plan::Plan& plan, const run::Channels::Source&) {
        return std::make_unique<run::Channels>(plan);
    };
    bind(problem(), open, 0);
}

} // namespace mpix::partition
