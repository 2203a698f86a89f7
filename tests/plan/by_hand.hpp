// SPDX-License-Identifier: BSD-3-Clause
//
// What tests say that build a plan by hand.
#pragma once

#include "plan/builder.hpp"

#include <utility>

namespace mpix::plan::test {

constexpr Place in(Bytes offset, Bytes bytes) { return {Buffer::send, offset, bytes}; }
constexpr Place out(Bytes offset, Bytes bytes) { return {Buffer::recv, offset, bytes}; }

inline Plan finish(Builder& builder) { return std::move(builder).finish("test", 0); }

} // namespace mpix::plan::test
