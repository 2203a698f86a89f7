// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/panel.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace mpix::bench {

namespace {

// Colours that colour-blind people tell apart; the host's lines are dashed.
constexpr std::array<const char*, contender_kinds.size()> styles{
    "lc rgb '#0072b2' dt 2 pt 4", "lc rgb '#56b4e9' dt 2 pt 8", "lc rgb '#009e73' dt 2 pt 12",
    "lc rgb '#e69f00' dt 1 pt 7", "lc rgb '#d55e00' dt 1 pt 5", "lc rgb '#882255' dt 1 pt 13",
    "lc rgb '#000000' dt 1 pt 9"};

double microseconds_of(const Times& times) { return times.of_batches.median / 1000; }

// What cannot be drawn is said in a corner.
void draw_absences(std::ostream& out, const Panel& panel) {
    out << "set label 3 \"";
    for (std::size_t index = 0; index < panel.front().times.size(); ++index) {
        const char* what = nullptr;
        for (const Cell& cell : panel) {
            const Verdict verdict = cell.times[index].verdict;
            if (verdict == Verdict::wrong) what = "wrong";
            if (verdict == Verdict::skipped) what = "crashes";
        }
        if (what) out << panel.front().times[index].contender->title << ": " << what << "\\n";
    }
    out << "\" at graph 0.03,0.95 font ',11' tc rgb '#a00000'\n";
}

// At least a decade, so that lines which lie together are seen to.
std::pair<double, double> range_of(const Panel& panel) {
    double least = HUGE_VAL, most = 0;
    for (const Cell& cell : panel)
        for (const Times& times : cell.times) {
            if (times.verdict != Verdict::right) continue;
            least = std::min(least, microseconds_of(times));
            most = std::max(most, microseconds_of(times));
        }
    if (most == 0) return {0.1, 10};
    const double margin = std::max(1.4, std::sqrt(10 * least / most));
    return {least / margin, most * margin};
}

// Labels at decades, and at twos and fives between them where there are few.
void draw_scale(std::ostream& out, const Panel& panel) {
    const auto [least, most] = range_of(panel);
    out << "set yrange [" << least << ":" << most << "]\nset ytics nomirror scale 0.5 (";
    const char* separator = "";
    for (int decade = -4; decade < 9; ++decade)
        for (const int digit : {1, 2, 5})
            if (digit == 1 || most < 80 * least)
                out << std::exchange(separator, ", ") << digit << "e" << decade;
    out << ")\n";
}

// An operation without data has one time at every size.
std::string points_of(const Panel& panel, std::size_t contender,
                      const std::set<std::size_t>& sizes) {
    std::ostringstream points;
    for (const Cell& cell : panel) {
        const Times& times = cell.times[contender];
        if (times.verdict != Verdict::right) continue;
        const auto at = cell.bytes > 0 ? std::set{cell.bytes} : sizes;
        for (const std::size_t size : at) points << size << " " << microseconds_of(times) << "\n";
    }
    return points.str();
}

} // namespace

const char* style_of(const ContenderKind& kind) {
    return styles[static_cast<std::size_t>(&kind - contender_kinds.data())];
}

std::string quoted_for_plot(std::string_view text) {
    std::string result = "'";
    for (const char character : text) result.append(character == '\'' ? 2 : 1, character);
    return result + "'";
}

void draw_contents(std::ostream& out, const Panel& panel, const std::set<std::size_t>& sizes) {
    draw_absences(out, panel);
    draw_scale(out, panel);
    std::ostringstream lines;
    const auto& times = panel.front().times;
    for (std::size_t index = 0; index < times.size(); ++index) {
        const std::string points = points_of(panel, index, sizes);
        if (points.empty()) continue;
        out << "$line" << index << " << END\n" << points << "END\n";
        lines << ", $line" << index << " with linespoints lw 2 ps 0.6 "
              << style_of(*times[index].contender);
    }
    out << "plot NaN" << lines.str() << "\n";
}

} // namespace mpix::bench
