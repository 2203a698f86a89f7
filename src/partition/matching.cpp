// SPDX-License-Identifier: BSD-3-Clause
//
// Turns and letters. All of it happens under the engine's guard. What ends and letters lead to is
// done one after the other when the lines are in order again, because host calls in there may come
// back through the progress hook.
#include "partition/matching.hpp"

#include "partition/lines.hpp"
#include "run/busy.hpp"
#include "run/engine.hpp"
#include "run/failure.hpp"
#include "run/mail.hpp"
#include "run/process.hpp"
#include "run/unbound.hpp"

#include <cstring>
#include <new>
#include <tuple>

namespace mpix::partition {
namespace {

class Matching {
  public:
    Matching();
    void add(End& end);
    void start(End& end);
    void withdraw(End& end);
    void end() { has_ended_ = true; }

  private:
    using Key = std::tuple<std::uint64_t, int, int>; // communicator, peer, tag
    struct Note {
        std::shared_ptr<run::Identity> from;
        int peer;
        Letter letter;
    };

    static Key key_of(const End& end) { return {end.identity().number(), end.peer(), end.tag()}; }
    void take(int source, const Letter& letter);
    void take_for_receives(ReceiveLine& line, const Letter& letter);
    bool expects() const { return reads_ || waiting_ > 0; }
    void write(const End& end, Letter::Kind kind);
    void act();
    bool act_once();
    void offer(End& sender);
    void meet(End& receiver, const Letter& offer);
    void send(const Note& note);
    [[noreturn]] void forget(End& end);
    void tidy(const Key& key);

    std::map<Key, SendLine> sends_;
    std::map<Key, ReceiveLine> receives_;
    std::uint64_t turns_ = 0;
    std::size_t waiting_ = 0; // ends that have been started, and have no plan
    bool reads_ = false;      // what has come, waiting or not
    bool has_ended_ = false;

