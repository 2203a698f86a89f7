// SPDX-License-Identifier: BSD-3-Clause
//
// Gates, messages and arrivals of segments; the ledger finds out what waits for what.
#include "plan/partitioned.hpp"

#include "plan/planner.hpp"

#include <algorithm>

namespace mpix::plan {
namespace {

// Bytes of a segment as one run: the user's, or scratch beside it. Of an empty one there is one
// message all the same, and a part of nothing for each partition.
class Run {
  public:
    Run(const Segment& segment, Builder& plan)
        : bytes_(segment.message_bytes < 0 ? segment.bytes() : segment.message_bytes) {
        if (segment.partitions.empty()) return;
        if (is_empty()) {
            whole_ = plan.nothing(segment.partitions.size());
            return;
        }
        whole_ = segment.partitions.front();
        const bool is_typed = is_blocks(whole_.buffer) && !segment.peers.empty();
        is_staged_ = segment.is_staged || is_typed || bytes_ > segment.bytes();
        if (is_staged_) whole_ = plan.scratch(bytes_ + missing_in(segment));
        whole_.bytes = bytes_;
    }
    Bytes bytes() const { return bytes_; }
    bool is_empty() const { return bytes_ == 0; }
    bool is_staged() const { return is_staged_; }
    const Place& whole() const { return whole_; }
    Place partition(const Segment& segment, std::size_t number) const {
        return is_empty() ? part(static_cast<Bytes>(number), 1) : segment.partitions[number];
    }
    Place part(Bytes begin, Bytes bytes) const { return whole_.part(begin, bytes); }
    // visit(place) for each message.
    template<class Visit>
    void each_message(const Segment& segment, Visit visit) const {
        for (std::size_t i = 0; i < segment.cuts.size(); ++i) {
            const Bytes begin = segment.cuts[i];
            const Bytes end = i + 1 < segment.cuts.size() ? segment.cuts[i + 1] : bytes_;
            visit(is_empty() ? whole_ : part(begin, end - begin));
        }
    }

  private:
    // Of the last partition that the messages have something of.
    Bytes missing_in(const Segment& segment) const {
        Bytes end = 0;
        for (const Place& partition : segment.partitions)
            if (end < bytes_) end += partition.bytes;
        return std::max<Bytes>(end - bytes_, 0);
    }

    Place whole_;
    Bytes bytes_;
    bool is_staged_ = false;
};

// From the partitions to where the whole segment stands, and back.
void pack(const Segment& segment, const Run& run, Builder& plan) {
    if (!run.is_staged()) return;
    Bytes begin = 0;
    for (const Place& partition : segment.partitions) {
        plan.copy(partition, run.part(begin, partition.bytes));
        begin += partition.bytes;
    }
}

// visit(place in the run, partition, whether it comes in part) for each that something comes of.
template<class Visit>
void each_to_unpack(const Segment& segment, const Run& run, Visit visit) {
    if (!run.is_staged()) return;
    Bytes begin = 0;
    for (const Place& partition : segment.partitions) {
        const Bytes end = begin + partition.bytes;
        if (begin >= run.bytes() && end > begin) return; // the messages have less
        visit(run.part(begin, partition.bytes), partition, end > run.bytes());
        begin = end;
    }
}

// What does not come of a partition stands there as it was.
void save(const Segment& segment, const Run& run, Builder& plan) {
    each_to_unpack(segment, run, [&](const Place& part, const Place& partition, bool is_part) {
        if (is_part) plan.copy(partition, part);
    });
}

void unpack(const Segment& segment, const Run& run, Builder& plan) {
    each_to_unpack(segment, run, [&](const Place& part, const Place& partition, bool) {
        plan.copy(part, partition);
    });
}

class Movement {
  public:
    Movement(const Partitioned& problem, Builder& plan)
        : problem_(problem), plan_(plan), recv_order_(problem.recv_order) {
        for (const Segment& segment : problem.recv) into_.emplace_back(segment, plan);
        if (!recv_order_.empty()) return;
        for (std::size_t i = 0; i < into_.size(); ++i) recv_order_.push_back(i);
    }

    void build() {
        for (const std::size_t i : recv_order_)
            for (const int peer : problem_.recv[i].peers)
                if (peer == problem_.whole.rank) own_.push_back(i);
        for (const Segment& segment : problem_.send) send(segment);
        for (const std::size_t i : recv_order_) receive(problem_.recv[i], into_[i]);
        for (std::size_t i = 0; i < into_.size(); ++i) arrive(problem_.recv[i], into_[i]);
    }

  private:
    // Between its gates and those of the next: segments that are only read may overlap.
    void send(const Segment& segment) {
        const Run run(segment, plan_);
        for (std::size_t p = 0; p < segment.partitions.size(); ++p)
            plan_.gate(run.partition(segment, p));
        pack(segment, run, plan_);
        plan_.join_partitions(segment.is_joined);
        for (const int peer : segment.peers)
            if (peer != problem_.whole.rank)
                run.each_message(segment, [&](const Place& part) { plan_.send(peer, part); });
        for (const int peer : segment.peers)
            if (peer == problem_.whole.rank) copy_own(segment, run, into_[own_[next_own_++]]);
    }

    void copy_own(const Segment& segment, const Run& from, const Run& to) {
        if (from.is_empty()) return plan_.copy(from.whole(), to.whole());
        Bytes begin = 0;
        from.each_message(segment, [&](const Place& part) {
            plan_.copy(part, to.part(begin, part.bytes));
            begin += part.bytes;
        });
    }

    void receive(const Segment& segment, const Run& run) {
        plan_.join_partitions(segment.is_joined);
        save(segment, run, plan_);
        for (const int peer : segment.peers)
            if (peer != problem_.whole.rank)
                run.each_message(segment, [&](const Place& part) { plan_.recv(peer, part); });
    }

    void arrive(const Segment& segment, const Run& run) {
        unpack(segment, run, plan_);
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
    Builder& plan_;
    std::vector<std::size_t> recv_order_;
    std::vector<Run> into_;
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
        Run to;
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
        const Run& run = from_.emplace_back(segment, plan_);
        for (std::size_t p = 0; p < segment.partitions.size(); ++p)
            plan_.gate(run.partition(segment, p));
        if (!run.is_staged()) return;
        pack(segment, run, plan_);
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
    std::vector<Run> from_, into_; // of the segments
    std::vector<Stage> stages_;
    const Solver* solver_ = nullptr;
    double cost_ = 0;
};

} // namespace

Bytes Segment::bytes() const {
    Bytes sum = 0;
    for (const Place& partition : partitions) sum += partition.bytes;
    return sum;
}

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
    if (problem.pieces.empty()) {
        Movement(problem, plan).build();
        return std::move(plan).finish("partitioned_linear", 0);
    }
    Pieces pieces(problem, plan);
    pieces.build(model);
    return std::move(plan).finish(pieces.solver(), pieces.cost());
}

} // namespace mpix::plan
