// SPDX-License-Identifier: BSD-3-Clause
//
// {"host", "library", "ranks", "cores", "core_each", "sent",
//  "floors": {"clock_ns", "yield_ns", "half_roundtrip_ns", "cma",
//             "copies": [{"bytes", "own_ns", "fresh_ns", "cma_ns"}]},
//  "cells": [{"operation", "bytes", "rounds", "contenders": [{"name", "verdict", "iterations",
//             "minimum_ns", "median_ns", "ratio_minimum", "ratio_median"}]}],
//  "inits": [{"operation", "bytes", "contender", "verdict", "first", "later", "free", "ours",
//             "host", "starts_first", "starts_later"}],
//  "foreign": [{"calls", "messages", "plans", "right", "host", "linked"}],
//  "seconds"}
// Ratios are those of mpix contenders, and of the host's repeated one. "first" and what follows it
// without another word are {"minimum_ns", "median_ns"}. What there is not is null.
#include "bench/common/json.hpp"

#include <cstdio>

namespace mpix::bench {

namespace {

using json::List;
using json::name_of;
using json::Object;

Object describe(const Cell& cell, const Times& times) {
    Object object;
    object.add("name", times.contender->name).add("verdict", name_of(times.verdict));
    if (times.verdict != Verdict::right) return object;
    object.add("iterations", times.iterations).add(times.of_batches);
    if (times.contender->has_ratio())
        object.add("ratio_minimum", ratio(cell, times, &Spread::minimum))
            .add("ratio_median", ratio(cell, times, &Spread::median));
    return object;
}

class Json final : public Report {
  public:
    void begin(const Setting& setting, const Floors& floors) override;
    void add(const Cell& cell) override;
    void add(const InitCost& cost) override;
    void add(const Foreign& foreign) override;
    bool end(double seconds) override;

  private:
    Object document_;
    List cells_, inits_, foreign_;
};

void Json::begin(const Setting& setting, const Floors& floors) {
    document_ = json::document(setting, floors).add("sent", setting.data);
}

void Json::add(const Cell& cell) {
    List contenders;
    for (const Times& times : cell.times) contenders.add(describe(cell, times));
    cells_.add(Object()
                   .add("operation", cell.operation->name)
                   .add("bytes", cell.bytes)
                   .add("rounds", cell.rounds)
                   .raw("contenders", contenders.text()));
}

void Json::add(const InitCost& cost) {
    Object object;
    object.add("operation", cost.operation->name)
        .add("bytes", cost.bytes)
        .add("contender", cost.contender->name)
        .add("verdict", name_of(cost.verdict));
    object.add("first", cost.first).add("later", cost.later).add("free", cost.free);
    cost.ours ? object.add("ours", *cost.ours) : object.raw("ours", "null");
    cost.host ? object.add("host", *cost.host) : object.raw("host", "null");
    inits_.add(object.add("starts_first", cost.starts_to_repay(cost.first))
                   .add("starts_later", cost.starts_to_repay(cost.later)));
}

void Json::add(const Foreign& foreign) {
    foreign_.add(Object()
                     .add("calls", foreign.calls)
                     .add("messages", foreign.messages)
                     .add("plans", foreign.plans)
                     .flag("right", foreign.right)
                     .add("host", foreign.host)
                     .add("linked", foreign.linked));
}

bool Json::end(double seconds) {
    document_.raw("cells", cells_.text()).raw("inits", inits_.text());
    document_.raw("foreign", foreign_.text()).add("seconds", std::optional(seconds));
    std::printf("%s\n", document_.text().c_str());
    return true;
}

} // namespace

std::unique_ptr<Report> make_json() { return std::make_unique<Json>(); }

} // namespace mpix::bench
