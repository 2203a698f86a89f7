// SPDX-License-Identifier: BSD-3-Clause
//
// Gates, messages and arrivals of segments; the ledger finds out what waits for what.
#include "plan/partitioned.hpp"

#include "plan/planner.hpp"
#include "plan/relays.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace mpix::plan {
namespace {

class Movement {
  public:
    Movement(const Partitioned& problem, Builder& plan)
        : problem_(problem), self_(problem.whole.rank), plan_(plan),
          recv_order_(problem.recv_order) {
        for (const Segment& segment : problem.recv) into_.emplace_back(segment, plan);
        if (!recv_order_.empty()) return;
        for (std::size_t i = 0; i < into_.size(); ++i) recv_order_.push_back(i);
    }

    void build(const Model& model) {
        for (const std::size_t i : recv_order_)
            for (const int peer : problem_.recv[i].peers)
                if (peer == self_) own_.push_back(i);
        if (plan::has_relays(problem_.whole.shape, model)) find_relays();
        for (const Segment& segment : problem_.send) send(segment);
        for (const std::size_t i : recv_order_) receive(problem_.recv[i], into_[i]);
        // After what a mate sends of its own, as it does.
        for (const std::size_t i : recv_order_) receive_from_relays(problem_.recv[i], into_[i]);
        for (std::size_t i = 0; i < into_.size(); ++i) arrive(problem_.recv[i], into_[i]);
    }
    bool has_relays() const { return relays_.has_value(); }

  private:
    // A broadcast has one source. Of an allgather each rank is one: what it has itself stands in
    // its segment to send, since in place nobody sends the other.
    void find_relays() {
        const Shape& shape = problem_.whole.shape;
        const auto messages = [](const Segment& segment) {
            return static_cast<std::int64_t>(segment.cuts.size());
        };
        std::vector<Relays::Source> sources;
        if (shape.kind == Kind::bcast) {
            const auto& segments = self_ == shape.root ? problem_.send : problem_.recv;
            sources.push_back({shape.root, messages(segments[0])});
        } else {
            for (int rank = 0; rank < shape.ranks; ++rank)
                sources.push_back(
                    {rank,
                     messages(rank == self_ ? problem_.send[0]
                                            : problem_.recv[static_cast<std::size_t>(rank)])});
        }
        relays_.emplace(shape.nodes, self_, sources);
    }

    // Between its gates and those of the next: segments that are only read may overlap.
    void send(const Segment& segment) {
        const SegmentRun run(segment, plan_);
        for (std::size_t p = 0; p < segment.partitions.size(); ++p)
            plan_.gate(run.partition(segment, p));
        run.pack(segment, plan_);
        plan_.join_partitions(segment.is_joined);
        for (const int peer : segment.peers)
            if (peer != self_)
                run.each_message(segment, [&](const Place& part, std::size_t number) {
                    if (!relays_ || relays_->goes(number, peer)) plan_.send(peer, part);
                });
        for (const int peer : segment.peers)
            if (peer == self_) copy_own(segment, run, into_[own_[next_own_++]]);
    }

    void copy_own(const Segment& segment, const SegmentRun& from, const SegmentRun& to) {
        if (from.is_empty()) return plan_.copy(from.whole(), to.whole());
        Bytes begin = 0;
        from.each_message(segment, [&](const Place& part, std::size_t) {
            plan_.copy(part, to.part(begin, part.bytes));
            begin += part.bytes;
        });
    }

    void receive(const Segment& segment, const SegmentRun& run) {
        plan_.join_partitions(segment.is_joined);
        run.save(segment, plan_);
        for (const int peer : segment.peers)
            if (peer != self_)
                run.each_message(segment, [&](const Place& part, std::size_t number) {
                    const bool crosses = relays_ && !relays_->is_mate(peer);
                    if (crosses && relays_->relay(peer, number) != self_) return;
                    plan_.recv(peer, part);
                    if (crosses) pass_on(part);
                });
    }

    void receive_from_relays(const Segment& segment, const SegmentRun& run) {
        if (!relays_) return;
        plan_.join_partitions(segment.is_joined);
        for (const int peer : segment.peers)
            if (peer != self_ && !relays_->is_mate(peer))
                run.each_message(segment, [&](const Place& part, std::size_t number) {
                    const int relay = relays_->relay(peer, number);
                    if (relay != self_) plan_.recv(relay, part);
                });
    }

    // Who comes after this rank first, so that not all begin with the same.
    void pass_on(const Place& part) {
        const RankList& mates = relays_->mates();
        for (std::size_t i = 1; i < mates.size(); ++i)
            plan_.send(mates[(relays_->position() + i) % mates.size()], part);
    }

    void arrive(const Segment& segment, const SegmentRun& run) {
        run.unpack(segment, plan_);
        Bytes end = 0;
        for (std::size_t p = 0; p < segment.partitions.size(); ++p) {
            end += segment.partitions[p].bytes;
            // What the messages do not have, or not all of, is there when they are.
            const bool is_outside = segment.bytes() == 0 || end > run.bytes();
            plan_.arrive(run.partition(segment, p),
                         is_outside && !run.is_empty() ? run.whole() : Place{});
        }
    }

