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
#include "comm/spot.hpp"
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

collective::Side side_of(const ChannelArguments& arguments, std::int64_t count) {
    collective::Side side;
    side.buffer = arguments.buffer;
    side.counts = {count};
    side.types = {arguments.type};
    for (int slot = 0; slot < arguments.slack; ++slot)
        side.displacements.push_back(slot * arguments.increment);
    return side;
}

std::unique_ptr<Links> over_host(const plan::Plan& plan) { return std::make_unique<Links>(plan); }

std::string blocks(const Handshake& sender, const Handshake& receiver) {
    return "the sender's block has " + std::to_string(sender.bytes) + " bytes, the receiver's " +
           std::to_string(receiver.bytes);
}

} // namespace

// Held by the operation.
class ChannelEnd::Keeper {
  public:
    explicit Keeper(std::shared_ptr<ChannelEnd> end) : end_(std::move(end)) {}
    ~Keeper() { end_->operation_ = nullptr; }
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

  private:
    const std::shared_ptr<ChannelEnd> end_;
};

ChannelEnd::Made ChannelEnd::make(const ChannelArguments& arguments) {
    auto end = std::make_shared<ChannelEnd>(arguments);
    progress::About about{.name = arguments.call, .error_communicator = end->identity_};
    about.references.keep_type(arguments.type);
    (arguments.sends ? about.buffers.send : about.buffers.recv) = progress::Buffers::Given::address;
    about.is_channel = true;
    about.attached = std::make_shared<Keeper>(end);
    auto operation = std::make_unique<progress::Operation>(std::move(about));
    end->operation_ = operation.get();
    return {std::move(end), std::move(operation)};
}

ChannelEnd::ChannelEnd(const ChannelArguments& arguments)
    : arguments_(arguments), identity_(identity_of(arguments.comm)) {
    MPI_Count size = 0;
    host::check(HOST(Type_size_x)(arguments.type, &size));
    bytes_ = arguments.count * size;
    host::check(HOST(Comm_rank)(arguments.comm, &own_rank_));
    if (collective::is_on_device(side_of(arguments, arguments.count)))
        collective::refuse_device(arguments.call);
    if (arguments.peer >= 0) control_peer_ = identity_->control_rank(arguments.peer);
}

ChannelEnd::~ChannelEnd() {
    if (!arguments_.sends || tag_ < 0) return;
    const progress::Engine::Guard guard(progress::engine());
    comm::tag_allocator().give_back(tag_);
}

bool ChannelEnd::matches(const Handshake& request) const {
    return request.communicator == identity_->number() &&
           (arguments_.peer == MPI_ANY_SOURCE || arguments_.peer == request.source) &&
           (arguments_.tag == MPI_ANY_TAG || arguments_.tag == request.tag);
}

void ChannelEnd::describe(Handshake& handshake) const {
    handshake.tag = arguments_.tag;
    handshake.communicator = identity_->number();
    handshake.source = own_rank_;
    handshake.slack = arguments_.slack;
    handshake.bytes = bytes_;
    handshake.element = arguments_.count > 0 && bytes_ > 0 ? bytes_ / arguments_.count : 1;
    handshake.splits = arguments_.splits;
    handshake.is_ready = !arguments_.is_synchronous;
    (arguments_.sends ? handshake.sender : handshake.receiver) = number;
    handshake.address = comm::ProcessAddress::own(arguments_.over_host || is_far_);
}

