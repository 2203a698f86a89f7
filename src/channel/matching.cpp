// SPDX-License-Identifier: BSD-3-Clause
//
// Queues and letters. All of it happens under the engine's guard, and but for match() below the
// progress of any call, where nothing may be thrown.
#include "channel/matching.hpp"

#include "run/failure.hpp"
#include "run/mail.hpp"

#include <algorithm>
#include <cstring>
#include <list>
#include <map>
#include <new>

namespace mpix::channel {
namespace {

using run::mail;

// Calls what may throw; if it does the end has failed. True if it has not.
template<class Attempt>
bool attempt(End& end, Attempt make) {
    try {
        make();
        return true;
    } catch (const run::Failure& failure) {
        end.fail(failure.code);
    } catch (const std::bad_alloc&) {
        end.fail(MPI_ERR_NO_MEM);
    }
    return false;
}

class Matching {
  public:
    Matching();
    void add(const std::shared_ptr<End>& end);

  private:
    struct Early {
        int source;
        Letter request;
    };
    using Ends = std::map<std::uint64_t, std::shared_ptr<End>>;

    void take(int source, const Letter& letter);
    void take_request(int source, const Letter& request);
    void meet(const std::shared_ptr<End>& receiver, int source, const Letter& request);
    void answer(End& sender, const Letter& accepted);
    static std::shared_ptr<End> extract(Ends& ends, std::uint64_t number);

    std::list<std::shared_ptr<End>> receivers_; // that have met nobody, in their order
    std::list<Early> early_;                    // requests that nobody waited for
    Ends senders_;                              // that wait for an answer
    Ends accepted_;                             // receivers that wait for an offer
    std::uint64_t numbers_ = 0;
};

Matching& matching() {
    static Matching& the_matching = *new Matching; // never destroyed
    return the_matching;
}

Matching::Matching() {
    const auto take = [](int source, const std::byte* paper) {
        Letter letter;
        std::memcpy(&letter, paper, sizeof letter);
        matching().take(source, letter);
    };
    const auto expects = [] {
        const Matching& all = matching();
        return !all.receivers_.empty() || !all.senders_.empty() || !all.accepted_.empty();
    };
    mail().hand_to(Letter::mail, {.take = take, .expects = expects});
}

void Matching::add(const std::shared_ptr<End>& end) {
    if (end->terms().peer == MPI_PROC_NULL) return end->bind_alone();
    end->number = ++numbers_;
    mail().listen_to(end->post(), Letter::mail);
    if (end->terms().sends) {
        Letter request;
        end->describe(request);
        senders_.emplace(end->number, end);
        mail().write(end->post(), end->post_peer(), Letter::mail, request);
    } else {
        const auto early = std::find_if(early_.begin(), early_.end(),
                                        [&](const Early& it) { return end->matches(it.request); });
        if (early == early_.end()) {
            receivers_.push_back(end);
        } else {
            const Early found = *early;
            early_.erase(early);
            meet(end, found.source, found.request);
        }
    }
    mail().listen_if_needed();
}

std::shared_ptr<End> Matching::extract(Ends& ends, std::uint64_t number) {
    const auto found = ends.extract(number);
    return found ? found.mapped() : nullptr;
}

void Matching::take(int source, const Letter& letter) {
    if (letter.kind == Letter::request) return take_request(source, letter);
    if (letter.kind == Letter::accept || letter.kind == Letter::refusal) {
        if (const auto sender = extract(senders_, letter.sender)) answer(*sender, letter);
        return;
    }
    const auto receiver = extract(accepted_, letter.receiver);
    if (!receiver) return;
    if (letter.kind == Letter::failure)
        return receiver->fail(
            host::error_code(MPI_ERR_OTHER, "the sender could not make its end of the channel"));
    if (!attempt(*receiver, [&] { receiver->bind_receiver(letter); }))
        run::abandon(letter.card, letter.block);
}

void Matching::take_request(int source, const Letter& request) {
    const auto found =
        std::find_if(receivers_.begin(), receivers_.end(),
                     [&](const std::shared_ptr<End>& end) { return end->matches(request); });
    if (found == receivers_.end()) {
        early_.push_back({source, request});
        return;
    }
    const std::shared_ptr<End> receiver = *found;
    receivers_.erase(found);
    meet(receiver, source, request);
}

void Matching::meet(const std::shared_ptr<End>& receiver, int source, const Letter& request) {
    const bool is_good = attempt(*receiver, [&] { receiver->accept(source, request); });
    Letter reply;
    receiver->describe(reply);
    reply.sender = request.sender;
    reply.kind = is_good ? Letter::accept : Letter::refusal;
    if (is_good) accepted_.emplace(receiver->number, receiver);
    mail().write(receiver->post(), source, Letter::mail, reply);
}

void Matching::answer(End& sender, const Letter& reply) {
    if (reply.kind == Letter::refusal) {
        attempt(sender, [&] { sender.refuse(reply); });
        return;
    }
    Letter offer;
    const bool is_good = attempt(sender, [&] { sender.bind_sender(reply, offer); });
    offer.kind = is_good ? Letter::offer : Letter::failure;
    offer.receiver = reply.receiver;
    mail().write(sender.post(), sender.post_peer(), Letter::mail, offer);
}

} // namespace

void match(const std::shared_ptr<End>& end) { matching().add(end); }

} // namespace mpix::channel
