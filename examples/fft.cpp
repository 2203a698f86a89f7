// SPDX-License-Identifier: BSD-3-Clause
// The Fourier transform of a square, in slabs: the alltoall for which partitioned collectives were
// proposed. Each rank has some rows of the square and transforms them. Then it needs, of every row
// of every rank, the part in its own columns, to transform those: an alltoall.
//
//     fft [points along each side [repetitions]]
//
// Without partitions the alltoall begins when the last row is transformed. With them each row is a
// partition, or rather one in each segment, as a part of it goes to every rank. The thread that has
// transformed a row marks it, and its parts travel while the next rows are transformed. Who is done
// with his own rows transposes those of others as they arrive, be the rest as late as it may.
//
// Some points of the answer are compared with sums over the whole square, and all points of one way
// with those of the other.

#include "race.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <vector>

namespace {

using Complex = std::complex<double>;
using Index = std::ptrdiff_t;

// The square: reproducible noise, so that every rank knows all of it.
double noise(std::uint64_t seed) {
  seed = (seed ^ seed >> 31) * 0x9e3779b97f4a7c15u;
  seed = (seed ^ seed >> 29) * 0xbf58476d1ce4e5b9u;
  return static_cast<double>(seed >> 11) * 0x1p-52 - 1;
}

Complex given(Index row, Index column) {
  const auto seed = static_cast<std::uint64_t>(2 * (row << 24 | column) + 1);
  return {noise(seed), noise(seed + 1)};
}

// One dimension: halved while the number of points is even, summed up where it is odd.
class Fft {
public:
  explicit Fft(Index points) : points_(points) {
    for (Index k = 0; k < points; ++k)
      roots_.push_back(std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) /
                                           static_cast<double>(points)));
  }
  void run(const Complex* from, Complex* to) const { divide(from, to, points_, 1); }
  Complex root(Index power) const { return roots_[static_cast<std::size_t>(power % points_)]; }

private:
  // Every stride-th point.
  void divide(const Complex* from, Complex* to, Index points, Index stride) const {
    if (points % 2 != 0) return sum_up(from, to, points, stride);
    const Index half = points / 2;
    divide(from, to, half, 2 * stride);
    divide(from + stride, to + half, half, 2 * stride);
    for (Index k = 0; k < half; ++k) {
      const Complex even = to[k], odd = to[half + k] * root(k * stride);
      to[k] = even + odd;
      to[half + k] = even - odd;
    }
  }
  void sum_up(const Complex* from, Complex* to, Index points, Index stride) const {
    for (Index k = 0; k < points; ++k) {
      to[k] = 0;
      for (Index j = 0; j < points; ++j) to[k] += from[j * stride] * root(j * k * stride);
    }
  }

  const Index points_;
  std::vector<Complex> roots_;
};

// ---- The slab of a rank: first `lines` rows of the square, then as many columns

class Slab {
public:
  Slab(int points, const Race& race);
  ~Slab();
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  void transform_whole();
  void transform_parts();
  void forget_answer();
  const std::vector<Complex>& answer() const { return answer_; } // column by column
  bool holds(Index row, Index column) const;
  Index first_line() const { return first_line_; }

private:
  void transform_row(Index row, Complex* line);
  void transpose(int block);
  void transform_columns();

  const Index points_, lines_, first_line_;
  const int blocks_; // in which the rows of all ranks are transposed
  const Fft fft_;
  std::vector<Complex> rows_;    // as they are given: lines x points
  Complex* outgoing_;            // a segment for each rank: the rows, in that rank's columns
  Complex* incoming_;            // a segment from each rank: its rows, in this rank's columns
  std::vector<Complex> columns_; // incoming, transposed: lines x points
  std::vector<Complex> answer_;
  MPI_Request requests_[ways];
};

// Where a rank has a multiple of 16 rows, they are transposed by 16: that many points of a column
// stand together, in whole cache lines.
int blocks_of(int lines) { return lines % 16 == 0 ? lines / 16 : lines; }

Slab::Slab(int points, const Race& race)
    : points_(points), lines_(points / race.ranks), first_line_(lines_ * race.rank),
      blocks_(race.ranks * blocks_of(points / race.ranks)), fft_(points) {
  const Index size = lines_ * points_;
  for (Index i = 0; i < size; ++i) rows_.push_back(given(first_line_ + i / points_, i % points_));
  outgoing_ = static_cast<Complex*>(new_shared(static_cast<std::size_t>(size) * sizeof(Complex)));
  incoming_ = static_cast<Complex*>(new_shared(static_cast<std::size_t>(size) * sizeof(Complex)));
  columns_.resize(static_cast<std::size_t>(size));
  answer_.resize(static_cast<std::size_t>(size));

  const int lines = points / race.ranks;
  MPI_Alltoall_init(outgoing_, lines * lines, MPI_C_DOUBLE_COMPLEX, incoming_, lines * lines,
                    MPI_C_DOUBLE_COMPLEX, race.comm, MPI_INFO_NULL, &requests_[whole]);
  // The same bytes. A segment that is sent has a partition for each row, a segment that is received
  // one for each block of rows that are transposed together: the two ends need not be alike.
  const int blocks = blocks_of(lines);
  MPIX_Palltoall_init(outgoing_, lines, lines, MPI_C_DOUBLE_COMPLEX, incoming_, blocks,
                      lines / blocks * lines, MPI_C_DOUBLE_COMPLEX, race.comm, MPI_INFO_NULL,
                      &requests_[parts]);
}

Slab::~Slab() {
  for (MPI_Request& request : requests_) MPI_Request_free(&request);
  MPI_Free_mem(outgoing_);
  MPI_Free_mem(incoming_);
}

