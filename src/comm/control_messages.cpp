// SPDX-License-Identifier: BSD-3-Clause
//
// Control messages in and out.
#include "comm/control_messages.hpp"

#include "base/busy.hpp"
#include "host/failure.hpp"
#include "progress/engine.hpp"
#include "progress/waiting.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace mpix::comm {
namespace {

constinit base::Immortal<ControlMessages*> the_control_messages;

// Not on the heap: Open MPI 4.1, once it has refused a communicator, still sends and receives in
// memory that it has given back, as late as in MPI_Finalize.
alignas(ControlMessages) std::byte storage[sizeof(ControlMessages)];

} // namespace

ControlMessages& control_messages() {
    if (!the_control_messages.value)
        the_control_messages.value = new (storage) ControlMessages; // never destroyed
    return *the_control_messages.value;
}

void ControlMessages::listen_to(MPI_Comm control, int kind) {
    const Place from{control, kind};
    host::check(open(from, inboxes_[from]));
}

// Hosts make progress in here, and so may we.
int ControlMessages::open(const Place& from, Inbox& inbox) noexcept {
    if (inbox.request != MPI_REQUEST_NULL || inbox.is_opening || inbox.is_full) return MPI_SUCCESS;
    const base::Busy opening(inbox.is_opening);
    return HOST(Irecv)(inbox.message.data(), static_cast<int>(longest), MPI_BYTE, MPI_ANY_SOURCE,
                       from.second, from.first, &inbox.request);
}

ControlMessages::Outbox& ControlMessages::take_from(Room& room) noexcept {
    unsent_.splice(unsent_.end(), room.list_, room.list_.begin());
    return unsent_.back();
}

// Hosts make progress in here, and so may we: what is written then is sent afterwards. At the end a
// host that goes on refusing is not waited for.
void ControlMessages::send_all() noexcept {
    constexpr int most_refusals = 1000;
    if (is_sending_) return;
    const base::Busy sending(is_sending_);
    while (!unsent_.empty()) {
        Outbox& out = unsent_.front();
        const int code = HOST(Isend)(out.message.data(), out.bytes, MPI_BYTE, out.peer,
                                     out.to.second, out.to.first, &out.request);
        if (code == MPI_SUCCESS)
            outbox_.splice(outbox_.end(), unsent_, unsent_.begin());
        else if (is_ending_ && ++refusals_ > most_refusals)
            unsent_.pop_front();
        else
            return;
    }
}

bool ControlMessages::expects_any() const {
    return is_ending_ || !outbox_.empty() || !unsent_.empty() ||
           std::any_of(handlers_.begin(), handlers_.end(),
                       [](const Handler& handler) { return handler.expects && handler.expects(); });
}

void ControlMessages::listen_if_needed() {
    bool (*const listener)() = [] { return control_messages().poll(); };
    progress::engine().listen(progress::Engine::Listener::control_messages,
                              expects_any() ? listener : nullptr);
}

bool ControlMessages::clear_out() noexcept {
    return outbox_.remove_if([](Outbox& out) {
        int is_done = 0;
        HOST(Test)(&out.request, &is_done, MPI_STATUS_IGNORE);
        return is_done != 0 || out.request == MPI_REQUEST_NULL; // of one that failed
    }) > 0;
}

// True if there is a message to hand over. What the host has refused before is asked for again.
bool ControlMessages::fetch(const Place& from, Inbox& inbox) noexcept {
    if (inbox.is_full) return true;
    open(from, inbox);
    if (inbox.request == MPI_REQUEST_NULL) return false;
    int is_there = 0;
    MPI_Status status;
    if (HOST(Test)(&inbox.request, &is_there, &status) != MPI_SUCCESS || !is_there) return false;
    inbox.source = status.MPI_SOURCE;
    return inbox.is_full = true;
}

// The last that stands between what a handler throws and the host's own frames.
bool ControlMessages::hand_over(int kind, Inbox& inbox) noexcept {
    is_last_try_ = inbox.tries >= most_tries;
    try {
        handlers_[static_cast<std::size_t>(kind)].take(inbox.source, inbox.message.data());
    } catch (...) {
        inbox.tries = std::min(inbox.tries + 1, most_tries);
        return false;
    }
    inbox.is_full = false;
    inbox.tries = 0;
    return true;
}

bool ControlMessages::read(const Place& from, Inbox& inbox) noexcept {
    bool found = false;
    while (fetch(from, inbox) && hand_over(from.second, inbox)) found = true;
    return found;
}

bool ControlMessages::poll() noexcept {
    send_all();
    bool found = clear_out();
    for (auto& [from, inbox] : inboxes_) found |= read(from, inbox);
    for (const Handler& handler : handlers_)
        if (handler.try_again) found |= handler.try_again();
    if (found) listen_if_needed();
    return found;
}

// Returns when all processes of the world have written all that they had to. Others may still write
// to a process that waits for nobody.
void ControlMessages::settle(MPI_Comm world) {
    {
        const progress::Engine::Guard guard(progress::engine());
        is_ending_ = true;
        listen_if_needed();
    }
    progress::wait_until([this] {
        const progress::Engine::Guard guard(progress::engine());
        return outbox_.empty() && unsent_.empty();
    });
    MPI_Request all = MPI_REQUEST_NULL;
    if (HOST(Ibarrier)(world, &all) == MPI_SUCCESS) progress::wait_for(all);
}

// A host that has to wait for the end of it moves plans meanwhile, and these are asked for
// messages.
void ControlMessages::withdraw(Inbox& inbox) {
    MPI_Request request = std::exchange(inbox.request, MPI_REQUEST_NULL);
    if (request == MPI_REQUEST_NULL) return;
    inbox.is_opening = true; // for good
    HOST(Cancel)(&request);
    HOST(Wait)(&request, MPI_STATUS_IGNORE);
}

// What has come is read: it may give back what its writer has offered. Whatever comes later is for
// operations that are gone.
void ControlMessages::close(MPI_Comm control) {
    for (int kind = 0; kind < kinds; kind++) {
        const auto found = inboxes_.find({control, kind});
        if (found == inboxes_.end()) continue;
        read(found->first, found->second);
        withdraw(found->second);
        inboxes_.erase(found);
    }
}

void ControlMessages::end() {
    for (auto& [from, inbox] : inboxes_) withdraw(inbox);
    inboxes_.clear();
    handlers_ = {};
    progress::engine().listen(progress::Engine::Listener::control_messages, nullptr);
}

void close_control_messages(MPI_Comm control) {
    const progress::Engine::Guard guard(progress::engine());
    if (the_control_messages.value) the_control_messages.value->close(control);
}

void end_control_messages(MPI_Comm world) {
    if (world != MPI_COMM_NULL) control_messages().settle(world);
    if (the_control_messages.value) the_control_messages.value->end();
}

} // namespace mpix::comm
