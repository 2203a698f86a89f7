// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace mpix::plan::test {

// A number of a plan's, which is never negative here, as a container wants it.
constexpr std::size_t index(std::int64_t number) { return static_cast<std::size_t>(number); }

} // namespace mpix::plan::test