// A row goes into as many segments as there are ranks, lines_ points into each. Row k of a segment
// is its partition k, and so stands lines_ * k points into it. (Where the rows should stay whole,
// MPIX_Palltoallw_init sends them from there: with a datatype of lines_ points whose extent is a
// row, segment i begins at point lines_ * i of the first row.)
void Slab::transform_row(Index row, Complex* line) {
  fft_.run(&rows_[static_cast<std::size_t>(row * points_)], line);
  for (Index begin = 0; begin < points_; begin += lines_)
    std::copy_n(line + begin, lines_, outgoing_ + begin * lines_ + row * lines_);
}

// The segments that are received stand one behind the other, in the order of rows: block b is the
// partition with the linear number b.
void Slab::transpose(int block) {
  const Index height = points_ / blocks_, first = block * height;
  for (Index column = 0; column < lines_; ++column)
    for (Index row = first; row < first + height; ++row)
      columns_[static_cast<std::size_t>(column * points_ + row)] = incoming_[row * lines_ + column];
}

void Slab::transform_columns() {
#pragma omp parallel for schedule(dynamic)
  for (Index column = 0; column < lines_; ++column) {
    const auto begin = static_cast<std::size_t>(column * points_);
    fft_.run(&columns_[begin], &answer_[begin]);
  }
}

void Slab::transform_whole() {
#pragma omp parallel
  {
    std::vector<Complex> line(static_cast<std::size_t>(points_));
#pragma omp for schedule(dynamic)
    for (Index row = 0; row < lines_; ++row) transform_row(row, line.data());
  }
  MPI_Start(&requests_[whole]);
  MPI_Wait(&requests_[whole], MPI_STATUS_IGNORE);
#pragma omp parallel for
  for (int block = 0; block < blocks_; ++block) transpose(block);
  transform_columns();
}

void Slab::transform_parts() {
  MPI_Request& request = requests_[parts];
  MPI_Start(&request); // before any thread marks
#pragma omp parallel
  {
    std::vector<Complex> line(static_cast<std::size_t>(points_));
#pragma omp for schedule(dynamic)
    for (Index row = 0; row < lines_; ++row) {
      transform_row(row, line.data());
      // Partition `row` of all segments. Whichever thread this is: the call neither waits nor
      // locks.
      MPIX_Pready_extended(static_cast<int>(row), MPIX_ALL_DESTS, &request);
    }
  }

  // Blocks are transposed as they come: the main thread asks for those that are left, by linear
  // number, and all threads transpose what has arrived.
  std::vector<int> left, arrived(static_cast<std::size_t>(blocks_));
  for (int block = 0; block < blocks_; ++block) left.push_back(block);
  while (!left.empty()) {
    int count;
    MPIX_Parrived_some(request, static_cast<int>(left.size()), left.data(), &count, arrived.data());
#pragma omp parallel for if (count > 1)
    for (int i = 0; i < count; ++i)
      transpose(left[static_cast<std::size_t>(arrived[static_cast<std::size_t>(i)])]);
    // The places in the list are ascending: from the last to the first they stay valid.
    while (count > 0) left.erase(left.begin() + arrived[static_cast<std::size_t>(--count)]);
  }
  // Ends the round, which to see everything arrive does not: outgoing may be written again.
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  transform_columns();
}

// ---- The check

void Slab::forget_answer() {
  const Complex nothing(NAN, NAN);
  std::fill_n(outgoing_, lines_ * points_, nothing);
  std::fill_n(incoming_, lines_ * points_, nothing);
  std::fill(columns_.begin(), columns_.end(), nothing);
  std::fill(answer_.begin(), answer_.end(), nothing);
}

// Whether a point of the answer, which is in a column of this rank, is the sum that it should be.
bool Slab::holds(Index row, Index column) const {
  Complex sum = 0;
  for (Index i = 0; i < points_; ++i) {
    Complex sum_of_row = 0;
    for (Index j = 0; j < points_; ++j) sum_of_row += given(i, j) * fft_.root(j * column);
    sum += sum_of_row * fft_.root(i * row);
  }
  const Complex found = answer_[static_cast<std::size_t>((column - first_line_) * points_ + row)];
  return std::abs(found - sum) < 1e-11 * static_cast<double>(points_ * points_); // false for NaN
}

bool compare(Slab& slab, Race& race, int points, int repetitions) {
  bool right = true;
  std::vector<Complex> first;
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (int turn = 0; turn < ways; ++turn) {
      const Way way = way_of(repetition, turn);
      slab.forget_answer();
      start_clock(&race);
      if (way == whole)
        slab.transform_whole();
      else
        slab.transform_parts();
      stop_clock(&race, way);
      if (first.empty()) first = slab.answer();
      right = right && slab.answer() == first;
    }
  const Index lines = points / race.ranks;
  for (const Index line : {Index{0}, lines / 3, lines - 1})
    right = right && slab.holds((line * 7 + 5) % points, slab.first_line() + line);
  return right;
}

} // namespace

int main(int argc, char** argv) {
  Race race = begin_race(&argc, &argv);
  const int points = number(argc, argv, 1, 768), repetitions = number(argc, argv, 2, 10);
  if (points % race.ranks != 0 || points > 16384)
    give_up("fft: the number of points must be a multiple of the ranks, and at most 16384");
  if (race.rank == 0)
    std::printf("fft: ranks %d, threads %d, points %d x %d\n", race.ranks, omp_get_max_threads(),
                points, points);
  bool right;
  {
    Slab slab(points, race);
    right = compare(slab, race, points, repetitions);
  }
  return end_race(&race, right);
}
