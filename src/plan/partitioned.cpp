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
    Run(const Segment& segment, Builder& plan) : bytes_(segment.bytes()) {
        if (segment.partitions.empty()) return;
        whole_ = segment.partitions.front();
        is_staged_ = segment.is_staged || is_blocks(whole_.room);
        if (is_staged_) whole_ = plan.scratch(bytes_);
    }
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

class Movement {
  public:
    Movement(const Partitioned& problem, Builder& plan) : problem_(problem), plan_(plan) {}

    void build() {
        for (const Segment& segment : problem_.send) send(segment);
        for (const Segment& segment : problem_.recv) receive(segment);
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

    void receive(const Segment& segment) {
        const Run run(segment, plan_);
        for (const int peer : segment.peers) {
            if (peer == problem_.whole.rank)
                copy_own(segment, run);
            else
                run.each_message(segment, [&](const Place& part) { plan_.recv(peer, part); });
        }
        Bytes begin = 0;
        for (const Place& partition : segment.partitions) {
            if (run.is_staged() && !segment.peers.empty())
                plan_.copy(run.part(begin, partition.bytes), partition);
            begin += partition.bytes;
        }
        for (const Place& partition : segment.partitions) plan_.arrive(partition);
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

double build_pieces(const Partitioned& problem, const Model& model, Builder& plan,
                    std::string_view& name) {
    double cost = 0;
    const Solver* solver = nullptr;
    for (const Segment& segment : problem.send)
        for (const Place& partition : segment.partitions) plan.gate(partition);
    for (const Problem& piece : problem.pieces) {
        solver = choose(piece.shape, model, suits_pieces);
        cost += solver->cost(piece.shape, model);
        solver->build(piece, plan);
    }
    if (solver) name = solver->name;
    for (const Segment& segment : problem.recv)
        for (const Place& partition : segment.partitions) plan.arrive(partition);
    return cost;
}

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
                                             "allreduce_ring", "bcast_chain"};
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
    std::string_view name = "partitioned_linear";
    double cost = 0;
    if (problem.pieces.empty())
        Movement(problem, plan).build();
    else
        cost = build_pieces(problem, model, plan, name);
    return std::move(plan).finish(name, cost);
}

} // namespace mpix::plan
