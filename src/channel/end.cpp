// SPDX-License-Identifier: BSD-3-Clause
//
// Planning one end. The messages are as long as the longest that both blocks are a number of, which
// without splitting is the sender's block.
#include "channel/end.hpp"

#include "base/settings.hpp"
#include "collective/device_buffers.hpp"
#include "collective/init.hpp"
#include "collective/translation.hpp"
#include "comm/calibration.hpp"
#include "comm/node_peers.hpp"
#include "comm/tag_allocator.hpp"
#include "datatype/layout.hpp"
#include "host/failure.hpp"
#include "plan/channel.hpp"
#include "progress/backoff.hpp"
#include "progress/engine.hpp"

#include <numeric>
#include <string>
#include <utility>

namespace mpix::channel {
namespace {

using host::Failure;
using progress::Links;

// Messages of a block that was split, at most.
constexpr std::int64_t most_pieces = 1024;

[[noreturn]] void fail_with(int error_class, const std::string& text) {
    throw Failure{host::error_code(error_class, text)};
}

std::shared_ptr<comm::CommunicatorId> identity_of(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL)
        fail_with(MPI_ERR_COMM, "the communicator of the request has been freed");
    return comm::CommunicatorId::required(comm);
}

collective::Side side_of(const Terms& terms, std::int64_t count) {
    collective::Side side;
    side.buffer = terms.buffer;
    side.counts = {count};
    side.types = {terms.type};
    for (int slot = 0; slot < terms.slack; ++slot)
        side.displacements.push_back(slot * terms.increment);
    return side;
}

std::unique_ptr<Links> over_host(const plan::Plan& plan) { return std::make_unique<Links>(plan); }

std::string blocks(const Handshake& sender, const Handshake& receiver) {
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
    progress::About about{.name = terms.call, .error_communicator = end->identity_};
    about.references.keep_type(terms.type);
    (terms.sends ? about.buffers.send : about.buffers.recv) = progress::Buffers::Given::address;
    about.is_channel = true;
    about.attached = std::make_shared<Keeper>(end);
    end->owned_ = std::make_unique<progress::Operation>(std::move(about));
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
    if (terms.peer >= 0) control_peer_ = identity_->control_rank(terms.peer);
}

End::~End() {
    if (!terms_.sends || tag_ < 0) return;
    const progress::Engine::Guard guard(progress::engine());
    comm::tag_allocator().give_back(tag_);
}

bool End::matches(const Handshake& request) const {
    return request.communicator == identity_->number() &&
           (terms_.peer == MPI_ANY_SOURCE || terms_.peer == request.source) &&
           (terms_.tag == MPI_ANY_TAG || terms_.tag == request.tag);
}

void End::describe(Handshake& handshake) const {
    handshake.tag = terms_.tag;
    handshake.communicator = identity_->number();
    handshake.source = own_rank_;
    handshake.slack = terms_.slack;
    handshake.bytes = bytes_;
    handshake.element = terms_.count > 0 && bytes_ > 0 ? bytes_ / terms_.count : 1;
    handshake.splits = terms_.splits;
    handshake.is_ready = !terms_.is_synchronous;
    (terms_.sends ? handshake.sender : handshake.receiver) = number;
    handshake.address = comm::ProcessAddress::own(terms_.over_host || is_far_);
}

void End::check_partner(const Handshake& sender, const Handshake& receiver) const {
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

void End::accept(int control_peer, const Handshake& request) {
    request_ = request;
    control_peer_ = control_peer;
    Links::Connection connection; // what this end cannot map the sender shall not offer
    is_far_ = !comm::find_connection(request.address, comm::part_of_node(), connection);
    Handshake own;
    describe(own);
    check_partner(request, own);
}

void End::refuse(const Handshake& refusal) const {
    Handshake own;
    describe(own);
    check_partner(own, refusal);
    fail_with(MPI_ERR_OTHER, "the other end of the channel could not be made");
}

void End::report_failure() const {
    fail_with(MPI_ERR_OTHER, "the sender could not make its end of the channel");
}

std::int64_t End::message_bytes(const Handshake& theirs) const {
    if (terms_.splits) return std::gcd(bytes_, theirs.bytes);
    return terms_.sends ? bytes_ : theirs.bytes;
}

// Elements of a block of so many bytes, where the sender may have less.
std::int64_t End::count_of(std::int64_t block) const {
    return block == bytes_ ? terms_.count : block / (bytes_ / terms_.count);
}

void End::bind(int peer, std::int64_t block, std::int64_t message,
               const progress::OpenLinks& open) {
    if (!operation_) fail_with(MPI_ERR_REQUEST, "the other end of the channel was unbound");
    progress::Binding binding;
    (terms_.sends ? binding.send : binding.recv) = terms_.buffer;
    datatype::Layouts layouts;
    const collective::Side side = side_of(terms_, count_of(block));
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
                     {identity_->control(), identity_, tag_, 1}, open);
    collective::announce(*operation_, problem);
    become(State::bound);
}

void End::bind_sender(const Handshake& accepted, Handshake& offer) {
    Links::Connection connection;
    describe(offer);
    const bool is_near = comm::find_connection(accepted.address, offer.address.part, connection);
    if (tag_ < 0) tag_ = comm::tag_allocator().take(1, comm::tag_limit(control()));
    if (tag_ < 0) fail_with(MPI_ERR_OTHER, "there are no more tags for messages");
    offer.first_tag = tag_;
    const auto open = [&](const plan::Plan& plan, const Links::Source& source) {
        auto channels =
            is_near ? std::make_unique<Links>(connection, plan, source, comm::Calibration::known())
                    : over_host(plan);
        offer.block = channels->block();
        return channels;
    };
    try {
        bind(control_peer_, bytes_, message_bytes(accepted), open);
    } catch (...) { // nobody will hear of it
        comm::abandon(offer.address, std::exchange(offer.block, comm::ProcessAddress::nowhere));
        throw;
    }
}

void End::bind_receiver(const Handshake& offer) {
    Links::Connection connection;
    const bool is_near = offer.block != comm::ProcessAddress::nowhere;
    if (is_near && !comm::find_connection(offer.address, comm::part_of_node(), connection))
        fail_with(MPI_ERR_OTHER, "the sender's memory cannot be mapped");
    const std::int64_t block = terms_.splits ? bytes_ : offer.bytes;
    partner_ = progress::Envelope{request_.source, request_.tag, block};
    tag_ = offer.first_tag;
    if (base::settings().MPIX_CHECK && request_.is_ready && !terms_.splits && operation_)
        operation_->check_readiness();
    bind(control_peer_, block, message_bytes(offer),
         [&](const plan::Plan& plan, const Links::Source&) {
             return is_near ? std::make_unique<Links>(connection, plan, offer.block)
                            : over_host(plan);
         });
}

void End::bind_alone() {
    if (!terms_.sends) partner_ = progress::Envelope{MPI_PROC_NULL, MPI_ANY_TAG, 0};
    bind(MPI_PROC_NULL, bytes_, bytes_,
         [](const plan::Plan& plan, const Links::Source&) { return over_host(plan); });
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

void End::keep_promise(progress::Operation& promise) {
    promise_ = &promise;
    if (state_ != State::waiting) become(state_);
}

} // namespace mpix::channel
