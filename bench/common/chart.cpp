// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace mpix::chart {

using markup::Element;
using markup::label;
using markup::number;

namespace {

constexpr double left = 58, right = 12, top = 34, bottom = 32;
constexpr double low = height - bottom, far = width - right;

constexpr std::array shapes{
    "M-3-3h6v6h-6z",
    "M0-4L4 3h-8z",
    "M0-4L4 0L0 4L-4 0z",
    "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
    "M0 4L4-3h-8z",
    "M-1-4h2v3h3v2h-3v3h-2v-3h-3v-2h3z",
    "M-4 0L-2-3.5h4L4 0L2 3.5h-4z",
    "M-4-1.5h8v3h-8z",
    "M-4-2.6L-2.6-4L0-1.4L2.6-4L4-2.6L1.4 0L4 2.6L2.6 4L0 1.4L-2.6 4L-4 2.6L-1.4 0z"};

std::string class_of(const Look& look, const char* what) {
    return std::string(what) + " look" + std::to_string(look.number) +
           (look.is_dashed ? " dashed" : "");
}

Element polyline(const Look& look, const std::string& points) {
    return Element("polyline").set("class", class_of(look, "line")).set("points", points);
}

Element shape(const Look& look, double x, double y) {
    Element path("path");
    path.set("class", class_of(look, "point"))
        .set("d", shapes.at(static_cast<std::size_t>(look.number)));
    return path.set("transform", "translate(" + number(x) + " " + number(y) + ")");
}

class Drawing {
  public:
    explicit Drawing(const Chart& chart) : chart_(chart) { find_range(); }
    Element whole() const;

  private:
    void find_range();
    double x(double size) const;
    double y(double value) const {
        return low - (low - top) * std::log(value / least_) / std::log(most_ / least_);
    }
    void add_sizes(Element& group) const;
    void add_values(Element& group) const;
    void add(Element& group, const Line& line) const;

    const Chart& chart_;
    double least_ = 0.1, most_ = 10; // values
};

// At least a decade, so that lines which lie together are seen to.
void Drawing::find_range() {
    double least = HUGE_VAL, most = 0;
    const auto cover = [&](double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    };
    for (const Line& line : chart_.lines)
        for (const Point& point : line.points) cover(point.y);
    if (chart_.level > 0) cover(chart_.level);
    if (most == 0) return;
    const double margin = std::max(1.4, std::sqrt(10 * least / most));
    least_ = least / margin;
    most_ = most * margin;
}

// A size alone stands in the middle.
double Drawing::x(double size) const {
    const double first = chart_.sizes.front().first / 1.6, last = chart_.sizes.back().first * 1.6;
    return left + (far - left) * std::log(size / first) / std::log(last / first);
}

void Drawing::add_sizes(Element& group) const {
    double labelled = 0; // so far
    for (const auto& [size, name] : chart_.sizes) {
        group.add(markup::line(x(size), top, x(size), low, "grid"));
        if (x(size) < labelled) continue;
        group.add(label(x(size), low + 15, name, "middle"));
        labelled = x(size) + 30;
    }
    group.add(label(far, low + 29, "bytes", "end"));
}

// Decades, and twos and fives between them where there are few.
void Drawing::add_values(Element& group) const {
    for (int decade = -4; decade < 9; ++decade)
        for (const int digit : {1, 2, 5}) {
            const double value = digit * std::pow(10, decade);
            if (value < least_ || value > most_ || (digit > 1 && most_ >= 80 * least_)) continue;
            char text[32];
            std::snprintf(text, sizeof text, "%g", value);
            group.add(markup::line(left, y(value), far, y(value), "grid"));
            group.add(label(left - 5, y(value) + 4, text, "end"));
        }
}

void Drawing::add(Element& group, const Line& line) const {
    std::string points;
    for (const Point& point : line.points)
        points += number(x(point.x)) + "," + number(y(point.y)) + " ";
    if (line.points.size() > 1) group.add(polyline(line.look, points));
    for (const Point& point : line.points)
        group.add(shape(line.look, x(point.x), y(point.y)).add(Element("title").say(point.text)));
}

Element Drawing::whole() const {
    Element group("g");
    group.set("class", "chart");
    group.add(label((left + far) / 2, 17, chart_.title, "middle").set("class", "title"));
    group.add(label(4, top - 8, chart_.unit));
    add_sizes(group);
    add_values(group);
    group.add(markup::line(left, low, far, low, "axis"))
        .add(markup::line(left, top, left, low, "axis"));
    if (chart_.level > 0)
        group.add(markup::line(left, y(chart_.level), far, y(chart_.level), "axis"));
    for (const Line& line : chart_.lines) add(group, line);
    double down = top + 14;
    for (const std::string& remark : chart_.remarks) {
        group.add(label(left + 8, down, remark).set("class", "remark"));
        down += 14;
    }
    return group;
}

} // namespace

// Colours of Okabe and Ito.
const char* const style = R"(
.line { fill: none; stroke: currentColor; stroke-width: 1.8; }
.dashed { stroke-dasharray: 5 4; }
.point { fill: currentColor; stroke: none; }
.title { font-size: 14px; font-weight: bold; }
.remark { font-size: 11px; font-style: italic; }
.look0 { color: #0072b2; }
.look1 { color: #56b4e9; }
.look2 { color: #009e73; }
.look3 { color: #e69f00; }
.look4 { color: #d55e00; }
.look5 { color: #cc79a7; }
.look6 { color: #000000; }
.look7 { color: #888888; }
.look8 { color: #a6761d; }
@media (prefers-color-scheme: dark) {
.look6 { color: #ffffff; }
}
)";

Element draw(const Chart& chart) { return Drawing(chart).whole(); }

Element draw(const Look& look, const std::string& name, double x, double y) {
    const std::string ends = number(x) + "," + number(y) + " " + number(x + 34) + "," + number(y);
    Element group("g");
    group.add(polyline(look, ends)).add(shape(look, x + 17, y));
    return group.add(label(x + 42, y + 4, name));
}

Element moved(const Element& element, double x, double y) {
    Element group("g");
    return group.set("transform", "translate(" + number(x) + " " + number(y) + ")").add(element);
}

} // namespace mpix::chart
