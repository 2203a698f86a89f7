// SPDX-License-Identifier: BSD-3-Clause
//
// Queues and control messages. All of it happens under the engine's guard, and but for match()
// below the progress of any call. There memory may be missing, and the host may refuse a call: what
// is thrown then leaves the queues as they were, and the message comes again.
#include "channel/matching.hpp"

#include "comm/control_messages.hpp"
#include "host/failure.hpp"

#include <algorithm>
#include <cstring>
#include <list>
#include <map>
#include <new>

namespace mpix::channel {
namespace {

using comm::control_messages;

// Calls what may throw; if it does the end has failed. What may go better another time is thrown
// on, unless this is the last. True if the end has not failed.
template<class Attempt>
bool attempt(ChannelEnd& end, bool is_last, Attempt make) {
    try {
        make();
        return true;
    } catch (const host::Failure& failure) {
        const bool is_refused = host::class_of(failure.code) < 0;
        if (is_refused && !is_last) throw;
        end.fail(failure.code);
    } catch (const std::bad_alloc&) {
        if (!is_last) throw;
        end.fail(MPI_ERR_NO_MEM);
    }
    return false;
}

class ChannelMatching {
  public:
    ChannelMatching();
    void add(std::span<const std::shared_ptr<ChannelEnd>> ends);

  private:
    struct Early {
        int source;
        Handshake request;
        bool is_taken = false;
    };
    using Ends = std::map<std::uint64_t, std::shared_ptr<ChannelEnd>>; // by number
    using Room = comm::ControlMessages::Room;
    class Newcomers;

    void take(int source, const Handshake& handshake, bool is_last);
    void take_request(int source, const Handshake& request, bool is_last);
    void take_answer(const Handshake& reply, bool is_last);
    void take_offer(const Handshake& offer, bool is_last);
    void reply(Room& rooms, Ends& from, Ends::iterator receiver, int source,
               const Handshake& request, bool is_good) noexcept;

    Ends receivers_;         // that have met nobody, in their order
    std::list<Early> early_; // requests that nobody waited for
    Ends senders_;           // that wait for an answer
    Ends accepted_;          // receivers that wait for an offer
    std::uint64_t numbers_ = 0;
};

ChannelMatching& matching() {
    static ChannelMatching& the_matching = *new ChannelMatching; // never destroyed
    return the_matching;
}

ChannelMatching::ChannelMatching() {
    const auto take = [](int source, const std::byte* paper) {
        Handshake handshake;
        std::memcpy(&handshake, paper, sizeof handshake);
        matching().take(source, handshake, control_messages().is_last_try());
    };
    const auto expects = [] {
        const ChannelMatching& all = matching();
        return !all.receivers_.empty() || !all.senders_.empty() || !all.accepted_.empty();
    };
    control_messages().hand_to(Handshake::message_kind, {.take = take, .expects = expects});
}

// Ends that nobody knows yet, with all that they need to be known: from then on nothing fails.
class ChannelMatching::Newcomers {
  public:
    explicit Newcomers(ChannelMatching& all) : all_(all) {}
    ~Newcomers() {
        for (const auto& [number, meeting] : meetings_) meeting.early->is_taken = false;
    }
    Newcomers(const Newcomers&) = delete;
    Newcomers& operator=(const Newcomers&) = delete;

    void add(const std::shared_ptr<ChannelEnd>& end);
    void enter() noexcept;

  private:
    struct Meeting {
        std::list<Early>::iterator early;
        bool is_good;
    };
    void meet(ChannelEnd& receiver);
    void request(Ends::iterator sender) noexcept;
    void reply(Ends::iterator receiver) noexcept;

