// SPDX-License-Identifier: BSD-3-Clause
//
// What buffers are filled with: every element says which rank wrote it, before which operation and
// where, so that an answer is checked by arithmetic alone. Sums over some hundred ranks stay exact.
#pragma once

#include <cstdint>

namespace mpix::bench {

// Of element 0; the others follow by ones.
double first_element(int rank, int serial);

void write_pattern(double* to, int count, double first);
void write_pattern(std::int64_t* to, int count, double first);

// Whether the elements begin with `first` and follow by `step`.
bool holds_pattern(const double* from, int count, double first, double step);
bool holds_pattern(const std::int64_t* from, int count, double first, double step);

} // namespace mpix::bench
