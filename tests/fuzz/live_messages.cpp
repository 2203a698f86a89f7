// SPDX-License-Identifier: BSD-3-Clause
// Point-to-point: matched at every start, partitioned, or through a channel.
#include "live.hpp"

namespace fuzz {

int Live::peer(int member) const {
    return member < 0 ? MPI_PROC_NULL : program_.comms[at(operation_.comm)].rank_of(member);
}

int Live::initialise_send(MPI_Request* request) {
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
        return init_c(send_.whole().data(), arguments_.send.count, type, peer(message.to),
                      message.tag, comm_, request);
    return init(send_.whole().data(), static_cast<int>(arguments_.send.count), type,
                peer(message.to), message.tag, comm_, request);
}

int Live::source() const {
    const Message& message = operation_.message;
    return message.any_source ? MPI_ANY_SOURCE : peer(message.from);
}
int Live::tag() const { return operation_.message.any_tag ? MPI_ANY_TAG : operation_.message.tag; }

int Live::initialise_receive(MPI_Request* request) {
    const MPI_Datatype type = handles_.recv_types[0];
    if (operation_.form == Form::persistent_c)
        return MPI_Recv_init_c(recv_.whole().data(), arguments_.recv.count, type, source(), tag(),
                               comm_, request);
    return MPI_Recv_init(recv_.whole().data(), static_cast<int>(arguments_.recv.count), type,
                         source(), tag(), comm_, request);
}

int Live::initialise_end(int end, MPI_Request* request) {
    const Message& message = operation_.message;
    const bool sends = end == 0;
    const Side& side = sends ? arguments_.send : arguments_.recv;
    const MPI_Datatype type = sends ? handles_.send_types[0] : handles_.recv_types[0];
    if (operation_.is_partitioned()) {
        const MPI_Count count = side.count / side.parts[0];
        return sends ? MPI_Psend_init(send_.whole().data(), side.parts[0], count, type,
                                      peer(message.to), message.tag, comm_, joining_, request)
                     : MPI_Precv_init(recv_.whole().data(), side.parts[0], count, type,
                                      peer(message.from), message.tag, comm_, joining_, request);
    }
    if ((sends ? message.send_binding : message.recv_binding) == Binding::init)
        return sends ? MPIX_Send_channel_init(send_.whole().data(), side.count, type,
                                              peer(message.to), message.tag, comm_, MPI_INFO_NULL,
                                              request)
                     : MPIX_Recv_channel_init(recv_.whole().data(), side.count, type, source(),
                                              tag(), comm_, MPI_INFO_NULL, request);
    return sends ? initialise_send(request) : initialise_receive(request);
}

void Live::initialise_message(Slot* slots, bool frees_early) {
    const Message& message = operation_.message;
    if (member_ == message.from) {
        slots[0].operation = number_;
        slots[0].persistent = message.persistent_send;
        if (message.persistent_send) MUST(initialise_end(0, &slots[0].request));
    }
    if (member_ == message.to) initialise_receiver(slots[1]);
    if (!message.is_channel()) return;
    const long increments[] = {increment(true), increment(false)};
    channel_.bind(message, increments, slots);
    if (frees_early) channel_.free();
}

void Live::initialise_receiver(Slot& slot) {
    const Message& message = operation_.message;
    slot.operation = number_;
    slot.persistent = message.persistent_recv;
    if (message.from >= 0) { // else MPICH 4.0.2 sets source and tag to 0
        const Block& sent = operation_.arguments[at(message.from)].send.blocks[0];
        const auto bytes = sent.count * program_.types[sent.type].layout.size;
        incoming_ = {peer(message.from), message.tag, static_cast<int>(bytes)};
        slot.incoming = &incoming_;
    }
    if (message.persistent_recv) MUST(initialise_end(1, &slot.request));
}

// Buffers of one start do not overlap those of the next, also on a side that the channel lacks.
Offset Live::stride(bool sends) const {
    const Side& side = sends ? arguments_.send : arguments_.recv;
    const auto size = static_cast<Offset>(
        oracle_.before(member_, -1, sends ? Which::send : Which::recv).bytes.size());
    const Offset unit = side.use == Use::given ? program_.types[side.type].layout.extent() : 16;
    const Offset stride = (size / unit + 16) / 16 * 16 * unit;
    return hash(program_.seed, number_, sends) % 3 == 0 ? -stride : stride;
}
long Live::increment(bool sends) const {
    const Side& side = sends ? arguments_.send : arguments_.recv;
    if (operation_.message.slack == 1 || side.use != Use::given) return 0;
    return stride(sends) / program_.types[side.type].layout.extent();
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
        MUST(MPI_Irecv(recv_.whole().data(), static_cast<int>(arguments_.recv.count),
                       handles_.recv_types[0], source(), tag(), comm_, &slots[1].request));
    if (member_ == message.from && !message.persistent_send)
        MUST(send(send_.whole().data(), static_cast<int>(arguments_.send.count),
                  handles_.send_types[0], peer(message.to), message.tag, comm_, &slots[0].request));
}

} // namespace fuzz
