// SPDX-License-Identifier: BSD-3-Clause
//
// A block of lines for each kind of plan, a line for each quantity.
#include "progress/statistics_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace mpix::progress {
namespace {

using Text = std::string;

constexpr std::size_t number_width = 12;

Text left(Text text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text + "  ";
}

Text right(const Text& text) {
    return Text(number_width - std::min(number_width, text.size()), ' ') + text;
}

struct Unit {
    const char* name;
    double least; // the number from which on it is used
    int digits;
};

// The last unit that is not too large.
Text with_unit(double number, std::initializer_list<Unit> units) {
    const Unit* chosen = units.begin();
    for (const Unit& unit : units)
        if (number >= unit.least) chosen = &unit;
    const bool is_whole = chosen == units.begin() && number == std::floor(number);
    char text[48];
    std::snprintf(text, sizeof text, "%.*f%s", is_whole ? 0 : chosen->digits,
                  number / std::max(chosen->least, 1.0), chosen->name);
    return text;
}

Text count(double number) { return with_unit(number, {{"", 0, 1}}); }
Text bytes(double number) {
    return with_unit(number, {{" B", 0, 1},
                              {" KiB", 0x1p10, 1},
                              {" MiB", 0x1p20, 1},
                              {" GiB", 0x1p30, 1},
                              {" TiB", 0x1p40, 1}});
}
Text time(double nanoseconds) {
    return with_unit(nanoseconds,
                     {{" ns", 0, 0}, {" us", 1e3, 2}, {" ms", 1e6, 2}, {" s", 1e9, 2}});
}

Text to_text(Quantity::Unit unit, double value) {
    switch (unit) {
    case Quantity::Unit::bytes: return bytes(value);
    case Quantity::Unit::nanoseconds: return time(value);
    case Quantity::Unit::count: break;
    }
    return count(value);
}

constexpr std::size_t quantity_width = 12;

Text cells(const Quantity& quantity, const std::vector<Counters>& of_ranks) {
    const std::optional<Spread> found = spread(quantity, of_ranks);
    if (!found) return right("-") + right("-") + right("-");
    const auto cell = [&](double value) { return right(to_text(quantity.unit, value)); };
    return cell(found->least) + cell(found->mean) + cell(found->most);
}

} // namespace

Text statistics_table(const CountersByKind& all, int ranks) {
    if (all.empty()) return "mpix: no plans were made\n";
    const PlanKind titles = {"operation", "solver", "transport"};
    std::array<std::size_t, 3> widths{};
    for (std::size_t i = 0; i < widths.size(); ++i) {
        widths[i] = titles[i].size();
        for (const auto& entry : all) widths[i] = std::max(widths[i], entry.first[i].size());
    }
    const auto row = [&](const PlanKind& kind, const Text& of_ranks, const Text& quantity) {
        Text begun;
        for (std::size_t i = 0; i < kind.size(); ++i) begun += left(kind[i], widths[i]);
        return begun + left(of_ranks, 7) + left(quantity, quantity_width);
    };
    Text table = "mpix: plans by kind, on the ranks that have them\n" +
                 row(titles, "ranks", "on a rank") + right("least") + right("mean") +
                 right("most") + '\n';
    for (const auto& [kind, of_ranks] : all) {
        Text who = std::to_string(of_ranks.size()) + '/' + std::to_string(ranks);
        PlanKind named = kind;
        for (const Quantity& quantity : quantities) {
            table += row(named, who, quantity.name) + cells(quantity, of_ranks) + '\n';
            named = {};
            who.clear();
        }
    }
    return table;
}

} // namespace mpix::progress
