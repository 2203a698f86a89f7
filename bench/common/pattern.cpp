// SPDX-License-Identifier: BSD-3-Clause
//
// An element is serial * 2^32 + rank * 2^22 + index.
#include "bench/common/pattern.hpp"

namespace mpix::bench {

namespace {

constexpr double rank_unit = 4194304.0;
constexpr double serial_unit = 4294967296.0;

template<class Element>
void write(Element* to, int count, Element first) {
    for (int index = 0; index < count; ++index) to[index] = first + static_cast<Element>(index);
}

template<class Element>
bool holds(const Element* from, int count, Element first, Element step) {
    int wrong = 0;
    for (int index = 0; index < count; ++index)
        wrong |= from[index] != first + step * static_cast<Element>(index);
    return wrong == 0;
}

} // namespace

double first_element(int rank, int serial) {
    return serial % 4096 * serial_unit + rank * rank_unit;
}

void write_pattern(double* to, int count, double first) { write(to, count, first); }

void write_pattern(std::int64_t* to, int count, double first) {
    write(to, count, static_cast<std::int64_t>(first));
}

bool holds_pattern(const double* from, int count, double first, double step) {
    return holds(from, count, first, step);
}

bool holds_pattern(const std::int64_t* from, int count, double first, double step) {
    return holds(from, count, static_cast<std::int64_t>(first), static_cast<std::int64_t>(step));
}

} // namespace mpix::bench
