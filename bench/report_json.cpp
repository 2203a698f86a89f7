// SPDX-License-Identifier: BSD-3-Clause
//
// {"host", "library", "ranks", "cores", "core_each", "cells": [{"operation", "bytes", "rounds",
// "contenders":
// [{"name", "verdict", "iterations", "minimum_ns", "median_ns"}], "ratio_minimum",
// "ratio_median"}]}
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

void print_ratio(const char* name, std::optional<double> ratio) {
    if (ratio)
        std::printf(", \"%s\": %.4f", name, *ratio);
    else
        std::printf(", \"%s\": null", name);
}

void print(const Times& times) {
    std::printf("{\"name\": %s, \"verdict\": \"%s\"", quoted(times.contender).c_str(),
                name_of(times.verdict));
    if (times.verdict == Verdict::right)
        std::printf(", \"iterations\": %d, \"minimum_ns\": %.1f, \"median_ns\": %.1f",
                    times.iterations, times.minimum, times.median);
    std::printf("}");
}

class Json final : public Report {
  public:
    void begin(const Setting& setting) override {
        std::printf("{\"host\": %s, \"library\": %s, \"ranks\": %d, \"cores\": %d, "
                    "\"core_each\": %s, \"cells\": [",
                    quoted(setting.host).c_str(), quoted(setting.library).c_str(), setting.ranks,
                    setting.placement.cores, setting.placement.core_each ? "true" : "false");
    }
    void add(const Cell& cell) override;
    void end() override { std::printf("\n]}\n"); }

  private:
    bool first_ = true;
};

void Json::add(const Cell& cell) {
    std::printf("%s\n  {\"operation\": %s, \"bytes\": %zu, \"rounds\": %d, \"contenders\": [",
                first_ ? "" : ",", quoted(cell.operation->name).c_str(), cell.bytes, cell.rounds);
    first_ = false;
    for (const Times& times : cell.times) {
        std::printf("%s\n    ", &times == cell.times.data() ? "" : ",");
        print(times);
    }
    std::printf("]");
    print_ratio("ratio_minimum", ratio(cell, &Times::minimum));
    print_ratio("ratio_median", ratio(cell, &Times::median));
    std::printf("}");
}

} // namespace

std::unique_ptr<Report> make_json() { return std::make_unique<Json>(); }

} // namespace mpix::bench
