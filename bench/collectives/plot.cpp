// SPDX-License-Identifier: BSD-3-Clause
//
// The picture: a panel for each operation, latency over size, both logarithmic, a line for each
// contender. It is a script that gnuplot reads from a pipe when the run is over.
#include "bench/collectives/panel.hpp"
#include "bench/collectives/report.hpp"
#include "bench/common/text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

namespace mpix::bench {

namespace {

constexpr int panel_width = 400, panel_height = 270, strip_height = 120, most_columns = 4;

class Plot final : public Report {
  public:
    explicit Plot(const std::string& file) : file_(file) {}
    void begin(const Setting& setting, const Floors&) override { setting_ = setting; }
    void add(const Cell& cell) override {
        if (panels_.empty() || panels_.back().front().operation != cell.operation)
            panels_.emplace_back();
        panels_.back().push_back(cell);
        if (cell.bytes > 0) sizes_.insert(cell.bytes);
    }
    void add(const InitCost&) override {}
    void add(const Foreign&) override {}
    bool end(double seconds) override;

  private:
    std::string script();
    void draw_titles(std::ostream& out) const;
    void draw_legend(std::ostream& out) const;
    void set_axes(std::ostream& out) const;
    void draw(std::ostream& out, int index) const;
    int columns() const { return std::min(most_columns, static_cast<int>(panels_.size())); }
    int rows() const { return (static_cast<int>(panels_.size()) + columns() - 1) / columns(); }
    int width() const { return std::max(2, columns()) * panel_width; }
    int height() const { return strip_height + rows() * panel_height; }
    double strip() const { return 1.0 * strip_height / height(); }

    std::string file_;
    Setting setting_;
    std::vector<Panel> panels_;
    std::set<std::size_t> sizes_;
};

std::string Plot::script() {
    std::ostringstream out;
    if (sizes_.empty()) sizes_ = {8, 1024}; // the barrier alone
    out << "set terminal svg size " << width() << "," << height()
        << " noenhanced font 'Helvetica,13' background rgb 'white'\nset encoding utf8\nset output "
        << quoted_for_plot(file_) << "\nset multiplot\n";
    draw_titles(out);
    draw_legend(out);
    set_axes(out);
    for (int index = 0; index < static_cast<int>(panels_.size()); ++index) draw(out, index);
    out << "unset multiplot\n";
    return out.str();
}

void Plot::draw_titles(std::ostream& out) const {
    const std::string where = setting_.host + ", " + std::to_string(setting_.ranks) + " ranks on " +
                              std::to_string(setting_.placement.cores) +
                              " cores; medians of batches, maximum over ranks";
    out << "set label 1 'Time of an operation over the bytes of a block' at screen 0.5, screen "
        << 1 - 0.2 * strip() << " center font ',18'\nset label 2 " << quoted_for_plot(where)
        << " at screen 0.5, screen " << 1 - 0.42 * strip() << " center\n";
}

// A plot of nothing in a strip at the top.
void Plot::draw_legend(std::ostream& out) const {
    out << "set origin 0," << 1 - strip() << "\nset size 1," << strip()
        << "\nunset border\nunset tics\nset margins 2,2,0,0\nset xrange [0:1]\nset yrange [0:1]\n"
        << "set key at screen 0.5, screen " << 1 - 0.6 * strip()
        << " center top horizontal samplen 3 width 2 maxrows 2\nplot ";
    const char* separator = "";
    for (const ContenderKind* kind : setting_.contenders)
        out << std::exchange(separator, ", ") << "NaN with linespoints lw 2 ps 0.8 "
            << style_of(*kind) << " title " << quoted_for_plot(kind->title);
    out << "\nunset label 1\nunset label 2\nunset key\n";
}

void Plot::set_axes(std::ostream& out) const {
    out << "set border 3 lc rgb '#606060'\nset logscale xy\n"
           "set grid xtics ytics lc rgb '#d8d8d8' lt 1 lw 0.5\nset format y '%g'\nset xrange ["
        << static_cast<double>(*sizes_.begin()) / 1.6 << ":"
        << static_cast<double>(*sizes_.rbegin()) * 1.6 << "]\nset xtics nomirror scale 0.5 (";
    const char* separator = "";
    for (const std::size_t size : sizes_)
        out << std::exchange(separator, ", ") << quoted_for_plot(size_name(size)) << " " << size;
    out << ")\nset lmargin 9\nset rmargin 2\nset tmargin 2.2\nset bmargin 3.2\n";
}

void Plot::draw(std::ostream& out, int index) const {
    const Panel& panel = panels_[static_cast<std::size_t>(index)];
    const Operation& operation = *panel.front().operation;
    const double across = 1.0 / columns(), up = 1.0 * panel_height / height();
    const int column = index % columns(), row = index / columns();
    const bool lowest = index + columns() >= static_cast<int>(panels_.size());
    out << "set origin " << column * across << "," << (rows() - 1 - row) * up << "\nset size "
        << across << "," << up << "\nset title "
        << quoted_for_plot(std::string(operation.name) + (operation.has_data ? "" : ", no data"))
        << " offset 0,-0.6 font ',15'\nset ylabel '" << (column == 0 ? "microseconds" : "")
        << "' offset 1\nset xlabel '" << (lowest ? "bytes" : "") << "' offset 0,0.4\n";
    draw_contents(out, panel, sizes_);
}

bool Plot::end(double) {
    const std::string text = script();
    std::FILE* const gnuplot = popen("gnuplot", "w");
    bool drawn = gnuplot && std::fwrite(text.data(), 1, text.size(), gnuplot) == text.size();
    drawn = gnuplot && pclose(gnuplot) == 0 && drawn;
    if (!drawn) std::fprintf(stderr, "mpix-bench: gnuplot did not draw %s\n", file_.c_str());
    return drawn;
}

} // namespace

std::unique_ptr<Report> make_plot(const std::string& file) { return std::make_unique<Plot>(file); }

std::string obstacle_to_plot(const std::string& file) {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    bool found = false;
    for (std::string folder; std::getline(folders, folder, ':');)
        found |= access((folder + "/gnuplot").c_str(), X_OK) == 0;
    if (!found) return "--plot needs gnuplot";
    return std::ofstream(file) ? "" : "cannot write " + file;
}

} // namespace mpix::bench
