// SPDX-License-Identifier: BSD-3-Clause
#include "drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace mpix::simulate {
namespace {

using markup::Element;
using markup::label;
using markup::line;
using markup::number;
using plan::Action;
using plan::MessageTimes;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr double left = 110, right = 24, top = 66, bottom = 44, width = 1100;
constexpr double plot_width = width - left - right;
constexpr double thinnest = 2; // of a box: some steps take no time
constexpr std::array drawn{Action::send, Action::recv, Action::combine, Action::reduce,
                           Action::copy};

// Colours of Okabe and Ito, which differ in lightness too.
constexpr const char* style = R"(
.send { fill: #0072b2; }
.recv { fill: #56b4e9; }
.combine { fill: #f0e442; }
.reduce { fill: #d55e00; }
.copy { fill: #999999; }
.steps rect { stroke: #222222; stroke-width: 0.4; }
.message { stroke: #808080; stroke-width: 1; marker-end: url(#tip); }
.between { stroke: #cc79a7; stroke-width: 1.4; marker-end: url(#tip-between); }
.tip { fill: #808080; }
.tip-between { fill: #cc79a7; }
.band { fill: #808080; fill-opacity: 0.13; }
)";

std::string time_text(double us) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", us);
    return text;
}

// Of 1, 2, 5, 10 ... the least of which a dozen are enough.
double tick_of(double span) {
    const double decade = std::pow(10, std::floor(std::log10(span / 12)));
    for (const double tick : {decade, 2 * decade, 5 * decade})
        if (tick * 12 >= span) return tick;
    return 10 * decade;
}

Element tip(const char* id) {
    Element marker("marker");
    marker.set("id", id).set("viewBox", "0 0 8 8").set("refX", 7).set("refY", 4);
    marker.set("markerUnits", "userSpaceOnUse").set("markerWidth", 8).set("markerHeight", 8);
    return marker.set("orient", "auto")
        .add(Element("path").set("class", id).set("d", "M0 0L8 4L0 8Z"));
}

class Drawing {
  public:
    explicit Drawing(const Shown& shown);
    Element whole() const;

  private:
    double x(double us) const { return left + us * (shown_.us > 0 ? plot_width / shown_.us : 0); }
    double y(int rank) const { return top + (row_[at(rank)] + 0.5) * lane_; }
    double low() const { return top + ranks() * lane_; }
    int ranks() const { return static_cast<int>(shown_.plans.size()); }
    double half() const { return 0.3 * lane_; } // of a box
    bool crosses(const MessageTimes& message) const {
        return shown_.nodes.of(message.from) != shown_.nodes.of(message.to);
    }

    Element legend() const;
    Element bands() const;
    Element axis() const;
    Element lanes() const;
    Element steps() const;
    Element box(int rank, std::size_t step) const;
    Element messages() const;
    Element arrow(const MessageTimes& message) const;

    const Shown& shown_;
    double lane_;          // its height
    std::vector<int> row_; // of each rank: those of a node stand together
};

Drawing::Drawing(const Shown& shown)
    : shown_(shown), lane_(std::clamp(720.0 / ranks(), 18.0, 44.0)), row_(shown.plans.size()) {
    int row = 0;
    for (int node = 0; node < shown.nodes.count(); ++node)
        for (int place = 0; place < shown.nodes.size(node); ++place)
            row_[at(shown.nodes.rank(node, place))] = row++;
}

Element Drawing::whole() const {
    Element root = markup::picture(width, low() + bottom, shown_.title);
    root.add(Element("style").say(markup::style).say(style));
    root.add(Element("defs").add(tip("tip")).add(tip("tip-between")));
    root.add(label(left, 24, shown_.title).set("style", "font-size: 16px"));
    return root.add(bands()).add(axis()).add(lanes()).add(steps()).add(messages()).add(legend());
}

// Of what there is.
Element Drawing::legend() const {
    Element group("g");
    double from = left;
    const auto add = [&](const Element& sign, std::string_view text) {
        group.add(sign).add(label(from + 26, 49, text));
        from += 50 + 7.0 * static_cast<double>(text.size());
    };
    for (const Action action : drawn)
        if (std::ranges::any_of(shown_.plans, [&](const plan::Plan& plan) {
                return std::ranges::count(plan.steps, action, &plan::Step::action) > 0;
            }))
            add(Element("path")
                    .set("class", name(action))
                    .set("d", "M" + number(from) + " 38h20v13h-20z"),
                name(action));
    const auto& messages = shown_.timeline.messages;
    const auto crossing = std::ranges::count_if(messages, [&](auto& one) { return crosses(one); });
    if (crossing < std::ssize(messages))
        add(line(from, 45, from + 20, 45, "message"), "message within a node");
    if (crossing > 0) add(line(from, 45, from + 20, 45, "between"), "message between nodes");
    return group;
}

// Every other node is shaded.
Element Drawing::bands() const {
    Element group("g");
    double from = top;
    for (int node = 0; node < shown_.nodes.count(); ++node) {
        const double height = shown_.nodes.size(node) * lane_;
        if (node % 2 == 0) group.add(markup::rectangle(8, from, width - 16, height, "band"));
        group.add(label(14, from + 0.5 * lane_ + 4, "node " + std::to_string(node)));
        from += height;
    }
    return group;
}

Element Drawing::axis() const {
    Element group("g");
    group.add(line(left, low(), left + plot_width, low(), "axis"));
    if (shown_.us <= 0) return group;
    const double tick = tick_of(shown_.us);
    for (double us = 0; us <= shown_.us * 1.0001; us += tick) {
        group.add(line(x(us), top, x(us), low(), "grid"));
        group.add(label(x(us), low() + 16, number(us), "middle"));
    }
    return group.add(label(left + plot_width / 2, low() + 34, "microseconds", "middle"));
}

Element Drawing::lanes() const {
    Element group("g");
    for (int rank = 0; rank < ranks(); ++rank) {
        group.add(line(left, y(rank), left + plot_width, y(rank), "axis"));
        group.add(label(left - 8, y(rank) + 4, "rank " + std::to_string(rank), "end"));
    }
    return group;
}

Element Drawing::steps() const {
    Element group("g");
    group.set("class", "steps");
    for (int rank = 0; rank < ranks(); ++rank)
        for (std::size_t step = 0; step < shown_.plans[at(rank)].steps.size(); ++step)
            group.add(box(rank, step));
    return group;
}

Element Drawing::box(int rank, std::size_t step) const {
    const plan::StepTimes& times = shown_.timeline.steps[at(rank)][step];
    const std::string text = "rank " + std::to_string(rank) + ": " + shown_.texts[at(rank)][step] +
                             "\nready at " + time_text(times.ready) + ", from " +
                             time_text(times.begin) + " to " + time_text(times.end) + " us";
    return markup::rectangle(x(times.begin), y(rank) - half(),
                             std::max(thinnest, x(times.end) - x(times.begin)), 2 * half(),
                             name(shown_.plans[at(rank)].steps[step].action))
        .add(Element("title").say(text));
}

Element Drawing::messages() const {
    Element group("g");
    group.set("class", "messages");
    for (const MessageTimes& message : shown_.timeline.messages) group.add(arrow(message));
    return group;
}

// From the edge of the sender's box to that of the receiver's.
Element Drawing::arrow(const MessageTimes& message) const {
    const double from = y(message.from), to = y(message.to);
    const double edge = from < to ? half() : -half();
    const plan::Step& step = shown_.plans[at(message.from)].steps[at(message.send)];
    const std::string text =
        "rank " + std::to_string(message.from) + " step " + std::to_string(message.send) +
        " to rank " + std::to_string(message.to) + " step " + std::to_string(message.receive) +
        ", " + std::to_string(step.bytes) + " B\nfrom " + time_text(message.left) + " to " +
        time_text(message.there) + " us";
    return line(x(message.left), from + edge, x(message.there), to - edge,
                crosses(message) ? "between" : "message")
        .add(Element("title").say(text));
}

} // namespace

Element draw(const Shown& shown) { return Drawing(shown).whole(); }

} // namespace mpix::simulate
