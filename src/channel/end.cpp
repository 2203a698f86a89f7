// SPDX-License-Identifier: BSD-3-Clause
//
// Planning one end. The messages are as long as the longest that both blocks are a number of, which
// without splitting is the sender's block.
#include "channel/end.hpp"

#include "base/settings.hpp"
#include "collective/device_buffers.hpp"
#include "collective/init.hpp"
#include "collective/translation.hpp"
#include "datatype/layout.hpp"
#include "host/failure.hpp"
#include "plan/channel.hpp"
#include "run/engine.hpp"
#include "run/mates.hpp"
#include "run/patience.hpp"
#include "run/survey.hpp"
#include "run/tag_circle.hpp"

#include <numeric>
#include <string>
#include <utility>

namespace mpix::channel {
namespace {

using host::Failure;
using run::Channels;

// Messages of a block that was split, at most.
constexpr std::int64_t most_pieces = 1024;

[[noreturn]] void fail_with(int error_class, const std::string& text) {
    throw Failure{host::error_code(error_class, text)};
}

std::shared_ptr<run::Identity> identity_of(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL)
        fail_with(MPI_ERR_COMM, "the communicator of the request has been freed");
    return run::Identity::required(comm);
}

run::Side side_of(const Terms& terms, std::int64_t count) {
    run::Side side;
    side.buffer = terms.buffer;
    side.counts = {count};
    side.types = {terms.type};
    for (int slot = 0; slot < terms.slack; ++slot)
        side.displacements.push_back(slot * terms.increment);
    return side;
}

std::unique_ptr<Channels> over_host(const plan::Plan& plan) {
    return std::make_unique<Channels>(plan);
}

std::string blocks(const Letter& sender, const Letter& receiver) {
    return "the sender's block has " + std::to_string(sender.bytes) + " bytes, the receiver's " +
           std::to_string(receiver.bytes);
}

} // namespace

// Held by the operation.
class End::Keeper {
  public:
    explicit Keeper(std::shared_ptr<End> end) : end_(std::move(end)) {}
    ~Keeper() { end_->operation_ = nullptr; }
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

  private:
    const std::shared_ptr<End> end_;
};

std::shared_ptr<End> End::make(const Terms& terms) {
    auto end = std::make_shared<End>(terms);
    run::Operation::About about{.name = terms.call, .home = end->identity_};
    about.retained.keep_type(terms.type);
    (terms.sends ? about.buffers.send : about.buffers.recv) = run::Buffers::Given::address;
    about.is_channel = true;
    about.attached = std::make_shared<Keeper>(end);
    end->owned_ = std::make_unique<run::Operation>(std::move(about));
    end->operation_ = end->owned_.get();
    return end;
}

End::End(const Terms& terms) : terms_(terms), identity_(identity_of(terms.comm)) {
    MPI_Count size = 0;
    host::check(HOST(Type_size_x)(terms.type, &size));
    bytes_ = terms.count * size;
    host::check(HOST(Comm_rank)(terms.comm, &own_rank_));
    if (collective::is_on_device(side_of(terms, terms.count)))
        collective::refuse_device(terms.call);
    if (terms.peer >= 0) post_peer_ = identity_->post_rank(terms.peer);
}

End::~End() {
    if (!terms_.sends || tag_ < 0) return;
    const run::Engine::Guard guard(run::engine());
    run::tag_circle().give_back(tag_);
}

bool End::matches(const Letter& request) const {
    return request.communicator == identity_->number() &&
           (terms_.peer == MPI_ANY_SOURCE || terms_.peer == request.source) &&
           (terms_.tag == MPI_ANY_TAG || terms_.tag == request.tag);
}

void End::describe(Letter& letter) const {
    letter.tag = terms_.tag;
    letter.communicator = identity_->number();
    letter.source = own_rank_;
    letter.slack = terms_.slack;
    letter.bytes = bytes_;
    letter.element = terms_.count > 0 && bytes_ > 0 ? bytes_ / terms_.count : 1;
    letter.splits = terms_.splits;
    letter.is_ready = !terms_.is_synchronous;
    (terms_.sends ? letter.sender : letter.receiver) = number;
    letter.card = run::Card::own(terms_.over_host || is_far_);
}

void End::check_partner(const Letter& sender, const Letter& receiver) const {
    if (sender.splits != receiver.splits)
        fail_with(MPI_ERR_INFO, "mpix_split_merge is true at one end of the channel alone");
    if (sender.splits) {
        const std::int64_t part = std::gcd(sender.bytes, receiver.bytes);
        const bool are_both = (sender.bytes > 0) == (receiver.bytes > 0);
        if (!are_both || sender.bytes > most_pieces * part || receiver.bytes > most_pieces * part)
            fail_with(MPI_ERR_COUNT, blocks(sender, receiver) + ": neither can be put together of "
                                                                "the other's");
        return;
    }
    if (sender.slack != receiver.slack)
        fail_with(MPI_ERR_ARG, "the slackness of the sender is " + std::to_string(sender.slack) +
                                   ", of the receiver " + std::to_string(receiver.slack));
    if (sender.bytes > receiver.bytes) fail_with(MPI_ERR_TRUNCATE, blocks(sender, receiver));
    if (sender.bytes % receiver.element != 0)
        fail_with(MPI_ERR_TYPE, blocks(sender, receiver) + " in elements of " +
                                    std::to_string(receiver.element) + ": the last is not whole");
}

