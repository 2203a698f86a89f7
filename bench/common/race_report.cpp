// SPDX-License-Identifier: BSD-3-Clause
//
// JSON: what every run begins with, "thread_level", and
//  "rows": [{"part", the row's keys, "of" if it is about one, "figures": [{"of", "what", "unit",
//  "verdict", "minimum",
//            "median"}]}], "seconds"
// Times are nanoseconds there. A figure that is not right has no values.
#include "bench/common/race_report.hpp"

#include "bench/collectives/table_parts.hpp"
#include "bench/common/json.hpp"
#include "bench/common/text.hpp"

#include <algorithm>
#include <cstdio>

namespace mpix::bench {

namespace {

const char* name_of(Unit unit) {
    switch (unit) {
    case Unit::microseconds:
    case Unit::nanoseconds: return "ns";
    case Unit::ratio: return "ratio";
    case Unit::percent: return "percent";
    case Unit::gigabytes: break;
    }
    return "GB/s";
}

const char* heading_of(Unit unit) { return unit == Unit::microseconds ? "us" : name_of(unit); }

class PartTable final : public PartReport {
  public:
    PartTable(const Suite& suite, bool medians)
        : suite_(suite), statistic_(medians ? &Spread::median : &Spread::minimum) {}

    void begin(const Setting& setting, const Floors& floors, const char* thread_level) override {
        table::print_setting(setting);
        std::printf("level  %s\n", thread_level);
        table::print_floors(floors);
        std::printf(
            "\nFigures are of the %s of the batches. \"-\": the host has no such operation; "
            "\"wrong\": wrong answers.\n",
            statistic_ == &Spread::median ? "medians" : "minima");
    }
    void add(const Row& row) override;
    void end(double seconds) override { std::printf("\n%.0f seconds in all\n", seconds); }

  private:
    static int width(const Figure& figure);
    void head(const Row& row) const;
    std::string text(const Figure& figure) const;

    const Suite& suite_;
    double Spread::*statistic_;
    std::string_view part_;
};

// A racer's name stands in two lines: who, and how.
std::pair<std::string, std::string> halves(const std::string& name) {
    const auto space = name.find(' ');
    return space == name.npos ? std::pair(std::string(), name)
                              : std::pair(name.substr(0, space), name.substr(space + 1));
}

int PartTable::width(const Figure& figure) {
    const auto [who, how] = halves(figure.of);
    return static_cast<int>(std::max({who.size(), how.size(), figure.what.size(), std::size_t{6}}));
}

void PartTable::head(const Row& row) const {
    const auto part = std::ranges::find(suite_.parts, row.part, &Part::name);
    std::printf("\n%s: %s\n", std::string(row.part).c_str(), part->text);
    for (int line = 0; line < 4; ++line) {
        for (const auto& [name, value] : row.keys)
            std::printf("%11s", line == 3 ? name.c_str() : "");
        if (!row.of.empty()) std::printf("%13s", "");
        for (const Figure& figure : row.figures) {
            const auto [who, how] = halves(figure.of);
            const std::string lines[] = {who, how, figure.what, heading_of(figure.unit)};
            std::printf("  %*s", width(figure), lines[line].c_str());
        }
        std::printf("\n");
    }
}

std::string PartTable::text(const Figure& figure) const {
    if (figure.verdict == Verdict::wrong) return "wrong";
    if (figure.verdict != Verdict::right) return "-";
    const double value = figure.value.*statistic_;
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.1f", value);
    if (figure.unit == Unit::microseconds) return microseconds(value);
    return figure.unit == Unit::ratio ? plain(value) : digits;
}

void PartTable::add(const Row& row) {
    if (row.part != part_) head(row);
    part_ = row.part;
    for (const auto& [name, value] : row.keys)
        std::printf("%11s", name == "bytes" ? size_name(static_cast<std::size_t>(value)).c_str()
                                            : std::to_string(value).c_str());
    if (!row.of.empty()) std::printf("%13s", row.of.c_str());
    for (const Figure& figure : row.figures)
        std::printf("  %*s", width(figure), text(figure).c_str());
    std::printf("\n");
    std::fflush(stdout);
}

class PartJson final : public PartReport {
  public:
    void begin(const Setting& setting, const Floors& floors, const char* thread_level) override {
        document_ = json::document(setting, floors).add("thread_level", thread_level);
    }
    void add(const Row& row) override;
    void end(double seconds) override {
        document_.raw("rows", rows_.text()).add("seconds", std::optional(seconds));
        std::printf("%s\n", document_.text().c_str());
    }

  private:
    json::Object document_;
    json::List rows_;
};

void PartJson::add(const Row& row) {
    json::List figures;
    for (const Figure& figure : row.figures) {
        json::Object object;
        object.add("of", figure.of).add("what", figure.what).add("unit", name_of(figure.unit));
        object.add("verdict", json::name_of(figure.verdict));
        if (figure.verdict == Verdict::right)
            object.add("minimum", std::optional(figure.value.minimum))
                .add("median", std::optional(figure.value.median));
        figures.add(object);
    }
    json::Object object;
    object.add("part", row.part);
    for (const auto& [name, value] : row.keys)
        object.add(name.c_str(), static_cast<std::size_t>(value));
    if (!row.of.empty()) object.add("of", row.of);
    rows_.add(object.raw("figures", figures.text()));
}

} // namespace

std::unique_ptr<PartReport> make_part_table(const Suite& suite, bool medians) {
    return std::make_unique<PartTable>(suite, medians);
}

std::unique_ptr<PartReport> make_part_json() { return std::make_unique<PartJson>(); }

} // namespace mpix::bench
