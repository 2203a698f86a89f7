// SPDX-License-Identifier: BSD-3-Clause
//
// An element is serial * 2^32 + rank * 2^22 + index.
#include "bench/common/pattern.hpp"

namespace mpix::bench {

namespace {

constexpr double rank_unit = 4194304.0;
constexpr double serial_unit = 4294967296.0;

} // namespace

double first_element(int rank, int serial) {
    return serial % 4096 * serial_unit + rank * rank_unit;
}

void write_pattern(double* to, int count, double first) {
    for (int index = 0; index < count; ++index) to[index] = first + index;
}

bool holds_pattern(const double* from, int count, double first, double step) {
    int wrong = 0;
    for (int index = 0; index < count; ++index) wrong |= from[index] != first + step * index;
    return wrong == 0;
}

} // namespace mpix::bench
