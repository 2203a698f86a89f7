// SPDX-License-Identifier: BSD-3-Clause
//
// Builds a plan from steps given in program order, as one would write the algorithm with blocking
// copies and nonblocking messages. Dependencies follow from the places that steps read and write,
// from fences, from phases, and from what goes one by one. The k-th message to a rank meets that
// rank's k-th receive from here. Empty places are left out, on both ends alike.
#pragma once

#include "plan/ledger.hpp"
#include "plan/model.hpp"
#include "plan/plan.hpp"

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace mpix::plan {

struct Move {
    Place from, to;
};

class Builder {
  public:
    // Messages between the same two ranks share the tags in turn; one that would share a tag with
    // an earlier one waits until that is done, so that they cannot be mistaken.
    static constexpr std::int32_t default_tags = 16;

    explicit Builder(const Problem& problem, std::int32_t tags = default_tags)
        : Builder(problem.shape.grain, tags) {}
    Builder(Bytes grain, std::int32_t tags) : grain_(grain), tags_(tags) {}

    // What things cost: by this the parts of a plan are chosen and long vectors are cut.
    void choose_by(const Model& model) { model_ = model; }
    const Model& model() const { return model_; }
    // From here on messages of this rank to those of other nodes, and from them, are cut. Ranks
    // that send each other something have it alike.
    void cut_between_nodes(int self, const Cutting& cutting) {
        self_ = self;
        cutting_ = cutting;
    }

    Place scratch(Bytes bytes);
    // A place without memory, that can be taken apart into so many.
    Place nothing(std::size_t parts);

    // The next partition of the send buffer: what touches the place from here on waits until it is
    // ready.
    void gate(const Place& place);
    // The next partition of the receive buffer: it is there when all before that writes it is done,
    // and all that writes `other`.
    void arrive(const Place& place, const Place& other = {});

    // From here on steps may wait for several partitions, here or elsewhere, or they do not.
    void join_partitions(bool are_joined) {
        are_joined_ = are_joined;
        plan_.may_fragment |= are_joined;
    }

    // From here on copies may wait for each other's data: nobody asks for single places.
    void list_copies() { may_list_ = true; }

    void send(int peer, const Place& from);
    void recv(int peer, const Place& to);
    void copy(const Place& from, const Place& to); // nothing if both are the same place
    // None waits for another. Short ones become one step, where that is wanted.
    void copy(std::span<const Move> moves);
    // So many that are so far apart, in one step: it waits for all that touches what is between.
    void copy(const Move& first, int count, Bytes from_stride, Bytes to_stride);
    void reduce(const Place& from, const Place& to); // to = from (op) to
    // to = received (op) with, or with (op) received. `stage` is room for what is received. Nothing
    // is received before `to` may be written: what stands there must not be on its way to the rank
    // that is received from.
    void combine(int peer, const Place& with, const Place& to, const Place& stage,
                 bool received_first = true);

    // Messages without data, and the order that data do not give: what is added after the fence
    // waits for everything before it.
    void signal(int peer) { message({.action = Action::send, .peer = peer}, {}); }
    void await(int peer) { message({.action = Action::recv, .peer = peer}, {}); }
    void fence();
    // A fence that many steps stand on both sides of: one step between them that does nothing keeps
    // the edges few.
    void join();

    void delegate();

    // A member of a bundle, which is started when those steps are done. Returns its own.
    StepId member(std::int32_t number, std::span<const StepId> after);
    void call();

    Plan finish(std::string_view solver, double expected_us) &&;

    // While it lives, peers are positions in `ranks`, which are positions in those of an earlier
    // one. `nodes`: the parts that they are in.
    class Among {
      public:
        Among(Builder& plan, const Nodes& nodes) : Among(plan, nullptr, nodes) {}
        Among(Builder& plan, const RankList& ranks, const Nodes& nodes)
            : Among(plan, &ranks, nodes) {}
        ~Among() { plan_.among_ = around_; }
        Among(const Among&) = delete;
        Among& operator=(const Among&) = delete;

      private:
        friend class Builder;
        Among(Builder& plan, const RankList* ranks, const Nodes& nodes)
            : plan_(plan), around_(plan.among_), ranks_(ranks), nodes_(nodes) {
            plan_.among_ = this;
        }

        Builder& plan_;
        const Among* around_;
        const RankList* ranks_; // null: all
        const Nodes& nodes_;
    };
    const Nodes& nodes() const { return among_->nodes_; }

    // While it lives, short messages are received when those of the phase before are there;
    // `next_phase` ends a phase, and does nothing where there is none. Who
    // has posted receives for phases to come asks for them with each look, and takes what quick
    // ranks send before what it waits for. Partitions wait for nothing but what they need: where
    // some are received each rank has some to send.
    class Phases {
      public:
        explicit Phases(Builder& plan) : plan_(plan), around_(plan.phases_) {
            plan_.phases_ = plan.gates_.size() == 1 ? this : nullptr;
        }
        ~Phases() { plan_.phases_ = around_; }
        Phases(const Phases&) = delete;
        Phases& operator=(const Phases&) = delete;

      private:
        friend class Builder;
        void receive(StepId step, Bytes bytes, Needs& needs);

        Builder& plan_;
        Phases* const around_;
        std::vector<StepId> now_, before_; // what is received in this one, and in the last that did
    };
    void next_phase() {
        if (phases_ && !phases_->now_.empty()) phases_->before_ = std::exchange(phases_->now_, {});
    }

    // While it lives, no message is cut if that is wanted.
    class Uncut {
      public:
        Uncut(Builder& plan, bool is_wanted) : plan_(plan), cutting_(plan.cutting_) {
            if (is_wanted) plan.cutting_ = {};
        }
        ~Uncut() { plan_.cutting_ = cutting_; }
        Uncut(const Uncut&) = delete;
        Uncut& operator=(const Uncut&) = delete;

      private:
        Builder& plan_;
        const Cutting cutting_;
    };

    // While it lives, a message to another node that is so long that the host asks its receiver is
    // sent when the one before is. Side by side both would take twice as long, and who passes on
    // what he receives would have the first no sooner than the last. The price: a receiver that is
    // late keeps the others waiting.
    class OneByOne {
      public:
        explicit OneByOne(Builder& plan) : plan_(plan), around_(plan.one_by_one_) {
            plan_.one_by_one_ = this;
        }
        ~OneByOne() { plan_.one_by_one_ = around_; }
        OneByOne(const OneByOne&) = delete;
        OneByOne& operator=(const OneByOne&) = delete;

      private:
        friend class Builder;
        Builder& plan_;
        OneByOne* const around_;
        StepId last_ = -1; // the last part of the message before
    };

    // While it lives, there is no memory in scratch either.
    class Weightless {
      public:
        explicit Weightless(Builder& plan) : plan_(plan) { plan_.is_weightless_ = true; }
        ~Weightless() { plan_.is_weightless_ = false; }
        Weightless(const Weightless&) = delete;
        Weightless& operator=(const Weightless&) = delete;

      private:
        Builder& plan_;
    };

  private:
    struct Traffic {
        std::int32_t count = 0;
        std::vector<StepId> last; // of each tag
    };

    Ledger& ledger(Buffer buffer) { return ledgers_[static_cast<std::size_t>(buffer)]; }
    int rank_of(int peer) const;
    bool crosses(int peer) const;
    // How messages with that peer are cut.
    Cutting cutting_with(int peer) const;
    void message(Step step, const Place& place);
    void reads(const Place& place);
    void writes(const Place& place);
    void writes(const Place& place, StepId by);
    struct List {
        std::vector<Copy> copies = {};
        Bytes bytes = 0;
    };
    void copy(Buffer from, Buffer to, List& list); // which is empty then
    bool may_list(const Move& move) const;
    bool joins_last_arrival(const Place& place);
    void add(const Step& step);
    void empty_steps();
    void lay_out_edges();

    Bytes grain_;
    std::int32_t tags_;
    std::vector<Gate> gates_{1};
    Model model_;
    int self_ = -1;
    Cutting cutting_;
    Cutting last_received_; // how the last step was cut that receives
    Bytes nothings_ = 0;
    bool is_weightless_ = false;
    bool are_joined_ = false;
    bool may_list_ = false;
    const Among* among_ = nullptr;
    Phases* phases_ = nullptr;
    OneByOne* one_by_one_ = nullptr;
    Plan plan_;
    std::array<Ledger, rooms> ledgers_;
    std::map<std::pair<int, bool>, Traffic> traffic_; // with a peer, out or in
    Needs needs_;                                     // of the step being added
    std::vector<Needs> before_;                       // of each step
    StepId fence_begin_ = 0; // steps in [fence_begin_, fence_end_) are before the last fence
    StepId fence_end_ = 0;
};

} // namespace mpix::plan
