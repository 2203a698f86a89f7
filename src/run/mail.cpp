// SPDX-License-Identifier: BSD-3-Clause
//
// Letters in and out.
#include "run/mail.hpp"

#include "run/context.hpp"
#include "run/creations.hpp"
#include "run/engine.hpp"
#include "run/failure.hpp"
#include "run/waiting.hpp"

#include <algorithm>
#include <new>

namespace mpix::run {
namespace {

constinit Immortal<Mail*> the_mail;

// Not on the heap: Open MPI 4.1, once it has refused a communicator, still sends and receives in
// memory that it has given back, as late as in MPI_Finalize.
alignas(Mail) std::byte room[sizeof(Mail)];

} // namespace

Mail& mail() {
    if (!the_mail.value) the_mail.value = new (room) Mail; // never destroyed
    return *the_mail.value;
}

void Mail::listen_to(MPI_Comm post, int kind) {
    Inbox& inbox = inboxes_[{post, kind}];
    if (inbox.request != MPI_REQUEST_NULL) return;
    check(HOST(Irecv)(inbox.letter.data(), static_cast<int>(longest), MPI_BYTE, MPI_ANY_SOURCE,
                      kind, post, &inbox.request));
}

Mail::Outbox& Mail::new_outbox() { return outbox_.emplace_back(); }

// Hosts make progress in here, and so may we: what has no request yet is left alone then.
void Mail::send(Outbox& out, std::size_t bytes, MPI_Comm post, int peer, int kind) {
    const int code = HOST(Isend)(out.letter.data(), static_cast<int>(bytes), MPI_BYTE, peer, kind,
                                 post, &out.request);
    if (code == MPI_SUCCESS) return;
    outbox_.remove_if([&out](const Outbox& it) { return &it == &out; });
    throw Failure{code};
}

bool Mail::expects_any() const {
    return is_ending_ || !outbox_.empty() ||
           std::any_of(handlers_.begin(), handlers_.end(),
                       [](const Handler& handler) { return handler.expects && handler.expects(); });
}

void Mail::listen_if_needed() {
    bool (*const listener)() = [] { return mail().poll(); };
    engine().listen(expects_any() ? listener : nullptr);
}

bool Mail::clear_out() {
    return outbox_.remove_if([](Outbox& out) {
        if (out.request == MPI_REQUEST_NULL) return false;
        int is_done = 0;
        HOST(Test)(&out.request, &is_done, MPI_STATUS_IGNORE);
        return is_done != 0;
    }) > 0;
}

bool Mail::read(const Place& from, Inbox& inbox) {
    bool found = false;
    while (inbox.request != MPI_REQUEST_NULL) {
        int is_there = 0;
        MPI_Status status;
        if (HOST(Test)(&inbox.request, &is_there, &status) != MPI_SUCCESS || !is_there)
            return found;
        found = true;
        const Paper letter = inbox.letter;
        listen_to(from.first, from.second);
        handlers_[static_cast<std::size_t>(from.second)].take(status.MPI_SOURCE, letter.data());
    }
    return found;
}

bool Mail::poll() {
    bool found = clear_out();
    for (auto& [from, inbox] : inboxes_) found |= read(from, inbox);
    if (found) listen_if_needed();
    return found;
}

// Returns when all processes of the world have written all that they had to. Others may still write
// to a process that waits for nobody.
void Mail::settle(MPI_Comm world) {
    {
        const Engine::Guard guard(engine());
        is_ending_ = true;
        listen_if_needed();
    }
    wait_until([this] {
        const Engine::Guard guard(engine());
        return outbox_.empty();
    });
    MPI_Request all = MPI_REQUEST_NULL;
    if (HOST(Ibarrier)(world, &all) == MPI_SUCCESS) wait_for(all);
}

void Mail::withdraw(Inbox& inbox) {
    if (inbox.request == MPI_REQUEST_NULL) return;
    HOST(Cancel)(&inbox.request);
    HOST(Wait)(&inbox.request, MPI_STATUS_IGNORE);
}

// What has come is read: it may give back what its writer has offered. Whatever comes later is for
// operations that are gone.
void Mail::close(MPI_Comm post) {
    for (int kind = 0; kind < kinds; kind++) {
        const auto found = inboxes_.find({post, kind});
        if (found == inboxes_.end()) continue;
        read(found->first, found->second);
        withdraw(found->second);
        inboxes_.erase(found);
    }
}

void Mail::end() {
    for (auto& [from, inbox] : inboxes_) withdraw(inbox);
    inboxes_.clear();
    handlers_ = {};
    engine().listen(nullptr);
}

void close_mail(MPI_Comm post) {
    const Engine::Guard guard(engine());
    if (the_mail.value) the_mail.value->close(post);
}

void end_mail() {
    const MPI_Comm world = post_of_world();
    if (world != MPI_COMM_NULL) mail().settle(world);
    if (the_mail.value) the_mail.value->end();
}

} // namespace mpix::run
