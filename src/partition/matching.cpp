// SPDX-License-Identifier: BSD-3-Clause
//
// Turns and control messages. All of it happens under the engine's guard. What ends and control
// messages lead to is done one after the other when the lines are in order again, because host
// calls in there may come back through the progress hook.
//
// Most of it happens below the progress of any call, where nothing may be thrown but by a message
// that has changed nothing yet: that comes again. An end brings the memory for its place in a queue
// and for its control messages. Only to make its plan takes more, and that is tried again in later
// turns.
#include "partition/matching.hpp"

#include "base/busy.hpp"
#include "base/closed.hpp"
#include "comm/control_messages.hpp"
#include "host/failure.hpp"
#include "partition/lines.hpp"
#include "progress/engine.hpp"
#include "progress/unbound.hpp"

#include <cstring>
#include <new>
#include <tuple>

namespace mpix::partition {
namespace {

class PairMatching {
  public:
    PairMatching();
    void add(PairEnd& end);
    void start(PairEnd& end) noexcept;
    void withdraw(PairEnd& end) noexcept;
    void end() { has_ended_ = true; }

  private:
    using Key = std::tuple<std::uint64_t, int, int>; // communicator, peer, tag
    static Key key_of(const PairEnd& end) {
        return {end.identity().number(), end.peer(), end.tag()};
    }
    void take(int source, const Handshake& handshake);
    void take_for_receives(ReceiveLine& line, const Handshake& handshake);
    bool expects() const { return reads_ || waiting_ > 0; }
    void enter(PairEnd& end);
    void leave_line(PairEnd& end) noexcept;
    void leave_partner(PairEnd& end) noexcept;
    void write(PairEnd& end, Handshake::Kind kind) noexcept;
    void write(PairEnd& end, const Handshake& handshake) noexcept;
    void act() noexcept;
    bool act_once() noexcept;
    bool try_again() noexcept;
    void send() noexcept;
    void offer(PairEnd& sender) noexcept;
    bool bind(PairEnd& end) noexcept;
    static bool may_pass(PairEnd& end, int code) noexcept;
    int try_to_bind(PairEnd& end) noexcept;
    void fail(PairEnd& end, int code) noexcept;
    void tidy(const Key& key) noexcept;

    static constexpr int most_tries = 100;

    std::map<Key, SendLine> sends_;
    std::map<Key, ReceiveLine> receives_;
    std::uint64_t turns_ = 0;
    std::size_t waiting_ = 0; // ends that have been started, and have no plan
    bool reads_ = false;      // what has come, waiting or not
    bool has_ended_ = false;

