// SPDX-License-Identifier: BSD-3-Clause
// Send buffers are spoiled between rounds, so that data read too early or too late are wrong.
// Receive buffers are looked at again before they are used again.
#include "live.hpp"

#include "text.hpp"

#include <algorithm>

namespace fuzz {
namespace {

void* const junk = reinterpret_cast<void*>(0x10);

void* address(const Side& side, Memory& memory) {
    switch (side.use) {
    case Use::given:
    case Use::ignored: return memory.data();
    case Use::in_place: return MPI_IN_PLACE;
    case Use::junk: return junk;
    }
    return nullptr;
}

void overwrite(Memory& memory, const Memory& with) {
    std::copy(with.bytes.begin(), with.bytes.end(), memory.bytes.begin());
}

} // namespace

Live::Live(const Program& program, int number, int member, MPI_Comm comm)
    : program_(program), number_(number), member_(member),
      operation_(program.operations[at(number)]), arguments_(operation_.arguments[at(member)]),
      comm_(comm), oracle_(program, number), send_(oracle_.before(member, -1, Which::send)),
      recv_(oracle_.before(member, -1, Which::recv)) {}

// As the standard wants it: on an intercommunicator MPI_ROOT, or MPI_PROC_NULL in its group.
int Live::root() const {
    const Communicator& comm = program_.comms[at(operation_.comm)];
    if (operation_.root < 0) return 0;
    if (!comm.is_inter() || comm.group_of(member_) != comm.group_of(operation_.root))
        return comm.rank_of(operation_.root);
    return member_ == operation_.root ? MPI_ROOT : MPI_PROC_NULL;
}

Call Live::call(const Arguments& arguments, Memory& send, Memory& recv) const {
    return {operation_,
            arguments,
            handles_,
            address(arguments.send, send),
            address(arguments.recv, recv),
            root(),
            comm_};
}

void Live::initialise(Slot* slots, bool frees_early, bool keeps_arrays) {
    handles_ = make_handles(program_, operation_, member_);
    if (operation_.kind == Kind::message) {
        initialise_message(slots);
    } else {
        slots[0].operation = number_;
        slots[0].is_collective = true;
        slots[0].persistent = !operation_.is_called();
        if (slots[0].persistent)
            MUST(fuzz::initialise(call(arguments_, send_, recv_), operation_.form,
                                  &slots[0].request, &arrays_));
    }
    if (!keeps_arrays) arrays_.reset();
    if (frees_early && !starts_by_call() && operation_.kind != Kind::message)
        free_handles(handles_, operation_);
}

bool Live::starts_by_call() const {
    const Message& message = operation_.message;
    if (operation_.kind != Kind::message) return operation_.is_called();
    return (member_ == message.from && !message.persistent_send) ||
           (member_ == message.to && !message.persistent_recv);
}

// ---- Messages ----

int Live::peer(int member) const {
    return member < 0 ? MPI_PROC_NULL : program_.comms[at(operation_.comm)].rank_of(member);
}

int Live::initialise_send(MPI_Request* request) const {
    const Message& message = operation_.message;
    const auto pick = [&](auto standard, auto synchronous, auto buffered, auto ready) {
        switch (message.mode) {
        case Mode::synchronous: return synchronous;
        case Mode::buffered: return buffered;
        case Mode::ready: return ready;
        default: return standard;
        }
    };
    const auto init = pick(MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init);
    const auto init_c = pick(MPI_Send_init_c, MPI_Ssend_init_c, MPI_Bsend_init_c, MPI_Rsend_init_c);
    const MPI_Datatype type = handles_.send_types[0];
    if (operation_.form == Form::persistent_c)
        return init_c(send_.data(), arguments_.send.count, type, peer(message.to), message.tag,
                      comm_, request);
    return init(send_.data(), static_cast<int>(arguments_.send.count), type, peer(message.to),
                message.tag, comm_, request);
}

int Live::initialise_receive(MPI_Request* request) {
    const Message& message = operation_.message;
    const MPI_Datatype type = handles_.recv_types[0];
    const int source = message.any_source ? MPI_ANY_SOURCE : peer(message.from);
    const int tag = message.any_tag ? MPI_ANY_TAG : message.tag;
    if (operation_.form == Form::persistent_c)
        return MPI_Recv_init_c(recv_.data(), arguments_.recv.count, type, source, tag, comm_,
                               request);
    return MPI_Recv_init(recv_.data(), static_cast<int>(arguments_.recv.count), type, source, tag,
                         comm_, request);
}

void Live::initialise_message(Slot* slots) {
    const Message& message = operation_.message;
    if (member_ == message.from) {
        slots[0].operation = number_;
        slots[0].persistent = message.persistent_send;
        if (message.persistent_send) MUST(initialise_send(&slots[0].request));
    }
    if (member_ != message.to) return;
    slots[1].operation = number_;
    slots[1].persistent = message.persistent_recv;
    if (message.from >= 0) { // else MPICH 4.0.2 sets source and tag to 0
        const Block& sent = operation_.arguments[at(message.from)].send.blocks[0];
        const auto bytes = sent.count * program_.types[sent.type].layout.size;
        incoming_ = {peer(message.from), message.tag, static_cast<int>(bytes)};
        slots[1].incoming = &incoming_;
    }
    if (message.persistent_recv) MUST(initialise_receive(&slots[1].request));
}

void Live::start_message(Slot* slots) {
    const Message& message = operation_.message;
    const auto send = [&] {
        switch (message.mode) {
        case Mode::synchronous: return MPI_Issend;
        case Mode::buffered: return MPI_Ibsend;
        case Mode::ready: return MPI_Irsend;
        default: return MPI_Isend;
        }
    }();
    if (member_ == message.to && !message.persistent_recv)
        MUST(MPI_Irecv(recv_.data(), static_cast<int>(arguments_.recv.count),
                       handles_.recv_types[0],
                       message.any_source ? MPI_ANY_SOURCE : peer(message.from),
                       message.any_tag ? MPI_ANY_TAG : message.tag, comm_, &slots[1].request));
    if (member_ == message.from && !message.persistent_send)
        MUST(send(send_.data(), static_cast<int>(arguments_.send.count), handles_.send_types[0],
                  peer(message.to), message.tag, comm_, &slots[0].request));
}

// ---- Rounds ----

void Live::check_settled(const char* when) {
    if (!settled_) return;
    const Memory expected{*settled_, recv_.start};
    const std::string wrong = difference(expected, recv_);
    if (!wrong.empty())
        complain("receive buffer changed after completion, seen " + std::string(when) + ": " +
                 wrong);
    settled_.reset();
}

void Live::complain(const std::string& what) const {
    fail("round " + std::to_string(round_) + " of " + brief(program_, program_.init_of(number_)) +
         ": " + what);
}

void Live::prepare(int round, Slot* slots) {
    check_settled("before the next start");
    round_ = round;
    overwrite(send_, oracle_.before(member_, round, Which::send));
    overwrite(recv_, oracle_.before(member_, round, Which::recv));
    for (int i = 0; i < 2; i++) slots[i].active = slots[i].operation == number_;
}

void Live::start_by_call(Slot* slots) {
    if (operation_.kind == Kind::message) return start_message(slots);
    if (operation_.form == Form::nonblocking) {
        MUST(nonblocking(call(arguments_, send_, recv_), &slots[0].request, &arrays_));
        return;
    }
    MUST(blocking(call(arguments_, send_, recv_)));
    MUST(MPI_Ibarrier(MPI_COMM_SELF, &slots[0].request)); // for whoever completes it
}

void Live::check(bool spoil) {
    Memory expected = oracle_.before(member_, round_, Which::recv);
    oracle_.complete(member_, round_, expected);
    oracle_.forgive(member_, recv_, expected);
    if (spoil) recv_.bytes[recv_.bytes.size() / 2] ^= std::byte{1};
    const std::string recv_wrong = difference(expected, recv_);
    if (!recv_wrong.empty()) complain("receive buffer wrong: " + recv_wrong);
    const Memory sent = oracle_.before(member_, round_, Which::send);
    const std::string send_wrong = difference(sent, send_);
    if (!send_wrong.empty()) complain("send buffer changed: " + send_wrong);
    settled_ = recv_.bytes;
    overwrite(send_, oracle_.before(member_, -1, Which::send));
}

void Live::release(Slot* slots) {
    check_settled("before the free");
    for (int i = 0; i < 2; i++) {
        if (slots[i].request != MPI_REQUEST_NULL) {
            MUST(MPI_Request_free(&slots[i].request));
            if (slots[i].request != MPI_REQUEST_NULL) fail("a freed request is not null");
        }
        slots[i] = {};
    }
    free_handles(handles_, operation_);
}

// In place reductions have two buffers here: MPICH 4.0.2 crashes on some in place.
void Live::check_blocking(const Program& program, int number, int member, MPI_Comm comm) {
    Live live(program, number, member, comm);
    live.handles_ = make_handles(program, live.operation_, member);
    const int round = 100;
    Arguments arguments = live.arguments_;
    Memory recv = live.oracle_.before(member, round, Which::recv);
    Memory send = live.oracle_.before(member, round, Which::send);
    Memory expected = recv;
    if (facts(live.operation_.kind).reduces && arguments.send.use == Use::in_place) {
        send = recv;
        arguments.send.use = Use::given;
    }
    MUST(blocking(live.call(arguments, send, recv)));
    live.oracle_.complete(member, round, expected);
    live.oracle_.forgive(member, recv, expected);
    const std::string wrong = difference(expected, recv);
    if (!wrong.empty()) fail("the host's blocking call and the oracle differ: " + wrong);
    free_handles(live.handles_, live.operation_);
}

} // namespace fuzz
