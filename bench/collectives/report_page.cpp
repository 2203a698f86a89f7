// SPDX-License-Identifier: BSD-3-Clause
//
// The page: the machine and its floors, what the run comes to, and for each operation charts and a
// table of all that was measured. One file, which needs nothing but itself.
#include "bench/collectives/panel.hpp"
#include "bench/collectives/report.hpp"
#include "bench/collectives/summary.hpp"
#include "bench/collectives/table_parts.hpp"
#include "bench/common/machine.hpp"
#include "bench/common/text.hpp"

#include <cstdio>

namespace mpix::bench {

namespace {

using markup::Element;
using table::time_text;
using Texts = std::vector<std::string>;

Element paragraph(std::string_view text) { return Element("p").say(text); }

Element row(const Texts& cells, const char* kind = "td") {
    Element row("tr");
    for (const std::string& cell : cells) row.add(Element(kind).say(cell.empty() ? "-" : cell));
    return row;
}

Element table_of(const Texts& head, const std::vector<Texts>& rows) {
    Element body("tbody");
    for (const Texts& cells : rows) body.add(row(cells));
    return Element("table").add(Element("thead").add(row(head, "th"))).add(body);
}

class Page final : public Report {
  public:
    Page(const std::string& file, const std::string& command) : file_(file), command_(command) {}
    void begin(const Setting& setting, const Floors& floors) override;
    void add(const Cell& cell) override {
        panels_.add(cell);
        summary_.add(cell);
    }
    void add(const InitCost& cost) override;
    void add(const Foreign& foreign) override;
    bool end(double seconds) override;

  private:
    Element setting(double seconds) const;
    Element floors() const;
    void add_races(Element& body) const;
    Element charts(const Panel& panel) const;
    Element cells(const Panel& panel) const;

