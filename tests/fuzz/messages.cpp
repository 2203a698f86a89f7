// SPDX-License-Identifier: BSD-3-Clause
// A receiver may have room for more than is sent. One that asks for partitions may not; what a
// channel sends must not end within an element of the receiver's, so it has no more room either.
#include "messages.hpp"

#include "sides.hpp"

namespace fuzz {

namespace {

Message pick_ends(Random& random, const Communicator& comm, int tag) {
    Message message;
    message.to = static_cast<int>(random.below(comm.size()));
    message.from = random.pick(comm.peers_of(message.to));
    message.tag = tag;
    message.persistent_send = message.persistent_recv = true;
    return message;
}

void drop_an_end(Random& random, Message& message) {
    (random.chance(50) ? message.from : message.to) = -1;
    message.any_source = message.any_tag = false;
}

void pick_mode(Random& random, Message& message) {
    message.mode = static_cast<Mode>(random.below(4));
    // The receiver tells the sender when it is ready.
    const bool is_pair = message.from >= 0 && message.to >= 0 && message.from != message.to;
    if (message.mode == Mode::ready && !is_pair) message.mode = Mode::standard;
}

void pick_wildcards(Random& random, Message& message, bool alone) {
    message.any_source = random.chance(30);
    message.any_tag = alone && random.chance(40);
}

// Buffers of elements without extent could not be told apart.
void limit_slack(const Types& types, Operation& operation) {
    for (const Arguments& arguments : operation.arguments)
        for (const Side* side : {&arguments.send, &arguments.recv})
            if (side->use == Use::given && types[side->type].layout.extent() <= 0)
                operation.message.slack = 1;
}

} // namespace

Message pick_message(Random& random, const Communicator& comm, int tag, bool alone) {
    Message message = pick_ends(random, comm, tag);
    message.persistent_send = random.chance(60);
    message.persistent_recv = random.chance(60);
    pick_wildcards(random, message, alone);
    if (random.chance(5)) drop_an_end(random, message);
    pick_mode(random, message);
    return message;
}

Message pick_partitioned(Random& random, const Communicator& comm, int tag) {
    Message message = pick_ends(random, comm, tag);
    if (random.chance(5)) drop_an_end(random, message);
    return message;
}

Message pick_channel(Random& random, const Communicator& comm, int tag, bool alone, bool ordered) {
    Message message = pick_ends(random, comm, tag);
    pick_wildcards(random, message, alone);
    pick_mode(random, message);
    message.slack = static_cast<int>(random.chance(50) ? 1 : random.between(2, 4));
    const auto bind = [&] {
        if (message.slack > 1) return random.pick({Binding::waits, Binding::returns});
        return random.pick({Binding::waits, Binding::returns, Binding::init});
    };
    message.send_binding = bind();
    message.recv_binding = bind();
    if (message.mode == Mode::ready) return message;
    if (ordered) {
        message.mode = Mode::synchronous;
        if (message.send_binding == Binding::init) message.send_binding = Binding::waits;
    } else if (message.send_binding == Binding::init) {
        message.mode = Mode::standard; // MPIX_Send_channel_init has no other
    }
    return message;
}

void give_message(Random& random, Types& types, Operation& operation) {
    SideMaker maker(random, types, pick_signature(random), random.chance(35));
    const Message& message = operation.message;
    long units = pick_units(random, maker.unit_size(), 1);
    units -= units % operation.granularity;
    const bool has_more_room =
        !operation.is_partitioned() && !message.is_channel() && random.chance(30);
    const long room = units + (has_more_room ? random.between(0, 12) : 0);
    if (message.from >= 0)
        operation.arguments[at(message.from)].send = maker.make(Shape::single, {units}, false);
    if (message.to >= 0)
        operation.arguments[at(message.to)].recv = maker.make(Shape::single, {room}, true);
    limit_slack(types, operation);
}

} // namespace fuzz
