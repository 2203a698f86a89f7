// SPDX-License-Identifier: BSD-3-Clause
// A receiver may have room for more than is sent.
#include "messages.hpp"

#include "sides.hpp"

namespace fuzz {

Message pick_message(Random& random, const Communicator& comm, int tag, bool alone) {
    Message message;
    message.to = static_cast<int>(random.below(comm.size()));
    message.from = random.pick(comm.peers_of(message.to));
    message.tag = tag;
    message.mode = static_cast<Mode>(random.below(4));
    message.persistent_send = random.chance(60);
    message.persistent_recv = random.chance(60);
    message.any_source = random.chance(30);
    message.any_tag = alone && random.chance(40);
    if (random.chance(5)) {
        (random.chance(50) ? message.from : message.to) = -1;
        message.any_source = message.any_tag = false;
    }
    // The receiver tells the sender when it is ready.
    const bool is_pair = message.from >= 0 && message.to >= 0 && message.from != message.to;
    if (message.mode == Mode::ready && !is_pair) message.mode = Mode::standard;
    return message;
}

void give_message(Random& random, Types& types, Operation& operation) {
    SideMaker maker(random, types, pick_signature(random), random.chance(35));
    const long units = pick_units(random, maker.unit_size(), 1);
    const Message& message = operation.message;
    const long room = units + (random.chance(30) ? random.between(0, 12) : 0);
    if (message.from >= 0)
        operation.arguments[at(message.from)].send = maker.make(Shape::single, {units}, false);
    if (message.to >= 0)
        operation.arguments[at(message.to)].recv = maker.make(Shape::single, {room}, true);
}

} // namespace fuzz