    std::string file_, command_, date_;
    Setting setting_;
    Floors floors_;
    Panels panels_;
    Summary summary_;
    std::vector<Texts> inits_, foreign_;
};

void Page::begin(const Setting& setting, const Floors& floors) {
    setting_ = setting;
    floors_ = floors;
    date_ = today();
}

Element Page::setting(double seconds) const {
    Element rows("table");
    for (const auto& [name, value] : {std::pair<const char*, std::string>{"command", command_},
                                      {"variables", variables()},
                                      {"date", date_},
                                      {"took", plain(seconds) + " s"},
                                      {"host", setting_.host},
                                      {"its library", setting_.library},
                                      {"ranks", table::ranks_text(setting_)},
                                      {"sent", setting_.data},
                                      {"processor", processor()},
                                      {"system", system_name()}})
        rows.add(row({name, value}));
    return rows.set("class", "setting");
}

Element Page::floors() const {
    Texts sizes{"bytes"}, own{"copy of a rank's own data"},
        fresh{"copy of what the other just wrote"}, cma{"the same by CMA"};
    const auto text = [](const Copies& copies, std::optional<double> time) {
        return time_text(time) + " " + table::rate_text(copies.bytes, time);
    };
    for (const Copies& copies : floors_.copies) {
        sizes.push_back(size_name(copies.bytes));
        own.push_back(text(copies, copies.own));
        fresh.push_back(text(copies, copies.fresh));
        cma.push_back(text(copies, copies.cma));
    }
    Element table("table");
    table.add(row({"cache line, half a round trip", time_text(floors_.half_roundtrip)}));
    table.add(row({"sched_yield", microseconds(floors_.yield)}));
    table.add(row({"reading the clock twice", microseconds(floors_.clock)}));
    return table.add(row(sizes, "th")).add(row(own)).add(row(fresh)).add(row(cma));
}

Element Page::charts(const Panel& panel) const {
    const std::string title(panel.front().operation->name);
    Element picture = markup::picture(2 * chart::width, chart::height, title);
    picture.add(chart::draw(panels_.times(panel)));
    return picture.add(chart::moved(chart::draw(panels_.ratios(panel)), chart::width, 0));
}

Element Page::cells(const Panel& panel) const {
    Texts head{"bytes"};
    for (const ContenderKind* kind : setting_.contenders) head.emplace_back(kind->title);
    for (const ContenderKind* kind : setting_.contenders)
        if (kind->has_ratio()) head.push_back("ratio, " + std::string(kind->title));
    std::vector<Texts> rows;
    for (const Cell& cell : panel) {
        Texts texts{size_name(cell.bytes)};
        for (const Times& times : cell.times) texts.push_back(time_text(times, &Spread::median));
        for (const Times& times : cell.times)
            if (times.contender->has_ratio())
                texts.push_back(plain(ratio(cell, times, &Spread::median)));
        rows.push_back(texts);
    }
    return table_of(head, rows);
}

void Page::add_races(Element& body) const {
    if (panels_.all().empty()) return;
    body.add(Element("h2").say("Collectives"));
    body.add(paragraph(
        "Medians of the batches, microseconds an operation, maximum over the ranks. A "
        "ratio is the best host contender with right answers over mpix: above 1, mpix is "
        "faster. \"-\": the host has no such operation; \"wrong\": its answers are wrong; "
        "\"crashes\": not run."));
    for (const Summary::Line& line : summary_.lines(setting_.contenders))
        body.add(paragraph(std::string(line.contender->title) + ": " + line.text));
    Element key = markup::picture(690, 66, "the lines of the charts");
    body.add(key.add(chart::moved(legend(setting_.contenders, 3), 0, 14))
                 .set("style", "max-width: 690px"));
    for (const Panel& panel : panels_.all())
        body.add(Element("h3").say(panel.front().operation->name))
            .add(charts(panel))
            .add(cells(panel));
}

void Page::add(const InitCost& cost) {
    Texts texts{std::string(cost.operation->name), size_name(cost.bytes),
                std::string(cost.contender->title)};
    const auto of = [](const std::optional<Spread>& spread) {
        return spread ? microseconds(spread->median) : "-";
    };
    if (cost.verdict == Verdict::right)
        for (const std::string& text :
             {of(cost.first), of(cost.later), of(cost.free), of(cost.ours), of(cost.host),
              table::starts_text(cost, cost.first), table::starts_text(cost, cost.later)})
            texts.push_back(text);
    else
        texts.push_back(cost.verdict == Verdict::wrong ? "wrong" : "-");
    inits_.push_back(texts);
}

void Page::add(const Foreign& foreign) {
    Texts texts{foreign.calls, std::to_string(foreign.messages), std::to_string(foreign.plans)};
    const double host = foreign.host.median, added = foreign.linked.median - host;
    for (const double value : {host, host + added, added, 100 * added / host})
        texts.push_back(markup::number(value));
    if (!foreign.right) texts.push_back("wrong");
    foreign_.push_back(texts);
}

bool Page::end(double seconds) {
    const std::string title = "mpix-bench, " + setting_.host;
    Element head("head"), body("body");
    head.add(Element("meta").set("charset", "utf-8")).add(Element("title").say(title));
    head.add(Element("style").say(markup::page_style).say(markup::style).say(chart::style));
    body.add(Element("h1").say(title)).add(setting(seconds));
    body.add(Element("h2").say("Floors of this machine"));
    body.add(paragraph("Without MPI: the least of many, microseconds.")).add(floors());
    if (floors_.cma != "allowed") body.add(paragraph("CMA: " + floors_.cma));
    add_races(body);
    if (!inits_.empty())
        body.add(Element("h2").say("Inits"))
            .add(paragraph("Medians, microseconds; starts after which init and free have paid for "
                           "themselves."))
            .add(table_of({"operation", "bytes", "mpix", "first init", "later init", "free",
                           "a start", "host's best", "starts, first", "starts, later"},
                          inits_));
    if (!foreign_.empty())
        body.add(Element("h2").say("Messages that are the host's"))
            .add(paragraph("Nonblocking and persistent messages of 8 bytes to the rank itself; "
                           "medians, nanoseconds a round."))
            .add(table_of({"calls", "messages", "plans alive", "host", "linked", "added", "%"},
                          foreign_));
    return save(file_, Element("html").set("lang", "en").add(head).add(body));
}

} // namespace

std::unique_ptr<Report> make_page(const std::string& file, const std::string& command) {
    return std::make_unique<Page>(file, command);
}

} // namespace mpix::bench
