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

} // namespace

Live::Live(const Program& program, int number, int member, MPI_Comm comm)
    : program_(program), number_(number), member_(member),
      operation_(program.operations[at(number)]), arguments_(operation_.arguments[at(member)]),
      comm_(comm), oracle_(program, number),
      send_(oracle_.before(member, -1, Which::send), operation_.message.slack,
            operation_.message.slack > 1 ? stride(true) : 0),
      recv_(oracle_.before(member, -1, Which::recv), operation_.message.slack,
            operation_.message.slack > 1 ? stride(false) : 0),
      settled_(at(operation_.message.slack)) {}

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
            comm_,
            joining_};
}

void Live::initialise(Slot* slots, bool frees_early, bool keeps_arrays) {
    handles_ = make_handles(program_, operation_, member_);
    const Random random(hash(program_.seed, number_, member_));
    if (operation_.is_partitioned()) {
        parted_.emplace(program_, number_, member_);
        joining_ = make_joining_info(random);
    }
    if (operation_.kind == Kind::message) {
        initialise_message(slots, frees_early);
    } else {
        slots[0].operation = number_;
        slots[0].is_collective = true;
        slots[0].persistent = !operation_.is_called();
        if (slots[0].persistent)
            MUST(fuzz::initialise(call(arguments_, send_.whole(), recv_.whole()), operation_.form,
                                  &slots[0].request, &arrays_));
    }
    if (joining_ != MPI_INFO_NULL) MUST(MPI_Info_free(&joining_));
    const MPI_Request receiving = partitioned(slots, true)->request;
    if (parted_ && receiving != MPI_REQUEST_NULL && number_ % 3 == 0)
        parted_->keep(receiving, random);
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

// ---- Rounds ----

void Live::check_settled(int place, const char* when) {
    std::optional<Memory>& settled = settled_[at(place)];
    if (!settled) return;
    const std::string wrong = difference(*settled, recv_.get(place));
    if (!wrong.empty())
        complain(rounds_.back(), "receive buffer changed after completion, seen " +
                                     std::string(when) + ": " + wrong);
    settled.reset();
}

void Live::complain(int round, const std::string& what) const {
    fail("round " + std::to_string(round) + " of " + brief(program_, program_.init_of(number_)) +
         ": " + what);
}

void Live::rebind(Slot* slots) {
    const Message& message = operation_.message;
    const bool is_plain =
        operation_.kind == Kind::message && !operation_.is_partitioned() && !message.is_channel();
    if (is_plain || operation_.is_called() || slots[0].active + slots[1].active > 0) return;
    check_left();
    send_.move();
    recv_.move();
    const void* const send = address(arguments_.send, send_.whole());
    void* recv = address(arguments_.recv, recv_.whole());
    if (operation_.kind == Kind::bcast && member_ == operation_.root) recv = nullptr; // has one
    for (int i = 0; i < 2; i++)
        if (slots[i].operation == number_) MUST(MPIX_Request_rebind(slots[i].request, send, recv));
}

void Live::check_left() const {
    if (!send_.is_left_alone() || !recv_.is_left_alone())
        complain(rounds_.empty() ? 0 : rounds_.back(),
                 "a buffer from before the rebinding has changed");
}

void Live::prepare(int round, Slot* slots) {
    const int place = static_cast<int>(rounds_.size()) % operation_.message.slack;
    check_settled(place, "before the next start");
    rounds_.push_back(round);
    send_.put(place, oracle_.before(member_, round, Which::send));
    recv_.put(place, oracle_.before(member_, round, Which::recv));
    if (parted_) parted_->begin(oracle_, member_, round, send_.whole());
    coming_.reset();
    for (int i = 0; i < 2; i++) slots[i].active += slots[i].operation == number_;
}

void Live::start_by_call(Slot* slots) {
    if (operation_.kind == Kind::message) return start_message(slots);
    if (operation_.form == Form::nonblocking) {
        MUST(nonblocking(call(arguments_, send_.whole(), recv_.whole()), &slots[0].request,
                         &arrays_));
        return;
    }
    MUST(blocking(call(arguments_, send_.whole(), recv_.whole())));
    MUST(MPI_Ibarrier(MPI_COMM_SELF, &slots[0].request)); // for whoever completes it
}

Slot* Live::partitioned(Slot* slots, bool receives) const {
    return &slots[operation_.kind == Kind::message && receives ? 1 : 0];
}

// Both ends at once, where this rank has both: each waits for the other. What comes from nobody may
// be complete already.
void Live::prepare_buffers(Slot* slots) {
    std::vector<MPI_Request> requests;
    for (int i = 0; i < 2; i++)
        if (slots[i].active) requests.push_back(slots[i].request);
    if (requests.size() == 1 && rounds_.back() % 2 == 0)
        MUST(MPIX_Pbuf_prepare(requests[0]));
    else
        MUST(MPIX_Pbuf_prepareall(static_cast<int>(requests.size()), requests.data()));
}

void Live::mark(const std::vector<int>& numbers, std::uint64_t seed, Slot* slots) {
    parted_->mark(oracle_, numbers, send_.whole(), partitioned(slots, false)->request,
                  Random(seed));
}

void Live::ask(std::uint64_t seed, Slot* slots) {
    if (!parted_ || !parted_->is_asked() || !partitioned(slots, true)->active) return;
    if (!coming_) coming_ = after(rounds_.back());
    const std::string wrong = parted_->ask(oracle_, *coming_, recv_.whole(),
                                           partitioned(slots, true)->request, Random(seed));
    if (!wrong.empty()) complain(rounds_.back(), wrong);
}

Memory Live::after(int round) const {
    Memory expected = oracle_.before(member_, round, Which::recv);
    oracle_.complete(member_, round, expected);
    return expected;
}

int Live::started(int round) const {
    return static_cast<int>(std::find(rounds_.begin(), rounds_.end(), round) - rounds_.begin()) + 1;
}

void Live::check(int completed, bool spoil) {
    for (; checked_ < completed; checked_++)
        check(rounds_[at(checked_)], checked_ % operation_.message.slack, spoil);
}

void Live::check(int round, int place, bool spoil) {
    Memory expected = after(round), received = recv_.get(place);
    oracle_.forgive(member_, received, expected);
    if (spoil) received.bytes[received.bytes.size() / 2] ^= std::byte{1};
    if (parted_ && parted_->is_asked())
        parted_->complete_kept(Random(hash(program_.seed, number_, round)));
    const std::string recv_wrong = difference(expected, received);
    if (!recv_wrong.empty()) complain(round, "receive buffer wrong: " + recv_wrong);
    const Memory sent = oracle_.before(member_, round, Which::send);
    const std::string send_wrong = difference(sent, send_.get(place));
    if (!send_wrong.empty()) complain(round, "send buffer changed: " + send_wrong);
    settled_[at(place)] = std::move(received);
    send_.put(place, oracle_.before(member_, -1, Which::send));
}

void Live::release(Slot* slots) {
    for (int place = 0; place < operation_.message.slack; place++)
        check_settled(place, "before the free");
    check_left();
    if (operation_.message.is_channel()) channel_.unbind(slots, number_ % 2 == 0);
    channel_.free();
    const bool frees_kept_first = hash(program_.seed, number_, member_) % 2 == 0;
    if (parted_ && frees_kept_first) parted_->free_kept();
    for (int i = 0; i < 2; i++) {
        if (slots[i].request != MPI_REQUEST_NULL) {
            MUST(MPI_Request_free(&slots[i].request));
            if (slots[i].request != MPI_REQUEST_NULL) fail("a freed request is not null");
        }
        slots[i] = {};
    }
    if (parted_ && !frees_kept_first) parted_->free_kept();
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
