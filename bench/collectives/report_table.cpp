// SPDX-License-Identifier: BSD-3-Clause
//
// The table. Its widest line, with all six contenders, has less than 160 columns.
#include "bench/collectives/report.hpp"
#include "bench/collectives/summary.hpp"
#include "bench/collectives/table_parts.hpp"
#include "bench/common/text.hpp"

#include <cstdio>
#include <utility>

namespace mpix::bench {

namespace {

enum class Part { none, races, inits, foreign };

class Table final : public Report {
  public:
    explicit Table(bool medians) : medians_(medians) {}
    void begin(const Setting& setting, const Floors& floors) override {
        contenders_ = setting.contenders;
        table::print_setting(setting);
        table::print_floors(floors);
    }
    void add(const Cell& cell) override;
    void add(const InitCost& cost) override {
        if (enters(Part::inits)) table::head_inits();
        table::print(cost);
    }
    void add(const Foreign& foreign) override {
        if (enters(Part::foreign)) table::head_foreign();
        table::print(foreign);
    }
    bool end(double seconds) override;

  private:
    bool enters(Part part) {
        if (part_ == Part::races && part != part_) summarize();
        return std::exchange(part_, part) != part;
    }
    void head_races() const;
    static void print_ratios(const Cell& cell);
    void summarize() const;

    bool medians_;
    Kinds contenders_;
    Part part_ = Part::none;
    Summary summary_;
};

void Table::head_races() const {
    std::printf("\ntimes  %s of the batches, microseconds an operation, maximum over ranks\n"
                "ratio  the best host contender with right answers over mpix, of minima and of "
                "medians: above 1, mpix is faster\n\n%-20s %8s",
                medians_ ? "median" : "minimum", "", "");
    for (const ContenderKind* kind : contenders_)
        std::printf(" %13s", kind->ours ? "mpix" : "host");
    for (const ContenderKind* kind : contenders_)
        if (kind->has_ratio()) std::printf("  %13s", "ratio of");
    std::printf("\n%-20s %8s", "operation", "bytes");
    for (const ContenderKind* kind : contenders_)
        std::printf(" %13s", std::string(kind->name).c_str());
    for (const ContenderKind* kind : contenders_)
        if (kind->has_ratio()) std::printf("  %13s", std::string(kind->name).c_str());
    std::printf("\n");
}

void Table::add(const Cell& cell) {
    if (enters(Part::races)) head_races();
    std::printf("%-20s %8zu", std::string(cell.operation->name).c_str(), cell.bytes);
    for (const Times& times : cell.times)
        std::printf(" %13s",
                    table::time_text(times, medians_ ? &Spread::median : &Spread::minimum).c_str());
    print_ratios(cell);
    summary_.add(cell);
    std::printf("\n");
    std::fflush(stdout);
}

void Table::print_ratios(const Cell& cell) {
    for (const Times& times : cell.times) {
        if (!times.contender->has_ratio()) continue;
        std::printf("  %6s %6s", plain(ratio(cell, times, &Spread::minimum)).c_str(),
                    plain(ratio(cell, times, &Spread::median)).c_str());
    }
}

void Table::summarize() const {
    std::printf("\n");
    for (const Summary::Line& line : summary_.lines(contenders_))
        std::printf("%-24s %s\n", std::string(line.contender->title).c_str(), line.text.c_str());
}

bool Table::end(double seconds) {
    enters(Part::none);
    std::printf("\n%.0f seconds in all\n", seconds);
    return true;
}

} // namespace

std::unique_ptr<Report> make_table(bool medians) { return std::make_unique<Table>(medians); }

} // namespace mpix::bench