    // What is to be done.
    Queue ready_;                     // senders
    Queue met_;                       // receivers
    Queue later_;                     // ends that have met, and could not make their plans
    std::list<PairEnd::Note> unsent_; // control messages
    bool acts_ = false;
};

PairMatching& matching() {
    static PairMatching& the_matching = *new PairMatching; // never destroyed
    return the_matching;
}

PairMatching::PairMatching() {
    comm::control_messages().hand_to(Handshake::message_kind,
                                     {.take =
                                          [](int source, const std::byte* handshake) {
                                              Handshake read;
                                              std::memcpy(&read, handshake, sizeof read);
                                              matching().take(source, read);
                                          },
                                      .expects = [] { return matching().expects(); },
                                      .try_again = [] { return matching().try_again(); }});
    progress::call_when_started_unbound([](progress::Operation& operation) {
        if (operation.is_channel() || !operation.partitions()) return;
        matching().start(*static_cast<PairEnd*>(operation.attached().get()));
    });
}

// What it tells of has been made at the init.
void PairMatching::write(PairEnd& end, Handshake::Kind kind) noexcept {
    Handshake handshake;
    end.describe(handshake);
    handshake.kind = kind;
    write(end, handshake);
}

void PairMatching::write(PairEnd& end, const Handshake& handshake) noexcept {
    PairEnd::Note& note = end.notes.front();
    note.from = end.shared_identity();
    note.peer = end.peer();
    note.handshake = handshake;
    unsent_.splice(unsent_.end(), end.notes, end.notes.begin());
}

void PairMatching::enter(PairEnd& end) {
    const Key key = key_of(end);
    try {
        if (end.sends())
            sends_[key].add(end, ready_);
        else
            receives_[key].add(end);
    } catch (...) {
        tidy(key);
        throw;
    }
    end.is_waiting = true;
}

void PairMatching::add(PairEnd& end) {
    comm::control_messages().listen_to(end.identity().control(), Handshake::message_kind);
    end.turn = ++turns_;
    Handshake draft;
    end.describe(draft); // what it tells of has been made then
    enter(end);
    if (!end.sends()) write(end, Handshake::request);
    act();
    reads_ = true; // control messages do not pile up where there are many inits and nothing else
    comm::control_messages().listen_if_needed();
    progress::engine().progress();
    reads_ = false;
    comm::control_messages().listen_if_needed();
}

void PairMatching::start(PairEnd& end) noexcept {
    if (!end.is_waiting || end.is_started) return;
    end.is_started = true;
    ++waiting_;
    const Key key = key_of(end);
    if (end.sends())
        sends_.find(key)->second.start(end, ready_);
    else
        receives_.find(key)->second.start(met_);
    tidy(key);
    act();
    comm::control_messages().listen_if_needed();
}

void PairMatching::withdraw(PairEnd& end) noexcept {
    if (!end.is_waiting) return;
    end.is_waiting = false;
    if (end.is_started) --waiting_;
    for (Queue* const queue : {&ready_, &met_, &later_}) queue->remove(&end);
    end.has_met ? leave_partner(end) : leave_line(end);
    act();
}

void PairMatching::leave_line(PairEnd& end) noexcept {
    const Key key = key_of(end);
    if (end.sends()) {
        SendLine& line = sends_.find(key)->second;
        if (line.has_announced(end)) write(end, Handshake::send_withdrawn);
        line.withdraw(end, ready_);
    } else {
        if (!end.is_started) write(end, Handshake::request_withdrawn);
        receives_.find(key)->second.withdraw(end, met_);
    }
    tidy(key);
}

void PairMatching::leave_partner(PairEnd& end) noexcept {
    if (end.has_failed) return; // it has
    if (end.sends())
        write(end, Handshake::failure);
    else
        comm::abandon(end.partner.address, end.partner.block);
}

void PairMatching::tidy(const Key& key) noexcept {
    if (const auto line = sends_.find(key); line != sends_.end() && line->second.is_empty())
        sends_.erase(line);
    if (const auto line = receives_.find(key); line != receives_.end() && line->second.is_empty())
        receives_.erase(line);
}

void PairMatching::take(int source, const Handshake& handshake) {
    const Key key{handshake.communicator, source, handshake.tag};
    if (handshake.kind == Handshake::request)
        sends_[key].take_request(handshake, ready_);
    else if (handshake.kind == Handshake::request_withdrawn)
        sends_[key].withdraw_request(handshake.turn);
    else
        take_for_receives(receives_[key], handshake);
    tidy(key);
    act();
}

void PairMatching::take_for_receives(ReceiveLine& line, const Handshake& handshake) {
    if (handshake.kind == Handshake::announcement) return line.announce(handshake.turn);
    if (handshake.kind == Handshake::send_withdrawn)
        return line.withdraw_send(handshake.turn, met_);
    line.take_offer(handshake, met_);
}

void PairMatching::act() noexcept {
    if (acts_) return;
    const base::Busy acting(acts_);
    while (act_once()) {}
}

namespace {

PairEnd& take_first(Queue& queue) noexcept {
    PairEnd& end = *queue.front();
    end.place.splice(end.place.end(), queue, queue.begin());
    return end;
}

} // namespace

// Control messages first: they are in order then. False if there was nothing to do.
bool PairMatching::act_once() noexcept {
    if (!unsent_.empty())
        send();
    else if (!ready_.empty())
        offer(take_first(ready_));
    else if (!met_.empty())
        bind(take_first(met_));
    else
        return false;
    return true;
}

// True if some end has its plan now.
bool PairMatching::try_again() noexcept {
    if (acts_ || later_.empty()) return false;
    bool found = false;
    {
        const base::Busy acting(acts_);
        for (std::size_t i = later_.size(); i > 0 && !later_.empty(); --i)
            found |= bind(take_first(later_));
    }
    act();
    return found;
}

void PairMatching::send() noexcept {
    std::list<PairEnd::Note> sent;
    sent.splice(sent.end(), unsent_, unsent_.begin());
    if (has_ended_ || base::is_closed()) return;
    PairEnd::Note& note = sent.front();
    comm::control_messages().write(note.sheet, note.from->control(), note.peer,
                                   Handshake::message_kind, note.handshake);
}

// Where it cannot make its plan yet its place is kept by an announcement.
void PairMatching::offer(PairEnd& sender) noexcept {
    const Key key = key_of(sender);
    SendLine& line = sends_.find(key)->second;
    const bool is_announced = line.has_announced(sender);
    line.announce_before(sender,
                         [this](PairEnd& earlier) { write(earlier, Handshake::announcement); });
    sender.partner.address = line.next_card();
    sender.has_met = true;
    line.begin(sender, ready_);
    tidy(key);
    if (!bind(sender) && !sender.has_failed && !is_announced)
        write(sender, Handshake::announcement);
}

// What may go better another time is tried again, but not for ever: then it has no messages, and
// an error. True if it has a plan.
bool PairMatching::bind(PairEnd& end) noexcept {
    const int code = try_to_bind(end);
    if (!end.operation().is_bound() && !end.has_failed && !may_pass(end, code)) {
        fail(end, code);
        try_to_bind(end);
    }
    if (!end.operation().is_bound()) {
        later_.splice(later_.end(), end.place);
        return false;
    }
    end.is_waiting = false;
    --waiting_;
    return true;
}

bool PairMatching::may_pass(PairEnd& end, int code) noexcept {
    const bool is_of_host = host::class_of(code) < 0;
    return is_of_host && ++end.tries < most_tries;
}

// The error, if it has no plan then.
int PairMatching::try_to_bind(PairEnd& end) noexcept try {
    if (end.has_failed) {
        end.bind_alone(MPI_SUCCESS);
    } else if (end.sends()) {
        Handshake offer;
        end.bind_sender(end.partner.address, offer);
        offer.kind = Handshake::offer;
        write(end, offer);
    } else if (end.partner.kind == Handshake::failure) {
        throw host::Failure{host::error_code(MPI_ERR_OTHER, "the sender could not make its plan")};
    } else {
        end.bind_receiver(end.partner);
    }
    return MPI_SUCCESS;
} catch (const host::Failure& failure) {
    return failure.code;
} catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
} catch (...) {
    return MPI_ERR_INTERN;
}

void PairMatching::fail(PairEnd& end, int code) noexcept {
    end.operation().fail(code);
    leave_partner(end);
    end.has_failed = true;
}

} // namespace

void match(PairEnd& end) { matching().add(end); }
void end_matching() { matching().end(); }

void withdraw(PairEnd& end) noexcept {
    if (end.is_waiting) matching().withdraw(end);
}

} // namespace mpix::partition
