// SPDX-License-Identifier: BSD-3-Clause
//
// Letters in and out. All of it happens under the engine's guard.
#include "partition/matching.hpp"

#include "node/block.hpp"
#include "run/context.hpp"
#include "run/creations.hpp"
#include "run/engine.hpp"
#include "run/failure.hpp"
#include "run/process.hpp"
#include "run/waiting.hpp"

#include <list>
#include <map>
#include <new>
#include <tuple>

namespace mpix::partition {
namespace {

constexpr int letter_tag = 0;

// Letters from all processes of one post.
struct Inbox {
    MPI_Request request = MPI_REQUEST_NULL;
    Letter letter;
};

struct Outbox {
    MPI_Request request = MPI_REQUEST_NULL;
    Letter letter;
};

// The inits of one envelope, on one side.
struct Line {
    std::uint64_t turns = 0;
    std::map<std::uint64_t, std::weak_ptr<End>> senders; // by turn
    std::map<std::uint64_t, Letter> requests;            // that came before the init
};
using Key = std::tuple<std::uint64_t, int, int, bool>; // communicator, peer, tag, sends

class Matching {
  public:
    void add(const std::shared_ptr<End>& end);
    bool poll();
    void begin_to_end();
    bool has_written_all() const { return outbox_.empty(); }
    void end();

  private:
    Line& line(const End& end) {
        return lines_[Key{end.identity().number(), end.peer(), end.tag(), end.sends()}];
    }
    void listen_to(MPI_Comm post);
    bool read(MPI_Comm post, Inbox& inbox);
    bool clear_out();
    void write(MPI_Comm post, int peer, const Letter& letter);
    void take(int source, const Letter& letter);
    static void abandon(const Letter& offer);
    void answer(End& sender, const Letter& request);
    void meet(const Letter& offer);
    void listen_if_needed();
    bool is_anyone_waiting();

    std::map<MPI_Comm, Inbox> inboxes_; // nodes stay where they are
    std::list<Outbox> outbox_;
    std::map<Key, Line> lines_;
    std::map<std::uint64_t, std::weak_ptr<End>> receivers_; // by number
    std::list<std::weak_ptr<End>> waiting_;
    std::uint64_t receiver_number_ = 0;
    bool is_ending_ = false;
};

constinit run::Immortal<Matching*> the_matching;

Matching& matching() {
    if (!the_matching.value) the_matching.value = new Matching; // never destroyed
    return *the_matching.value;
}

void Matching::listen_to(MPI_Comm post) {
    Inbox& inbox = inboxes_[post];
    if (inbox.request != MPI_REQUEST_NULL) return;
    run::check(HOST(Irecv)(&inbox.letter, sizeof(Letter), MPI_BYTE, MPI_ANY_SOURCE, letter_tag,
                           post, &inbox.request));
}

void Matching::write(MPI_Comm post, int peer, const Letter& letter) {
    Outbox& out = outbox_.emplace_back();
    out.letter = letter;
    run::check(
        HOST(Isend)(&out.letter, sizeof(Letter), MPI_BYTE, peer, letter_tag, post, &out.request));
}

void Matching::add(const std::shared_ptr<End>& end) {
    Line& own = line(*end);
    listen_to(end->identity().post());
    waiting_.push_back(end);
    const std::uint64_t turn = own.turns;
    if (!end->sends()) {
        Letter letter;
        end->describe(letter);
        letter.turn = turn;
        letter.receiver = ++receiver_number_;
        receivers_.emplace(letter.receiver, end);
        write(end->identity().post(), end->peer(), letter);
    } else if (const auto early = own.requests.extract(turn)) {
        answer(*end, early.mapped());
    } else {
        own.senders.emplace(turn, end);
    }
    ++own.turns; // when nothing can fail any more
    listen_if_needed();
    run::engine().progress(); // letters do not pile up where there are many inits and nothing else
}

bool Matching::is_anyone_waiting() {
    waiting_.remove_if([](const std::weak_ptr<End>& end) {
        const auto held = end.lock();
        return !held || held->is_matched;
    });
    return !waiting_.empty() || !outbox_.empty();
}

void Matching::listen_if_needed() {
    bool (*const listener)() = [] { return matching().poll(); };
    run::engine().listen(is_ending_ || is_anyone_waiting() ? listener : nullptr);
}

bool Matching::clear_out() {
    return outbox_.remove_if([](Outbox& out) {
        int is_done = 0;
        HOST(Test)(&out.request, &is_done, MPI_STATUS_IGNORE);
        return is_done != 0;
    }) > 0;
}

bool Matching::read(MPI_Comm post, Inbox& inbox) {
    bool found = false;
    while (true) {
        int is_there = 0;
        MPI_Status status;
        if (HOST(Test)(&inbox.request, &is_there, &status) != MPI_SUCCESS || !is_there)
            return found;
        found = true;
        const Letter letter = inbox.letter;
        listen_to(post);
        take(status.MPI_SOURCE, letter);
    }
}

bool Matching::poll() {
    bool found = clear_out();
    for (auto& [post, inbox] : inboxes_) found |= read(post, inbox);
    if (found) listen_if_needed();
    return found;
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
    write(sender.identity().post(), sender.peer(), offer);
}

// The receive was freed before it began: the sender's memory is done with.
void Matching::abandon(const Letter& offer) {
    if (offer.kind != Letter::offer || offer.block == Letter::nowhere) return;
    const bool is_own = offer.ticket == node::segment().ticket();
    const auto peer = is_own ? nullptr : node::find_peer(offer.ticket);
    std::byte* const memory = is_own ? node::segment().memory() : peer ? peer->at(0) : nullptr;
    if (memory) node::leave(*reinterpret_cast<node::Block*>(memory + offer.block));
}

void Matching::meet(const Letter& offer) {
    const auto found = receivers_.extract(offer.receiver);
    const auto receiver = found ? found.mapped().lock() : nullptr;
    if (!receiver) return abandon(offer);
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

// Others may still write to a process that waits for nobody.
void Matching::begin_to_end() {
    is_ending_ = true;
    listen_if_needed();
}

void Matching::end() {
    for (auto& [post, inbox] : inboxes_) {
        if (inbox.request == MPI_REQUEST_NULL) continue;
        HOST(Cancel)(&inbox.request);
        HOST(Wait)(&inbox.request, MPI_STATUS_IGNORE);
    }
    inboxes_.clear();
    waiting_.clear();
    run::engine().listen(nullptr);
}

// Returns when all processes of the world have written all that they had to.
void settle(MPI_Comm world) {
    if (the_matching.value) {
        {
            const run::Engine::Guard guard(run::engine());
            matching().begin_to_end();
        }
        run::wait_until([] {
            const run::Engine::Guard guard(run::engine());
            return matching().has_written_all();
        });
    }
    MPI_Request all = MPI_REQUEST_NULL;
    if (HOST(Ibarrier)(world, &all) == MPI_SUCCESS) run::wait_for(all);
}

} // namespace

void match(const std::shared_ptr<End>& end) { matching().add(end); }

void end_matching() {
    const MPI_Comm world = run::post_of_world();
    if (world != MPI_COMM_NULL) settle(world);
    if (the_matching.value) the_matching.value->end();
}

} // namespace mpix::partition