void End::accept(int post_peer, const Letter& request) {
    request_ = request;
    post_peer_ = post_peer;
    Channels::Link link; // what this end cannot map the sender shall not offer
    is_far_ = !run::find_link(request.card, run::part_of_node(), link);
    Letter own;
    describe(own);
    check_partner(request, own);
}

void End::refuse(const Letter& refusal) const {
    Letter own;
    describe(own);
    check_partner(own, refusal);
    fail_with(MPI_ERR_OTHER, "the other end of the channel could not be made");
}

void End::report_failure() const {
    fail_with(MPI_ERR_OTHER, "the sender could not make its end of the channel");
}

std::int64_t End::message_bytes(const Letter& theirs) const {
    if (terms_.splits) return std::gcd(bytes_, theirs.bytes);
    return terms_.sends ? bytes_ : theirs.bytes;
}

// Elements of a block of so many bytes, where the sender may have less.
std::int64_t End::count_of(std::int64_t block) const {
    return block == bytes_ ? terms_.count : block / (bytes_ / terms_.count);
}

void End::bind(int peer, std::int64_t block, std::int64_t message,
               const run::Operation::OpenChannels& open) {
    if (!operation_) fail_with(MPI_ERR_REQUEST, "the other end of the channel was unbound");
    run::Binding binding;
    (terms_.sends ? binding.send : binding.recv) = terms_.buffer;
    datatype::Layouts layouts;
    const run::Side side = side_of(terms_, count_of(block));
    const auto slots = static_cast<std::size_t>(terms_.slack);
    plan::Channel channel{.sends = terms_.sends,
                          .peer = peer,
                          .slots = {},
                          .message = message,
                          .is_synchronous = terms_.is_synchronous};
    channel.slots = terms_.sends
                        ? collective::places(side, slots, plan::Room::send, plan::Room::send_blocks,
                                             binding.send_blocks, layouts)
                        : collective::places(side, slots, plan::Room::recv, plan::Room::recv_blocks,
                                             binding.recv_blocks, layouts);
    plan::Problem problem;
    problem.rank = -1;
    problem.shape.kind = plan::Kind::neighbor;
    problem.shape.ranks = 2;
    problem.shape.total = block;
    operation_->set_envelope(partner_);
    operation_->bind(plan::build(channel), std::move(binding),
                     {identity_->post(), identity_, tag_, 1}, open);
    collective::announce(*operation_, problem);
    become(State::bound);
}

void End::bind_sender(const Letter& accepted, Letter& offer) {
    Channels::Link link;
    describe(offer);
    const bool is_near = run::find_link(accepted.card, offer.card.part, link);
    if (tag_ < 0) tag_ = run::tag_circle().take(1, run::tag_limit(post()));
    if (tag_ < 0) fail_with(MPI_ERR_OTHER, "there are no more tags for messages");
    offer.first_tag = tag_;
    const auto open = [&](const plan::Plan& plan, const Channels::Source& source) {
        auto channels = is_near
                            ? std::make_unique<Channels>(link, plan, source, run::Survey::known())
                            : over_host(plan);
        offer.block = channels->block();
        return channels;
    };
    try {
        bind(post_peer_, bytes_, message_bytes(accepted), open);
    } catch (...) { // nobody will hear of it
        run::abandon(offer.card, std::exchange(offer.block, run::Card::nowhere));
        throw;
    }
}

void End::bind_receiver(const Letter& offer) {
    Channels::Link link;
    const bool is_near = offer.block != run::Card::nowhere;
    if (is_near && !run::find_link(offer.card, run::part_of_node(), link))
        fail_with(MPI_ERR_OTHER, "the sender's memory cannot be mapped");
    const std::int64_t block = terms_.splits ? bytes_ : offer.bytes;
    partner_ = run::Envelope{request_.source, request_.tag, block};
    tag_ = offer.first_tag;
    if (base::settings().MPIX_CHECK && request_.is_ready && !terms_.splits && operation_)
        operation_->check_readiness();
    bind(post_peer_, block, message_bytes(offer),
         [&](const plan::Plan& plan, const Channels::Source&) {
             return is_near ? std::make_unique<Channels>(link, plan, offer.block) : over_host(plan);
         });
}

void End::bind_alone() {
    if (!terms_.sends) partner_ = run::Envelope{MPI_PROC_NULL, MPI_ANY_TAG, 0};
    bind(MPI_PROC_NULL, bytes_, bytes_,
         [](const plan::Plan& plan, const Channels::Source&) { return over_host(plan); });
}

// A request that is there already completes with the error, each time.
void End::fail(int code) {
    code_ = code;
    if (owned_ || !operation_) {
        owned_.reset();
    } else {
        operation_->fail(code);
        bind_alone();
    }
    become(State::failed);
}

void End::become(State state) {
    state_ = state;
    if (promise_) std::exchange(promise_, nullptr)->fulfil(code_, partner_);
}

void End::keep_promise(run::Operation& promise) {
    promise_ = &promise;
    if (state_ != State::waiting) become(state_);
}

} // namespace mpix::channel
