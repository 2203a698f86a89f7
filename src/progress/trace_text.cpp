// SPDX-License-Identifier: BSD-3-Clause
//
// Times are microseconds with the nanoseconds behind the point. An arrow goes from the begin of a
// send to the end of its receive: both ends make its number of what they have alike.
#include "progress/trace_text.hpp"

#include "base/hash.hpp"
#include "base/json.hpp"
#include "progress/counters.hpp"
#include "progress/trace_timeline.hpp"

#include <unistd.h>

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <set>
#include <span>

namespace mpix::progress {
namespace {

using plan::Action;
using Kind = TraceSpan::Kind;
using Text = std::string;

__attribute__((format(printf, 1, 2))) Text formatted(const char* format, ...) {
    char text[256];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return text;
}

class Writer {
  public:
    Writer(const std::vector<TracedPlan>& plans, int rank, const TraceClock& clock,
           const std::function<void(const Text&)>& take)
        : plans_(plans), rank_(rank), clock_(clock), take_(take) {}

    void name(std::uint64_t dropped) {
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        name_thing("process_name", 0,
                   "\"name\":" + base::json_text(formatted("rank %d on %s", rank_, host)));
        name_thing("process_sort_index", 0, formatted("\"sort_index\":%d", rank_));
        if (dropped > 0) name_thing("dropped", 0, formatted("\"events\":%" PRIu64, dropped));
    }
    void name_lane(std::int32_t lane) {
        const Text name = lane < first_plan_lane ? "waits" : "plans";
        name_thing("thread_name", lane, "\"name\":" + base::json_text(name));
        name_thing("thread_sort_index", lane, formatted("\"sort_index\":%d", lane));
    }
    void add(const TraceSpan& span) {
        switch (span.kind) {
        case Kind::wait: return add_wait(span);
        case Kind::round: return add_round(span);
        case Kind::mark:
            return add_instant(span, "ready",
                               formatted("\"partition\":%d,", span.number) + of_plan(span));
        case Kind::step: return add_step(span);
        }
    }
    void flush() {
        if (!text_.empty()) take_(text_);
        text_.clear();
    }

  private:
    void add_event(const Text& event) {
        if (text_.size() + event.size() + 2 > trace_piece) flush();
        if (!text_.empty()) text_ += ",\n";
        text_ += event;
    }
    void name_thing(const char* what, std::int32_t lane, const Text& arguments) {
        add_event(
            formatted(R"({"ph":"M","pid":%d,"tid":%d,"name":"%s","args":{)", rank_, lane, what) +
            arguments + "}}");
    }

    std::int64_t begin_of(const TraceSpan& span) const {
        return std::max<std::int64_t>(clock_.at(span.begin), 0);
    }
    // The last nanosecond of it.
    std::int64_t last_of(const TraceSpan& span) const {
        return std::max(clock_.at(span.end) - 1, begin_of(span));
    }
    // The beginning of an event.
    Text begun(const char* phase, std::int64_t at, const TraceSpan& span) const {
        return formatted(R"({"ph":"%s","pid":%d,"tid":%d,"ts":%)" PRId64 ".%03d", phase, rank_,
                         span.lane, at / 1000, static_cast<int>(at % 1000));
    }
    Text of_plan(const TraceSpan& span) const {
        if (span.plan < 0) return {};
        const TracedPlan& plan = plans_[static_cast<std::size_t>(span.plan)];
        return "\"operation\":" + base::json_text(name_of_calls(plan.operation)) +
               ",\"solver\":" + base::json_text(plan.solver) + formatted(",\"plan\":%d", span.plan);
    }
    void add_span(const TraceSpan& span, const char* category, const Text& name,
                  const Text& arguments) {
        const std::int64_t lasts = last_of(span) + 1 - begin_of(span);
        add_event(begun("X", begin_of(span), span) +
                  formatted(R"(,"dur":%)" PRId64 R"(.%03d,"cat":"%s","name":)", lasts / 1000,
                            static_cast<int>(lasts % 1000), category) +
                  base::json_text(name) + ",\"args\":{" + arguments + "}}");
    }
    void add_instant(const TraceSpan& span, const char* name, const Text& arguments) {
        add_event(begun("i", begin_of(span), span) +
                  formatted(R"(,"s":"t","cat":"partition","name":"%s","args":{)", name) +
                  arguments + "}}");
    }