    const Partitioned& problem_;
    const int self_;
    Builder& plan_;
    std::optional<Relays> relays_;
    std::vector<std::size_t> recv_order_;
    std::vector<SegmentRun> into_;
    std::vector<std::size_t> own_; // segments from this rank itself, in the order of its messages
    std::size_t next_own_ = 0;
};

class Pieces {
  public:
    Pieces(const Partitioned& problem, Builder& plan) : problem_(problem), plan_(plan) {}

    void build(const Model& model) {
        for (const Segment& segment : problem_.send) take_in(segment);
        for (const Segment& segment : problem_.recv) into_.emplace_back(segment, plan_);
        plan_.join_partitions(problem_.are_joined);
        for (Problem piece : problem_.pieces) {
            piece.shape.is_piece = true;
            for (std::size_t i = 0; i < piece.send.size(); ++i)
                piece.send.set(i, staged(piece.send[i]));
            piece.shape.total > 0 ? solve(piece, model) : solve_empty(piece, model);
        }
        for (std::size_t i = 0; i < into_.size(); ++i)
            for (std::size_t p = 0; p < problem_.recv[i].partitions.size(); ++p)
                plan_.arrive(into_[i].partition(problem_.recv[i], p));
    }
    std::string_view solver() const { return solver_->name; }
    double cost() const { return cost_; }

  private:
    struct Stage {
        Place from;
        SegmentRun to;
        bool has(const Place& place) const {
            return place.offset >= from.offset &&
                   place.offset + place.bytes <= from.offset + from.bytes;
        }
    };

    void solve(const Problem& piece, const Model& model) {
        solver_ = choose(piece.shape, model, [](const Solver&) { return true; });
        cost_ += plan::cost(*solver_, piece.shape, model);
        const Builder::Among among(plan_, piece.shape.nodes);
        solver_->build(piece, plan_);
    }

    // The ranks do as if they had one byte each.
    void solve_empty(Problem& piece, const Model& model) {
        const Builder::Weightless weightless(plan_);
        const auto root = static_cast<std::size_t>(piece.shape.root);
        const bool receives = piece.shape.kind != Kind::reduce || piece.shape.root == piece.rank;
        piece.shape.grain = piece.shape.total = piece.shape.largest = 1;
        piece.send = {plan_.nothing(1)};
        if (receives) piece.recv = {plan_.nothing(1)};
        plan_.copy(from_[from_.size() > 1 ? root : 0].whole(), piece.send[0]);
        solve(piece, model);
        if (receives) plan_.copy(piece.recv[0], into_[0].whole());
    }

    void take_in(const Segment& segment) {
        const SegmentRun& run = from_.emplace_back(segment, plan_);
        for (std::size_t p = 0; p < segment.partitions.size(); ++p)
            plan_.gate(run.partition(segment, p));
        if (!run.is_staged()) return;
        run.pack(segment, plan_);
        const Place& first = segment.partitions.front();
        stages_.push_back({{first.buffer, first.offset, segment.bytes()}, run});
    }

    Place staged(const Place& place) const {
        for (const Stage& stage : stages_)
            if (stage.has(place))
                return stage.to.part(place.offset - stage.from.offset, place.bytes);
        return place;
    }

    const Partitioned& problem_;
    Builder& plan_;
    std::vector<SegmentRun> from_, into_; // of the segments
    std::vector<Stage> stages_;
    const Solver* solver_ = nullptr;
    double cost_ = 0;
};

} // namespace

std::vector<Bytes> cuts(const std::vector<Bytes>& bounds, Bytes least, std::int64_t most) {
    std::vector<Bytes> begins;
    const Bytes total = bounds.empty() ? 0 : bounds.back();
    if (total == 0) return {0};
    const Bytes share = (total + most - 1) / most;
    Bytes begin = 0;
    for (const Bytes bound : bounds) {
        const bool is_enough = bound - begin >= std::max(least, share);
        if (bound == begin || (!is_enough && bound < total)) continue;
        begins.push_back(begin);
        begin = bound;
    }
    return begins;
}

Plan build(const Partitioned& problem, const Model& model) {
    Builder plan(problem.whole.shape.grain, problem.tags);
    plan.choose_by(model);
    const auto finish = [&](std::string_view solver, double cost) {
        Plan built = std::move(plan).finish(solver, cost);
        built.is_mutual = is_mutual(problem.whole.shape.kind);
        return built;
    };
    if (problem.pieces.empty()) {
        Movement movement(problem, plan);
        movement.build(model);
        return finish(movement.has_relays() ? "partitioned_two_level" : "partitioned_linear", 0);
    }
    Pieces pieces(problem, plan);
    pieces.build(model);
    return finish(pieces.solver(), pieces.cost());
}

} // namespace mpix::plan
