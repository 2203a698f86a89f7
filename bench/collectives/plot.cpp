// SPDX-License-Identifier: BSD-3-Clause
//
// The picture: a chart for each operation, time over size, a line for each contender.
#include "bench/collectives/panel.hpp"
#include "bench/collectives/report.hpp"

#include <algorithm>

namespace mpix::bench {

namespace {

constexpr double strip = 110; // above the charts
constexpr int most_columns = 4, legend_columns = 3;

class Plot final : public Report {
  public:
    explicit Plot(const std::string& file) : file_(file) {}
    void begin(const Setting& setting, const Floors&) override { setting_ = setting; }
    void add(const Cell& cell) override { panels_.add(cell); }
    void add(const InitCost&) override {}
    void add(const Foreign&) override {}
    bool end(double seconds) override;

  private:
    markup::Element drawn() const;

    std::string file_;
    Setting setting_;
    Panels panels_;
};

markup::Element Plot::drawn() const {
    const int count = static_cast<int>(panels_.all().size());
    const int columns = std::clamp(count, 1, most_columns), rows = (count + columns - 1) / columns;
    const double width = std::max(2, columns) * chart::width;
    const std::string title = "Time of an operation over the bytes of a block";
    const std::string where = setting_.host + ", " + std::to_string(setting_.ranks) + " ranks on " +
                              std::to_string(setting_.placement.cores) +
                              " cores; medians of batches, maximum over ranks";
    auto root = markup::picture(width, strip + rows * chart::height, title);
    root.add(markup::Element("style").say(markup::style).say(chart::style));
    root.add(markup::label(width / 2, 24, title, "middle").set("style", "font-size: 18px"));
    root.add(markup::label(width / 2, 46, where, "middle"));
    root.add(chart::moved(legend(setting_.contenders, legend_columns), width / 2 - 345, 66));
    for (int index = 0; index < count; ++index)
        root.add(
            chart::moved(chart::draw(panels_.times(panels_.all()[static_cast<std::size_t>(index)])),
                         index % columns * chart::width, strip + index / columns * chart::height));
    return root;
}

bool Plot::end(double) { return save(file_, drawn()); }

} // namespace

std::unique_ptr<Report> make_plot(const std::string& file) { return std::make_unique<Plot>(file); }

} // namespace mpix::bench