    // What is to be done.
    std::deque<End*> ready_;
    std::deque<ReceiveLine::Meeting> met_;
    std::deque<Note> notes_;
    bool acts_ = false;
    int code_ = MPI_SUCCESS; // of what could not be sent
};

Matching& matching() {
    static Matching& the_matching = *new Matching; // never destroyed
    return the_matching;
}

Matching::Matching() {
    run::mail().hand_to(Letter::mail, {.take =
                                           [](int source, const std::byte* letter) {
                                               Letter read;
                                               std::memcpy(&read, letter, sizeof read);
                                               matching().take(source, read);
                                           },
                                       .expects = [] { return matching().expects(); }});
    run::call_when_started_unbound([](run::Operation& operation) {
        if (operation.is_channel() || !operation.partitions()) return;
        matching().start(*static_cast<End*>(operation.attached().get()));
    });
}

void Matching::write(const End& end, Letter::Kind kind) {
    Letter letter;
    end.describe(letter);
    letter.kind = kind;
    notes_.push_back({end.shared_identity(), end.peer(), letter});
}

void Matching::add(End& end) {
    run::mail().listen_to(end.identity().post(), Letter::mail);
    end.turn = ++turns_;
    if (end.sends()) {
        sends_[key_of(end)].add(end, ready_);
    } else {
        receives_[key_of(end)].add(end);
        write(end, Letter::request);
    }
    end.is_waiting = true;
    code_ = MPI_SUCCESS;
    act();
    if (code_ != MPI_SUCCESS) forget(end);
    reads_ = true; // letters do not pile up where there are many inits and nothing else
    run::mail().listen_if_needed();
    run::engine().progress();
    reads_ = false;
    run::mail().listen_if_needed();
}

// Its request could not be sent.
void Matching::forget(End& end) {
    const Key key = key_of(end);
    end.is_waiting = false;
    if (end.sends())
        sends_[key].withdraw(end, ready_);
    else
        receives_[key].withdraw(end, met_);
    tidy(key);
    throw run::Failure{code_};
}

void Matching::start(End& end) {
    if (!end.is_waiting || end.is_started) return;
    end.is_started = true;
    ++waiting_;
    if (end.sends())
        sends_[key_of(end)].start(end, ready_);
    else
        receives_[key_of(end)].start(met_);
    tidy(key_of(end));
    act();
    run::mail().listen_if_needed();
}

void Matching::withdraw(End& end) {
    if (!end.is_waiting) return;
    end.is_waiting = false;
    if (end.is_started) --waiting_;
    std::erase(ready_, &end);
    std::erase_if(met_, [&end](const ReceiveLine::Meeting& meeting) {
        if (meeting.receiver != &end) return false;
        run::abandon(meeting.offer.card, meeting.offer.block);
        return true;
    });
    const Key key = key_of(end);
    if (end.sends()) {
        SendLine& line = sends_[key];
        if (line.has_announced(end)) write(end, Letter::send_withdrawn);
        line.withdraw(end, ready_);
    } else {
        if (!end.is_started) write(end, Letter::request_withdrawn);
        receives_[key].withdraw(end, met_);
    }
    tidy(key);
    act();
}

void Matching::tidy(const Key& key) {
    if (const auto line = sends_.find(key); line != sends_.end() && line->second.is_empty())
        sends_.erase(line);
    if (const auto line = receives_.find(key); line != receives_.end() && line->second.is_empty())
        receives_.erase(line);
}

void Matching::take(int source, const Letter& letter) {
    const Key key{letter.communicator, source, letter.tag};
    if (letter.kind == Letter::request)
        sends_[key].take_request(letter, ready_);
    else if (letter.kind == Letter::request_withdrawn)
        sends_[key].withdraw_request(letter.turn);
    else
        take_for_receives(receives_[key], letter);
    tidy(key);
    act();
}

void Matching::take_for_receives(ReceiveLine& line, const Letter& letter) {
    if (letter.kind == Letter::announcement) return line.announce(letter.turn);
    if (letter.kind == Letter::send_withdrawn) return line.withdraw_send(letter.turn, met_);
    line.take_offer(letter, met_);
}

void Matching::act() {
    if (acts_) return;
    const run::Busy acting(acts_);
    while (act_once()) {}
}

// Letters first: they are in order then. False if there was nothing to do.
bool Matching::act_once() {
    if (!notes_.empty()) {
        const Note note = std::move(notes_.front());
        notes_.pop_front();
        send(note);
    } else if (!ready_.empty()) {
        End& sender = *ready_.front();
        ready_.pop_front();
        offer(sender);
    } else if (!met_.empty()) {
        const ReceiveLine::Meeting meeting = met_.front();
        met_.pop_front();
        meet(*meeting.receiver, meeting.offer);
    } else {
        return false;
    }
    return true;
}

void Matching::send(const Note& note) {
    if (has_ended_ || run::is_closed()) return;
    try {
        run::mail().write(note.from->post(), note.peer, Letter::mail, note.letter);
    } catch (const run::Failure& failure) {
        code_ = failure.code;
    } catch (const std::bad_alloc&) {
        code_ = MPI_ERR_NO_MEM;
    }
}

// Below the progress of any call, where nothing may be thrown.
void Matching::offer(End& sender) {
    const Key key = key_of(sender);
    SendLine& line = sends_[key];
    for (const std::uint64_t turn : line.announce_before(sender)) {
        write(sender, Letter::announcement);
        notes_.back().letter.turn = turn;
    }
    sender.is_waiting = false;
    --waiting_;
    write(sender, Letter::offer);
    Letter letter = notes_.back().letter;
    notes_.pop_back();
    const run::Card card = line.next_card();
    line.begin(sender, ready_);
    tidy(key);
    try {
        sender.bind_sender(card, letter);
    } catch (const run::Failure& failure) {
        letter.kind = Letter::failure;
        sender.bind_alone(failure.code);
    } catch (const std::bad_alloc&) {
        letter.kind = Letter::failure;
        sender.bind_alone(MPI_ERR_NO_MEM);
    }
    notes_.push_back({sender.shared_identity(), sender.peer(), letter});
}

void Matching::meet(End& receiver, const Letter& offer) {
    receiver.is_waiting = false;
    --waiting_;
    try {
        if (offer.kind == Letter::failure)
            throw run::Failure{
                host::error_code(MPI_ERR_OTHER, "the sender could not make its plan")};
        receiver.bind_receiver(offer);
    } catch (const run::Failure& failure) {
        receiver.bind_alone(failure.code);
    } catch (const std::bad_alloc&) {
        receiver.bind_alone(MPI_ERR_NO_MEM);
    }
}

} // namespace

void match(End& end) { matching().add(end); }
void end_matching() { matching().end(); }

void withdraw(End& end) noexcept {
    if (end.is_waiting) matching().withdraw(end);
}

} // namespace mpix::partition
