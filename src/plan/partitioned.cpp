// SPDX-License-Identifier: BSD-3-Clause
//
// Gates, messages and arrivals of segments; the ledger finds out what waits for what.
#include "plan/partitioned.hpp"

#include "plan/planner.hpp"

#include <algorithm>

namespace mpix::plan {
namespace {

// Bytes of a segment as one run: the user's, or scratch beside it.
class Run {
  public:
    Run(const Segment& segment, Builder& plan)
        : bytes_(segment.message_bytes < 0 ? segment.bytes() : segment.message_bytes) {
        if (segment.partitions.empty()) return;
        whole_ = segment.partitions.front();
        is_staged_ = segment.is_staged || is_blocks(whole_.room) || bytes_ > segment.bytes();
        if (is_staged_) whole_ = plan.scratch(bytes_);
    }
    Bytes bytes() const { return bytes_; }
    bool is_staged() const { return is_staged_; }
    Place part(Bytes begin, Bytes bytes) const { return whole_.part(begin, bytes); }
    // visit(place) for each message.
    template<class Visit>
    void each_message(const Segment& segment, Visit visit) const {
        for (std::size_t i = 0; i < segment.cuts.size(); ++i) {
            const Bytes begin = segment.cuts[i];
            const Bytes end = i + 1 < segment.cuts.size() ? segment.cuts[i + 1] : bytes_;
            visit(part(begin, end - begin));
        }
    }

  private:
    Place whole_;
    Bytes bytes_;
    bool is_staged_ = false;
};

// From where the whole segment stands to its partitions.
void unpack(const Segment& segment, const Run& run, Builder& plan) {
    if (!run.is_staged()) return;
    Bytes begin = 0;
    for (const Place& partition : segment.partitions) {
        if (begin + partition.bytes > run.bytes()) return; // the messages have less
        plan.copy(run.part(begin, partition.bytes), partition);
        begin += partition.bytes;
    }
}

class Movement {
  public:
    Movement(const Partitioned& problem, Builder& plan) : problem_(problem), plan_(plan) {}

    void build() {
        for (const Segment& segment : problem_.send) send(segment);
        receive();
    }

  private:
    // The gates stand right before what they let begin: segments that are only read may overlap.
    void send(const Segment& segment) {
        for (const Place& partition : segment.partitions) plan_.gate(partition);
        const Run run(segment, plan_);
        Bytes begin = 0;
        for (const Place& partition : segment.partitions) {
            if (run.is_staged()) plan_.copy(partition, run.part(begin, partition.bytes));
            begin += partition.bytes;
        }
        for (const int peer : segment.peers) {
            if (peer == problem_.whole.rank)
                own_.push_back(run);
            else
                run.each_message(segment, [&](const Place& part) { plan_.send(peer, part); });
        }
    }

    void receive() {
        std::vector<Run> runs;
        for (const Segment& segment : problem_.recv) runs.emplace_back(segment, plan_);
        const auto& order = problem_.recv_order;
        for (std::size_t i = 0; i < (order.empty() ? runs.size() : order.size()); ++i) {
            const std::size_t at = order.empty() ? i : order[i];
            receive(problem_.recv[at], runs[at]);
        }
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (!problem_.recv[i].peers.empty()) unpack(problem_.recv[i], runs[i], plan_);
            for (const Place& partition : problem_.recv[i].partitions) plan_.arrive(partition);
        }
    }

    void receive(const Segment& segment, const Run& run) {
        for (const int peer : segment.peers) {
            if (peer == problem_.whole.rank)
                copy_own(segment, run);
            else
                run.each_message(segment, [&](const Place& part) { plan_.recv(peer, part); });
        }
    }

    void copy_own(const Segment& segment, const Run& to) {
        const Run& from = own_[next_own_++];
        Bytes begin = 0;
        to.each_message(segment, [&](const Place& part) {
            plan_.copy(from.part(begin, part.bytes), part);
            begin += part.bytes;
        });
    }

    const Partitioned& problem_;
    Builder& plan_;
    std::vector<Run> own_; // segments to this rank itself, in their order
    std::size_t next_own_ = 0;
};

// A result that may not be written before all of the send buffer was read goes to scratch first.
class Pieces {
  public:
    Pieces(const Partitioned& problem, Builder& plan) : problem_(problem), plan_(plan) {}

    void build(const Model& model) {
        for (const Segment& segment : problem_.send)
            for (const Place& partition : segment.partitions) plan_.gate(partition);
        for (const Segment& segment : problem_.recv) result_.emplace_back(segment, plan_);
        for (const Problem& piece : problem_.pieces) {
            solver_ = choose(piece.shape, model, suits_pieces);
            cost_ += solver_->cost(piece.shape, model);
            solver_->build(staged(piece), plan_);
        }
        for (const Segment& segment : problem_.recv) {
            unpack(segment, result_[0], plan_);
            for (const Place& partition : segment.partitions) plan_.arrive(partition);
        }
    }
    std::string_view solver() const { return solver_->name; }
    double cost() const { return cost_; }

  private:
    Problem staged(Problem piece) const {
        if (!result_.empty() && result_[0].is_staged())
            for (Place& place : piece.recv) place = result_[0].part(place.offset, place.bytes);
        return piece;
    }

    const Partitioned& problem_;
    Builder& plan_;
    std::vector<Run> result_; // one or none
    const Solver* solver_ = nullptr;
    double cost_ = 0;
};

} // namespace

Bytes Segment::bytes() const {
    Bytes sum = 0;
    for (const Place& partition : partitions) sum += partition.bytes;
    return sum;
}

bool suits_pieces(const Solver& solver) {
    // In a chain the scan of a rank waits for lower ranks alone. A ring sends one message after the
    // other to one rank.
    constexpr std::string_view unsuited[] = {"scan_recursive_doubling", "exscan_recursive_doubling",
                                             "allreduce_ring"};
    return std::ranges::find(unsuited, solver.name) == std::end(unsuited);
}

std::vector<Bytes> cuts(const std::vector<Bytes>& bounds, Bytes least, std::int64_t most) {
    std::vector<Bytes> begins;
    if (bounds.empty()) return begins;
    const Bytes total = bounds.back();
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
    Builder plan(problem.whole.shape.grain, problem.lanes);
    if (problem.pieces.empty()) {
        Movement(problem, plan).build();
        return std::move(plan).finish("partitioned_linear", 0);
    }
    Pieces pieces(problem, plan);
    pieces.build(model);
    return std::move(plan).finish(pieces.solver(), pieces.cost());
}

} // namespace mpix::plan