void ChannelEnd::check_partner(const Handshake& sender, const Handshake& receiver) const {
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

void ChannelEnd::accept(int control_peer, const Handshake& request) {
    request_ = request;
    control_peer_ = control_peer;
    Links::Connection connection; // what this end cannot map the sender shall not offer
    is_far_ = !comm::find_connection(request.address, comm::part_of_node(), connection);
    Handshake own;
    describe(own);
    check_partner(request, own);
}

void ChannelEnd::refuse(const Handshake& refusal) const {
    Handshake own;
    describe(own);
    check_partner(own, refusal);
    fail_with(MPI_ERR_OTHER, "the other end of the channel could not be made");
}

void ChannelEnd::report_failure() const {
    fail_with(MPI_ERR_OTHER, "the sender could not make its end of the channel");
}

std::int64_t ChannelEnd::message_bytes(const Handshake& theirs) const {
    if (arguments_.splits) return std::gcd(bytes_, theirs.bytes);
    return arguments_.sends ? bytes_ : theirs.bytes;
}

// Elements of a block of so many bytes, where the sender may have less.
std::int64_t ChannelEnd::count_of(std::int64_t block) const {
    return block == bytes_ ? arguments_.count : block / (bytes_ / arguments_.count);
}

void ChannelEnd::bind(int peer, std::int64_t block, std::int64_t message,
                      const progress::OpenLinks& open) {
    progress::Binding binding;
    (arguments_.sends ? binding.send : binding.recv) = arguments_.buffer;
    datatype::Layouts layouts;
    const collective::Side side = side_of(arguments_, count_of(block));
    const auto slots = static_cast<std::size_t>(arguments_.slack);
    plan::Channel channel{.sends = arguments_.sends,
                          .peer = peer,
                          .slots = {},
                          .message = message,
                          .is_synchronous = arguments_.is_synchronous};
    const plan::Blocks places =
        arguments_.sends
            ? collective::places(side, slots, plan::Buffer::send, plan::Buffer::send_blocks,
                                 binding.send_blocks, layouts)
            : collective::places(side, slots, plan::Buffer::recv, plan::Buffer::recv_blocks,
                                 binding.recv_blocks, layouts);
    channel.slots.assign(places.begin(), places.end());
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

void ChannelEnd::bind_sender(const Handshake& accepted, Handshake& offer) {
    Links::Connection connection;
    describe(offer);
    const bool is_near = comm::find_connection(accepted.address, offer.address.part, connection);
    if (tag_ < 0) tag_ = comm::tag_allocator().take(1, host::tag_limit(control()));
    if (tag_ < 0) fail_with(MPI_ERR_OTHER, "there are no more tags for messages");
    offer.first_tag = tag_;
    if (!operation_) return become(State::bound);
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

void ChannelEnd::bind_receiver(const Handshake& offer) {
    if (!operation_) {
        comm::abandon(offer.address, offer.block);
        return become(State::bound);
    }
    Links::Connection connection;
    const bool is_near = offer.block != comm::ProcessAddress::nowhere;
    if (is_near && !comm::find_connection(offer.address, comm::part_of_node(), connection))
        fail_with(MPI_ERR_OTHER, "the sender's memory cannot be mapped");
    const std::int64_t block = arguments_.splits ? bytes_ : offer.bytes;
    partner_ = progress::Envelope{request_.source, request_.tag, block};
    tag_ = offer.first_tag;
    if (base::settings().MPIX_CHECK && request_.is_ready && !arguments_.splits)
        operation_->check_readiness();
    bind(control_peer_, block, message_bytes(offer),
         [&](const plan::Plan& plan, const Links::Source&) {
             return is_near ? std::make_unique<Links>(connection, plan, offer.block)
                            : over_host(plan);
         });
}

void ChannelEnd::bind_alone() {
    if (!arguments_.sends) partner_ = progress::Envelope{MPI_PROC_NULL, MPI_ANY_TAG, 0};
    bind(MPI_PROC_NULL, bytes_, bytes_,
         [](const plan::Plan& plan, const Links::Source&) { return over_host(plan); });
}

// A request that is there already completes with the error, each time.
void ChannelEnd::fail(int code) {
    code_ = code;
    if (operation_) {
        operation_->fail(code);
        bind_alone();
    }
    become(State::failed);
}

void ChannelEnd::become(State state) {
    state_ = state;
    if (promise_) std::exchange(promise_, nullptr)->fulfil(code_, partner_);
}

void ChannelEnd::keep_promise(progress::Operation& promise) {
    promise_ = &promise;
    if (state_ != State::waiting) become(state_);
}

} // namespace mpix::channel