    void add_wait(const TraceSpan& span) { add_span(span, "wait", "wait", of_plan(span)); }
    void add_round(const TraceSpan& span) {
        const TracedPlan& plan = plans_[static_cast<std::size_t>(span.plan)];
        if (plan.is_message) return add_message(span, plan);
        plan::Bytes bytes = 0;
        for (const TracedStep& step : std::span(plan.steps).first(plan.own_steps))
            if (step.action == Action::send) bytes += step.bytes;
        const Text arguments = formatted(",\"name\":\"%016" PRIx64 "\",\"round\":%d,\"bytes\":%lld",
                                         plan.name, span.number, static_cast<long long>(bytes));
        add_span(span, "plan", name_of_calls(plan.operation),
                 of_plan(span) + arguments + (span.is_open ? ",\"completed\":false" : ""));
    }
    void add_message(const TraceSpan& span, const TracedPlan& plan) {
        Text arguments = formatted("\"round\":%d", span.number);
        for (const TracedStep& message : plan.steps) {
            arguments += formatted(",\"bytes\":%lld", static_cast<long long>(message.bytes));
            if (message.peer >= 0) arguments += formatted(",\"peer\":%d", message.peer);
            if (message.match >= 0) arguments += formatted(",\"tag\":%d", message.match);
        }
        add_span(span, "persistent", name_of_calls(plan.operation),
                 arguments + (span.is_open ? ",\"completed\":false" : ""));
    }
    void add_step(const TraceSpan& span) {
        const TracedPlan& plan = plans_[static_cast<std::size_t>(span.plan)];
        const TracedStep& step = plan.steps[static_cast<std::size_t>(span.number)];
        if (step.action == Action::arrive)
            return add_instant(
                span, "arrived",
                formatted("\"partition\":%d,\"partitions\":%d,", step.match, step.arrivals) +
                    of_plan(span));
        const bool is_message = step.peer >= 0;
        Text arguments = of_plan(span) + formatted(",\"step\":%d,\"bytes\":%lld", span.number,
                                                   static_cast<long long>(step.bytes));
        if (is_message) arguments += formatted(",\"peer\":%d", step.peer);
        add_span(span, "step", Text(plan::name(step.action)), arguments);
        if (is_message) add_arrow(span, plan, step);
    }
    // Where it begins and where it ends it has to be within the span.
    void add_arrow(const TraceSpan& span, const TracedPlan& plan, const TracedStep& step) {
        const bool begins = step.action == Action::send;
        const int from = begins ? rank_ : step.peer, to = begins ? step.peer : rank_;
        // The two ends of a channel may have different slots, in which the same messages go.
        const std::uint64_t id =
            plan.messages > 0 ? base::hash_of(plan.name, from, to,
                                              std::int64_t{span.times} * plan.messages + step.match)
                              : base::hash_of(plan.name, from, to, step.match, span.times);
        add_event(begun(begins ? "s" : "f", begins ? begin_of(span) : last_of(span), span) +
                  formatted(R"(%s,"id":"%016)" PRIx64 R"(","cat":"message","name":"message"})",
                            begins ? "" : R"(,"bp":"e")", id));
    }

    const std::vector<TracedPlan>& plans_;
    const int rank_;
    const TraceClock& clock_;
    const std::function<void(const Text&)>& take_;
    Text text_;
};

} // namespace

void write_trace_text(const Trace& trace, int rank, const TraceClock& clock,
                      const std::function<void(const Text&)>& take) {
    const std::vector<TracedPlan> plans = trace.plans();
    const std::vector<TraceSpan> spans = timeline(trace, plans);
    Writer writer(plans, rank, clock, take);
    writer.name(trace.dropped());
    std::set<std::int32_t> lanes;
    for (const TraceSpan& span : spans)
        if (lanes.insert(span.lane).second) writer.name_lane(span.lane);
    for (const TraceSpan& span : spans) writer.add(span);
    writer.flush();
}

} // namespace mpix::progress
