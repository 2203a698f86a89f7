// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/json.hpp"

#include <cstdio>

namespace mpix::bench::json {

namespace {

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\') result += '\\';
        result += static_cast<unsigned char>(character) < 0x20 ? ' ' : character;
    }
    return result + "\"";
}

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

} // namespace

Object& Object::raw(const char* name, const std::string& value) {
    text_ += (text_.empty() ? "{" : ", ") + quoted(name) + ": " + value;
    return *this;
}

Object& Object::add(const char* name, std::string_view text) { return raw(name, quoted(text)); }

Object& Object::add(const char* name, std::optional<double> value) {
    char text[64] = "null";
    if (value) std::snprintf(text, sizeof text, "%.4f", *value);
    return raw(name, text);
}

const char* name_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::right: return "right";
    case Verdict::wrong: return "wrong";
    case Verdict::missing: return "missing";
    case Verdict::skipped: break;
    }
    return "crashes";
}

Object document(const Setting& setting, const Floors& floors) {
    return Object()
        .add("host", setting.host)
        .add("library", setting.library)
        .add("ranks", setting.ranks)
        .add("cores", setting.placement.cores)
        .flag("core_each", setting.placement.core_each)
        .raw("floors", describe(floors).text());
}

} // namespace mpix::bench::json
