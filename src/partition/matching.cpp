// SPDX-License-Identifier: BSD-3-Clause
//
// Turns and letters. All of it happens under the engine's guard.
#include "partition/matching.hpp"

#include "run/engine.hpp"
#include "run/failure.hpp"
#include "run/mail.hpp"

#include <cstring>
#include <list>
#include <map>
#include <new>
#include <tuple>

namespace mpix::partition {
namespace {

// The inits of one envelope, on one side.
struct Line {
    std::uint64_t turns = 0;
    std::map<std::uint64_t, std::weak_ptr<End>> senders; // by turn
    std::map<std::uint64_t, Letter> requests;            // that came before the init
};
using Key = std::tuple<std::uint64_t, int, int, bool>; // communicator, peer, tag, sends

class Matching {
  public:
    Matching();
    void add(const std::shared_ptr<End>& end);

  private:
    Line& line(const End& end) {
        return lines_[Key{end.identity().number(), end.peer(), end.tag(), end.sends()}];
    }
    void take(int source, const Letter& letter);
    void answer(End& sender, const Letter& request);
    void meet(const Letter& offer);
    bool expects();

    std::map<Key, Line> lines_;
    std::map<std::uint64_t, std::weak_ptr<End>> receivers_; // by number
    std::list<std::weak_ptr<End>> waiting_;
    std::uint64_t receiver_number_ = 0;
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
}

void write(const End& from, const Letter& letter) {
    run::mail().write(from.identity().post(), from.peer(), Letter::mail, letter);
}

void Matching::add(const std::shared_ptr<End>& end) {
    Line& own = line(*end);
    run::mail().listen_to(end->identity().post(), Letter::mail);
    waiting_.push_back(end);
    const std::uint64_t turn = own.turns;
    if (!end->sends()) {
        Letter letter;
        end->describe(letter);
        letter.turn = turn;
        letter.receiver = ++receiver_number_;
        receivers_.emplace(letter.receiver, end);
        write(*end, letter);
    } else if (const auto early = own.requests.extract(turn)) {
        answer(*end, early.mapped());
    } else {
        own.senders.emplace(turn, end);
    }
    ++own.turns; // when nothing can fail any more
    run::mail().listen_if_needed();
    run::engine().progress(); // letters do not pile up where there are many inits and nothing else
}

bool Matching::expects() {
    waiting_.remove_if([](const std::weak_ptr<End>& end) {
        const auto held = end.lock();
        return !held || held->is_matched;
    });
    return !waiting_.empty();
}

void Matching::take(int source, const Letter& letter) {
    if (letter.kind != Letter::request) return meet(letter);
    Line& own = lines_[Key{letter.communicator, source, letter.tag, true}];
    if (letter.turn >= own.turns) {
        own.requests.emplace(letter.turn, letter);
        return;
    }
    const auto found = own.senders.extract(letter.turn);
    if (const auto sender = found ? found.mapped().lock() : nullptr) answer(*sender, letter);
}

// Below the progress of any call, where nothing may be thrown.
void Matching::answer(End& sender, const Letter& request) {
    Letter offer;
    offer.kind = Letter::offer;
    offer.receiver = request.receiver;
    try {
        sender.bind_sender(request, offer);
    } catch (const run::Failure& failure) {
        offer.kind = Letter::failure;
        sender.bind_alone(failure.code);
    } catch (const std::bad_alloc&) {
        offer.kind = Letter::failure;
        sender.bind_alone(MPI_ERR_NO_MEM);
    }
    write(sender, offer);
}

void Matching::meet(const Letter& offer) {
    const auto found = receivers_.extract(offer.receiver);
    const auto receiver = found ? found.mapped().lock() : nullptr;
    if (!receiver) return run::abandon(offer.card, offer.block); // freed before it began
    try {
        if (offer.kind == Letter::failure)
            throw run::Failure{
                host::error_code(MPI_ERR_OTHER, "the sender could not make its plan")};
        receiver->bind_receiver(offer);
    } catch (const run::Failure& failure) {
        receiver->bind_alone(failure.code);
    } catch (const std::bad_alloc&) {
        receiver->bind_alone(MPI_ERR_NO_MEM);
    }
}

} // namespace

void match(const std::shared_ptr<End>& end) { matching().add(end); }

} // namespace mpix::partition
