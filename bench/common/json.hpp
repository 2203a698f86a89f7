// SPDX-License-Identifier: BSD-3-Clause
//
// Writing JSON.
#pragma once

#include "bench/collectives/report.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mpix::bench::json {

// One object, written from its first member to its last.
class Object {
  public:
    Object& raw(const char* name, const std::string& value);
    Object& add(const char* name, std::string_view text);
    Object& add(const char* name, int value) { return raw(name, std::to_string(value)); }
    Object& add(const char* name, std::size_t value) { return raw(name, std::to_string(value)); }
    Object& add(const char* name, std::optional<double> value);
    Object& flag(const char* name, bool value) { return raw(name, value ? "true" : "false"); }
    Object& add(const char* name, const Spread& spread) {
        return raw(name, Object().add(spread).text());
    }
    Object& add(const Spread& spread) {
        return add("minimum_ns", std::optional(spread.minimum))
            .add("median_ns", std::optional(spread.median));
    }
    std::string text() const { return text_.empty() ? "{}" : text_ + "}"; }

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

const char* name_of(Verdict verdict);

// The members that every run begins with.
Object document(const Setting& setting, const Floors& floors);

} // namespace mpix::bench::json
