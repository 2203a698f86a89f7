// SPDX-License-Identifier: BSD-3-Clause
//
// A chain: what is not dense is packed, sent, received and unpacked.
#include "plan/channel.hpp"

namespace mpix::plan {
namespace {

// The steps of all chains are alike but for where their data stand.
class Chains {
  public:
    explicit Chains(const Channel& channel) : channel_(channel) {
        plan_.solver = "channel";
        plan_.slots = static_cast<std::int32_t>(channel.slots.size());
        plan_.gates.resize(1); // nothing begins with the first
    }

    Plan build() && {
        for (const Place& slot : channel_.slots) add_chain(slot);
        return std::move(plan_);
    }

  private:
    void add_chain(const Place& slot) {
        if (channel_.peer < 0) return add_nothing();
        const bool is_typed = is_blocks(slot.buffer);
        Place dense = slot;
        if (is_typed) {
            dense = {Buffer::scratch, plan_.scratch, slot.bytes};
            plan_.scratch += (slot.bytes + 63) / 64 * 64;
        }
        const auto begin = static_cast<StepId>(plan_.steps.size());
        if (is_typed && channel_.sends) add_copy(slot, dense);
        const auto first_message = static_cast<StepId>(plan_.steps.size());
        add_messages(dense);
        const auto end = static_cast<StepId>(plan_.steps.size());
        if (is_typed && !channel_.sends) add_copy(dense, slot);
        plan_.gates.push_back(is_typed && channel_.sends ? connect(begin, begin + 1)
                                                         : connect(first_message, end));
        if (!is_typed) return;
        if (channel_.sends)
            connect_step(begin, first_message, end);
        else
            for (StepId id = first_message; id < end; ++id) connect_step(id, end, end + 1);
    }

    void add_nothing() {
        const auto only = static_cast<StepId>(plan_.steps.size());
        add_copy({Buffer::send, 0, 0}, {Buffer::send, 0, 0});
        plan_.gates.push_back(connect(only, only + 1));
    }

    void add_copy(const Place& from, const Place& to) {
        plan_.steps.push_back({.action = Action::copy,
                               .from = {from.buffer, from.offset},
                               .to = {to.buffer, to.offset},
                               .bytes = from.bytes});
    }

    // An empty slot is a message too: its coming is told.
    void add_messages(const Place& place) {
        Bytes begin = 0;
        do {
            const Place part = place.part(begin, channel_.message);
            plan_.steps.push_back({.action = channel_.sends ? Action::send : Action::recv,
                                   .peer = channel_.peer,
                                   .from = {part.buffer, part.offset},
                                   .to = {part.buffer, part.offset},
                                   .is_synchronous = channel_.is_synchronous,
                                   .bytes = part.bytes});
            begin += channel_.message;
        } while (begin < place.bytes);
    }

    // The steps [begin, end) wait for one thing more.
    Gate connect(StepId begin, StepId end) {
        const Gate run{static_cast<std::uint32_t>(plan_.edges.size()),
                       static_cast<std::uint32_t>(end - begin)};
        for (StepId id = begin; id < end; ++id) {
            plan_.edges.push_back(id);
            ++plan_.steps[static_cast<std::size_t>(id)].needs;
        }
        return run;
    }
    void connect_step(StepId from, StepId begin, StepId end) {
        const Gate run = connect(begin, end);
        Step& step = plan_.steps[static_cast<std::size_t>(from)];
        step.first_successor = run.first_successor;
        step.successors = run.successors;
    }

    const Channel& channel_;
    Plan plan_;
};

} // namespace

Plan build(const Channel& channel) { return Chains(channel).build(); }

} // namespace mpix::plan