    ChannelMatching& all_;
    Ends ends_;
    std::map<std::uint64_t, Meeting> meetings_; // by receiver
    std::list<Room> rooms_;                     // for each a message
};

void ChannelMatching::Newcomers::add(const std::shared_ptr<ChannelEnd>& end) {
    end->number = ++all_.numbers_;
    Handshake draft;
    end->describe(draft); // what it tells of has been made then
    ends_.emplace(end->number, end);
    rooms_.emplace_back(1);
    if (!end->arguments().sends) meet(*end);
}

// With what has come before it.
void ChannelMatching::Newcomers::meet(ChannelEnd& receiver) {
    const auto early = std::ranges::find_if(
        all_.early_, [&](const Early& it) { return !it.is_taken && receiver.matches(it.request); });
    if (early == all_.early_.end()) return;
    const auto [meeting, is_new] = meetings_.emplace(receiver.number, Meeting{early, true});
    early->is_taken = true;
    meeting->second.is_good =
        attempt(receiver, false, [&] { receiver.accept(early->source, early->request); });
}

// Control messages at last: while they are written the host may bring others.
void ChannelMatching::Newcomers::enter() noexcept {
    for (auto next = ends_.begin(); next != ends_.end();) {
        const auto end = next++;
        if (!end->second->arguments().sends && !meetings_.contains(end->first))
            all_.receivers_.insert(ends_.extract(end));
    }
    while (!ends_.empty()) {
        const auto end = ends_.begin();
        end->second->arguments().sends ? request(end) : reply(end);
        rooms_.pop_front();
    }
}

void ChannelMatching::Newcomers::request(Ends::iterator sender) noexcept {
    const ChannelEnd& end = *sender->second;
    Handshake handshake;
    end.describe(handshake);
    all_.senders_.insert(ends_.extract(sender));
    control_messages().write(rooms_.front(), end.control(), end.control_peer(),
                             Handshake::message_kind, handshake);
}

void ChannelMatching::Newcomers::reply(Ends::iterator receiver) noexcept {
    const auto [early, is_good] = meetings_.extract(receiver->first).mapped();
    const Early met = *early;
    all_.early_.erase(early);
    all_.reply(rooms_.front(), ends_, receiver, met.source, met.request, is_good);
}

void ChannelMatching::add(std::span<const std::shared_ptr<ChannelEnd>> ends) {
    for (const auto& end : ends) // the host may bring control messages in here
        if (end->arguments().peer == MPI_PROC_NULL)
            end->bind_alone();
        else
            control_messages().listen_to(end->control(), Handshake::message_kind);
    Newcomers newcomers(*this);
    for (const auto& end : ends)
        if (end->arguments().peer != MPI_PROC_NULL) newcomers.add(end);
    newcomers.enter();
    control_messages().listen_if_needed();
}

void ChannelMatching::take(int source, const Handshake& handshake, bool is_last) {
    switch (handshake.kind) {
    case Handshake::request: return take_request(source, handshake, is_last);
    case Handshake::accept:
    case Handshake::refusal: return take_answer(handshake, is_last);
    case Handshake::offer:
    case Handshake::failure: return take_offer(handshake, is_last);
    }
}

void ChannelMatching::take_request(int source, const Handshake& request, bool is_last) {
    const auto found = std::ranges::find_if(
        receivers_, [&](const auto& entry) { return entry.second->matches(request); });
    if (found == receivers_.end()) {
        early_.push_back({source, request});
        return;
    }
    Room rooms(1);
    ChannelEnd& receiver = *found->second;
    const bool is_good = attempt(receiver, is_last, [&] { receiver.accept(source, request); });
    reply(rooms, receivers_, found, source, request, is_good);
}

// The receiver goes from there to those that wait for an offer, if it is good.
void ChannelMatching::reply(Room& rooms, Ends& from, Ends::iterator receiver, int source,
                            const Handshake& request, bool is_good) noexcept {
    auto met = from.extract(receiver);
    const std::shared_ptr<ChannelEnd> end = met.mapped();
    Handshake handshake;
    end->describe(handshake);
    handshake.sender = request.sender;
    handshake.kind = is_good ? Handshake::accept : Handshake::refusal;
    if (is_good) accepted_.insert(std::move(met));
    control_messages().write(rooms, end->control(), source, Handshake::message_kind, handshake);
}

void ChannelMatching::take_answer(const Handshake& reply, bool is_last) {
    const auto found = senders_.find(reply.sender);
    if (found == senders_.end()) return;
    const std::shared_ptr<ChannelEnd> sender = found->second;
    if (reply.kind == Handshake::refusal) {
        attempt(*sender, is_last, [&] { sender->refuse(reply); });
        senders_.erase(found);
        return;
    }
    Room rooms(1);
    Handshake offer;
    const bool is_good = attempt(*sender, is_last, [&] { sender->bind_sender(reply, offer); });
    senders_.erase(reply.sender);
    offer.kind = is_good ? Handshake::offer : Handshake::failure;
    offer.receiver = reply.receiver;
    control_messages().write(rooms, sender->control(), sender->control_peer(),
                             Handshake::message_kind, offer);
}

void ChannelMatching::take_offer(const Handshake& offer, bool is_last) {
    const auto found = accepted_.find(offer.receiver);
    if (found == accepted_.end()) return;
    const std::shared_ptr<ChannelEnd> receiver = found->second;
    const bool is_good = attempt(*receiver, is_last, [&] {
        if (offer.kind == Handshake::failure) receiver->report_failure();
        receiver->bind_receiver(offer);
    });
    accepted_.erase(offer.receiver);
    if (!is_good && offer.kind == Handshake::offer) comm::abandon(offer.address, offer.block);
}

} // namespace

void match(std::span<const std::shared_ptr<ChannelEnd>> ends) { matching().add(ends); }

} // namespace mpix::channel
