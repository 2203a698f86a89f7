// SPDX-License-Identifier: BSD-3-Clause
//
// {"host", "library", "ranks", "cores", "core_each",
//  "floors": {"clock_ns", "yield_ns", "half_roundtrip_ns", "cma",
//             "copies": [{"bytes", "own_ns", "fresh_ns", "cma_ns"}]},
//  "cells": [{"operation", "bytes", "rounds", "contenders": [{"name", "verdict", "iterations",
//             "minimum_ns", "median_ns", "ratio_minimum", "ratio_median"}]}],
//  "inits": [{"operation", "bytes", "contender", "verdict", "first", "later", "free", "ours",
//             "host", "starts_first", "starts_later"}],
//  "foreign": [{"messages", "plans", "right", "host", "linked"}],
//  "seconds"}
// Ratios are those of mpix contenders. "first" and what follows it without another word are
// {"minimum_ns", "median_ns"}. What there is not is null.
#include "report.hpp"

#include <cstdio>

namespace mpix::bench {

namespace {

const char* name_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::right: return "right";
    case Verdict::wrong: return "wrong";
    case Verdict::missing: return "missing";
    case Verdict::skipped: break;
    }
    return "crashes";
}

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\') result += '\\';
        result += static_cast<unsigned char>(character) < 0x20 ? ' ' : character;
    }
    return result + "\"";
}

// One object, written from its first member to its last.
class Object {
  public:
    Object& raw(const char* name, const std::string& value) {
        text_ += (text_.empty() ? "{" : ", ") + quoted(name) + ": " + value;
        return *this;
    }
    Object& add(const char* name, std::string_view text) { return raw(name, quoted(text)); }
    Object& add(const char* name, int value) { return raw(name, std::to_string(value)); }
    Object& add(const char* name, std::size_t value) { return raw(name, std::to_string(value)); }
    Object& add(const char* name, std::optional<double> value) {
        char text[64] = "null";
        if (value) std::snprintf(text, sizeof text, "%.4f", *value);
        return raw(name, text);
    }
    Object& flag(const char* name, bool value) { return raw(name, value ? "true" : "false"); }
    Object& add(const char* name, const Spread& spread) {
        return raw(name, Object().add(spread).text());
    }
    Object& add(const Spread& spread) {
        return add("minimum_ns", std::optional(spread.minimum))
            .add("median_ns", std::optional(spread.median));
    }
    std::string text() const { return text_ + "}"; }

  private:
    std::string text_;
};

class List {
  public:
    void add(const Object& object) { text_ += (text_.empty() ? "[\n  " : ",\n  ") + object.text(); }
    std::string text() const { return text_.empty() ? "[]" : text_ + "]"; }

  private:
    std::string text_;
};

Object describe(const Floors& floors) {
    List copies;
    for (const Copies& each : floors.copies)
        copies.add(Object()
                       .add("bytes", each.bytes)
                       .add("own_ns", std::optional(each.own))
                       .add("fresh_ns", each.fresh)
                       .add("cma_ns", each.cma));
    return Object()
        .add("clock_ns", std::optional(floors.clock))
        .add("yield_ns", std::optional(floors.yield))
        .add("half_roundtrip_ns", floors.half_roundtrip)
        .add("cma", floors.cma)
        .raw("copies", copies.text());
}

Object describe(const Cell& cell, const Times& times) {
    Object object;
    object.add("name", times.contender->name).add("verdict", name_of(times.verdict));
    if (times.verdict != Verdict::right) return object;
    object.add("iterations", times.iterations).add(times.of_batches);
    if (times.contender->ours)
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
    document_.add("host", setting.host)
        .add("library", setting.library)
        .add("ranks", setting.ranks)
        .add("cores", setting.placement.cores)
        .flag("core_each", setting.placement.core_each)
        .raw("floors", describe(floors).text());
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
