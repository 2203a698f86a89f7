// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace mpix::bench {

namespace {

std::string microseconds(double nanoseconds) {
    const double value = nanoseconds / 1000;
    const int decimals = value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0;
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string describe(const Times& times) {
    switch (times.verdict) {
    case Verdict::wrong: return "wrong";
    case Verdict::missing: return "-";
    case Verdict::skipped: return "crashes";
    case Verdict::right: break;
    }
    return microseconds(times.minimum) + " " + microseconds(times.median);
}

std::string describe(std::optional<double> ratio) {
    if (!ratio) return "-";
    char text[32];
    std::snprintf(text, sizeof text, *ratio < 100 ? "%.2f" : "%.0f", *ratio);
    return text;
}

class Table final : public Report {
  public:
    void begin(const Setting& setting) override;
    void add(const Cell& cell) override;
    void end() override;

  private:
    double sum_of_logarithms_ = 0;
    double least_ = HUGE_VAL;
    int cells_ = 0;
};

void Table::begin(const Setting& setting) {
    std::printf("host   %s (%s)\n", setting.host.c_str(), setting.library.c_str());
    std::printf("ranks  %d on %d cores, %s\n", setting.ranks, setting.placement.cores,
                setting.placement.core_each ? "a core each"
                                            : "sharing them as the scheduler likes");
    if (const char* plan = std::getenv("MPIX_PLAN")) std::printf("mpix   MPIX_PLAN=%s\n", plan);
    std::printf("times  minimum and median of the batches, microseconds an operation, maximum over "
                "ranks\nratio  the best host contender with right answers over mpix: above 1, mpix "
                "is faster\n\n");
    std::printf("%-20s %8s %16s %16s %16s %16s %13s\n", "operation", "bytes", "host blocking",
                "host nonblocking", "host persistent", "mpix", "ratio min med");
}

void Table::add(const Cell& cell) {
    const auto least = ratio(cell, &Times::minimum);
    const auto middle = ratio(cell, &Times::median);
    std::printf("%-20s %8zu", std::string(cell.operation->name).c_str(), cell.bytes);
    for (const Times& times : cell.times) std::printf(" %16s", describe(times).c_str());
    std::printf(" %7s %5s\n", describe(least).c_str(), describe(middle).c_str());
    std::fflush(stdout);
    if (!middle) return;
    sum_of_logarithms_ += std::log(*middle);
    least_ = std::min(least_, *middle);
    ++cells_;
}

void Table::end() {
    if (cells_ == 0) return;
    std::printf("\nratio of medians over %d cells: geometric mean %.2f, least %.2f\n", cells_,
                std::exp(sum_of_logarithms_ / cells_), least_);
}

} // namespace

std::unique_ptr<Report> make_table() { return std::make_unique<Table>(); }

} // namespace mpix::bench
