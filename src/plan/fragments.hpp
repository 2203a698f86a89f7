// SPDX-License-Identifier: BSD-3-Clause
//
// One round of a plan whose steps are executed in fragments: what part of a step may begin, by what
// parts of the steps and gates before it are done. A plan waits with a whole message for all of its
// partitions, which is quicker; once some of them are marked and have to go ahead, this tells what
// else can. It knows nothing of how a step is executed.
#pragma once

#include "plan/accesses.hpp"
#include "plan/insistent_allocator.hpp"

#include <boost/icl/interval_map.hpp>
#include <boost/icl/interval_set.hpp>

#include <functional>
#include <vector>

namespace mpix::plan {

class Fragments {
  public:
    // Bytes of a step, from its first. A step without bytes has one, which stands for it.
    using Interval = boost::icl::right_open_interval<Bytes>;
    using Set = boost::icl::interval_set<Bytes, std::less, Interval, InsistentAllocator>;

    // Throws bad_alloc; what follows does where memory is missing for long.
    explicit Fragments(const Plan& plan);

    void open(std::size_t gate);
    void finish(StepId id, const Interval& part);
    void finish(StepId id) { finish(id, {0, size(id)}); }

    // The next step of which more may begin than was taken, or -1.
    StepId next() const { return fresh_.empty() ? -1 : fresh_.back(); }
    // What that is. A step whose messages or buffers cannot be divided begins as a whole.
    Set take(StepId id);

    Bytes size(StepId id) const { return at(id).size; }
    bool is_finished(StepId id) const { return at(id).unfinished == 0; }

  private:
    struct Step {
        Bytes size = 1;
        Bytes unfinished = 1;
        bool is_divisible = false;
        bool is_fresh = false;
        boost::icl::interval_map<Bytes, int, boost::icl::partial_absorber, std::less,
                                 boost::icl::inplace_plus, boost::icl::inter_section, Interval,
                                 InsistentAllocator>
            blocked; // how many block each byte
        Set fresh;
    };
    // What `to` may not begin before something else is done: bytes of it, each of which is blocked
    // by the one that is `shift` before it there; or all, until all of that is done.
    struct Edge {
        StepId to;
        bool is_whole;
        Interval blocked;
        Bytes shift;
    };
    struct Source {
        std::vector<Edge> edges;
        bool is_open = false; // of a gate
    };

    Step& at(StepId id) { return steps_[static_cast<std::size_t>(id)]; }
    const Step& at(StepId id) const { return steps_[static_cast<std::size_t>(id)]; }
    static bool is_divisible(const plan::Step& step);
    void connect(Source& source, const Accesses& before, StepId to, const plan::Step& step,
                 bool is_whole = false);
    void block(const Edge& edge);
    void unblock(const Edge& edge, const Interval& part);
    void release(StepId id, const Interval& part);
    void add_fresh(StepId id, const Interval& part);

    std::vector<Step> steps_;
    std::vector<Source> gates_, after_; // of each gate; of each step
    std::vector<StepId> fresh_;         // steps with something that is
};

} // namespace mpix::plan
