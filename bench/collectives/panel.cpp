// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/panel.hpp"

#include "bench/common/text.hpp"

#include <optional>

namespace mpix::bench {

namespace {

chart::Look look_of(const ContenderKind& kind) {
    return {static_cast<int>(&kind - contender_kinds.data()), !kind.ours};
}

// What cannot be drawn.
std::vector<std::string> absences(const Panel& panel) {
    std::vector<std::string> remarks;
    for (std::size_t index = 0; index < panel.front().times.size(); ++index) {
        const char* what = nullptr;
        for (const Cell& cell : panel) {
            const Verdict verdict = cell.times[index].verdict;
            if (verdict == Verdict::wrong) what = ": wrong";
            if (verdict == Verdict::skipped) what = ": crashes";
        }
        if (what)
            remarks.push_back(std::string(panel.front().times[index].contender->title) + what);
    }
    return remarks;
}

// Of one contender, where value(cell, its times) is something, as say(it) says it. An operation
// without data has one value at every size.
template<class Value, class Say>
chart::Line line_of(const Panel& panel, std::size_t contender, const std::set<std::size_t>& sizes,
                    const Value& value, const Say& say) {
    const ContenderKind& kind = *panel.front().times[contender].contender;
    chart::Line line{look_of(kind), {}};
    for (const Cell& cell : panel) {
        const std::optional<double> y = value(cell, cell.times[contender]);
        if (!y) continue;
        for (const std::size_t size : cell.bytes > 0 ? std::set{cell.bytes} : sizes)
            line.points.push_back(
                {static_cast<double>(size), *y,
                 std::string(kind.title) + ", " + size_name(size) + ": " + say(*y)});
    }
    return line;
}

template<class Value, class Say>
void add_lines(chart::Chart& chart, const Panel& panel, const std::set<std::size_t>& sizes,
               const Value& value, const Say& say) {
    for (std::size_t index = 0; index < panel.front().times.size(); ++index)
        chart.lines.push_back(line_of(panel, index, sizes, value, say));
}

} // namespace

void Panels::add(const Cell& cell) {
    if (panels_.empty() || panels_.back().front().operation != cell.operation)
        panels_.emplace_back();
    panels_.back().push_back(cell);
    if (cell.bytes > 0) sizes_.insert(cell.bytes);
}

// The barrier alone has none.
std::set<std::size_t> Panels::sizes() const {
    return sizes_.empty() ? std::set<std::size_t>{1} : sizes_;
}

chart::Chart Panels::empty_chart(const Panel& panel) const {
    const Operation& operation = *panel.front().operation;
    chart::Chart chart;
    chart.title = std::string(operation.name) + (operation.has_data ? "" : ", no data");
    for (const std::size_t size : sizes())
        chart.sizes.emplace_back(static_cast<double>(size), size_name(size));
    return chart;
}

chart::Chart Panels::times(const Panel& panel) const {
    chart::Chart chart = empty_chart(panel);
    chart.unit = "us";
    chart.remarks = absences(panel);
    const auto time = [](const Cell&, const Times& times) {
        return times.verdict == Verdict::right ? std::optional(times.of_batches.median / 1000)
                                               : std::nullopt;
    };
    add_lines(chart, panel, sizes(), time,
              [](double us) { return microseconds(us * 1000) + " us"; });
    return chart;
}

chart::Chart Panels::ratios(const Panel& panel) const {
    chart::Chart chart = empty_chart(panel);
    chart.title += ": times as fast";
    chart.unit = "host / mpix";
    chart.level = 1;
    const auto ratio_of = [](const Cell& cell, const Times& times) {
        return times.contender->has_ratio() ? ratio(cell, times, &Spread::median) : std::nullopt;
    };
    add_lines(chart, panel, sizes(), ratio_of,
              [](double ratio) { return plain(ratio) + " times as fast"; });
    return chart;
}

markup::Element legend(const Kinds& kinds, int columns) {
    markup::Element group("g");
    for (int index = 0; index < static_cast<int>(kinds.size()); ++index) {
        const ContenderKind& kind = *kinds[static_cast<std::size_t>(index)];
        group.add(chart::draw(look_of(kind), std::string(kind.title), index % columns * 230,
                              index / columns * 20));
    }
    return group;
}

} // namespace mpix::bench
