// SPDX-License-Identifier: BSD-3-Clause
//
// A round that goes on in fragments. As long as partitions are marked together a message waits for
// all that it has, and the plan's steps are executed as a whole, which is quicker. But what was
// marked may not wait for what was not once the program waits or asks: it may be what the next mark
// depends on. From there on this executes the rest of the round, and that of all ranks which get
// fragments from here. Under the engine's guard.
//
// A fragment within the node is told by its slot. Over the host the first message on a step's tag
// is the whole, or empty: then headers and fragments follow it in turn, on the same tag.
#pragma once

#include "host/symbols.hpp"
#include "plan/fragments.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace mpix::progress {

class Operation;

class FragmentedRound {
  public:
    // Goes on from where the operation is. Throws bad_alloc; then it is as it was.
    explicit FragmentedRound(Operation& operation);
    FragmentedRound(const FragmentedRound&) = delete;
    FragmentedRound& operator=(const FragmentedRound&) = delete;

    // Where there is no memory in what follows the operation has that error.
    void begin() noexcept; // once
    void open(std::size_t gate) noexcept;
    void own_messages() noexcept;          // of those that threads send what has some partitions
    void done(plan::StepId id) noexcept;   // a step that was under way, or in the runner's queue
    void take(plan::StepId id) noexcept;   // what has come on a queue, and waits for more
    void push(plan::StepId id) noexcept;   // there is room on a queue
    void expect(plan::StepId id) noexcept; // an empty message of the host has come first
    // Whether threads send the message, and not the runner.
    bool is_of_threads(plan::StepId id) const { return flow(id).state == State::of_threads; }
    void poll() noexcept; // messages of the host
    bool is_done() const;

  private:
    using Set = plan::Fragments::Set;
    using Interval = plan::Fragments::Interval;

    enum class State : std::uint8_t { ours, under_way, done, of_threads };
    // Of a message: bytes, from its first.
    struct Flow {
        State state = State::ours;
        bool is_sending = false;
        bool is_listening = false; // over the host: something of it is asked for
        bool is_announced = false; // that it comes in fragments
        bool has_header = false;   // and of the next
        Set ready;                 // may be sent, or put where it belongs
        Set come;                  // and not yet put there
        Interval current{0, 0};    // on its way
        plan::Bytes received = 0;  // over the host, in fragments
        std::array<std::int64_t, 2> header{};
        std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        std::unique_ptr<std::byte[]> hold; // what has come
    };

    Flow& flow(plan::StepId id) { return flows_[static_cast<std::size_t>(id)]; }
    const Flow& flow(plan::StepId id) const { return flows_[static_cast<std::size_t>(id)]; }
    void fail() noexcept;
    void run();
    void execute(plan::StepId id, const Set& parts);
    void listen(plan::StepId id);
    void take_on_queue(plan::StepId id);
    std::byte* hold(plan::StepId id);
    void came(plan::StepId id, const Interval& part);
    Set of_whole_elements(plan::StepId id, const Set& parts) const;
    void use(plan::StepId id);
    void send(plan::StepId id);
    void take_next(Flow& it);
    bool is_whole(plan::StepId id);
    bool proceed(plan::StepId id);
    void begin_on_queue(plan::StepId id);
    void send_over_host(plan::StepId id);
    bool have_ended(Flow& it);
    void receive(plan::StepId id);
    void post(plan::StepId id, void* to, int count, MPI_Datatype type);
    void receive_header(plan::StepId id);
    void receive_fragment(plan::StepId id);
    void arrive(plan::StepId id, const Set& parts);
    void finish(plan::StepId id, const Interval& part);
    void tell_of_sent();

    Operation& operation_;
    plan::Fragments fragments_;
    std::vector<Flow> flows_;
    std::vector<plan::StepId> over_host_; // messages
    std::vector<plan::StepId> sent_;      // of those that threads mark: all of it is on its way
    std::size_t unfinished_ = 0;          // steps, but those that threads send
};

} // namespace mpix::progress
