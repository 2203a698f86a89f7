// SPDX-License-Identifier: BSD-3-Clause
// The highest frequency of a ring of equal masses joined by equal springs, by power iteration: the
// root broadcasts the shape, every rank computes the forces on its own masses, a reduction brings
// them together at the root. Both collectives are bound once and started in every round. With an
// even number of masses, neighbours swing against each other and the frequency squared is exactly 4
// (in units of stiffness over mass).

#include "persistent.h"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t masses = 12;
constexpr int rounds = 200;
constexpr double exact = 4.0;
constexpr double tolerance = 1e-10;

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Any shape that is not orthogonal to the wanted one will do.
Vector initial_shape() {
  Vector shape(masses);
  for (std::size_t i = 0; i < masses; ++i) shape[i] = std::sin(1.0 + static_cast<double>(i * i));
  return shape;
}

// The forces on masses [begin, end) of the ring; all others are left at zero.
void compute_forces(const Vector& shape, std::size_t begin, std::size_t end, Vector& forces) {
  for (std::size_t i = begin; i < end; ++i)
    forces[i] = 2 * shape[i] - shape[(i + 1) % masses] - shape[(i + masses - 1) % masses];
}

void run_once(MPI_Request& request) {
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// Returns the frequency squared; it means something on the root alone.
double iterate(MPI_Comm comm, int root) {
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const std::size_t begin =
      masses * static_cast<std::size_t>(rank) / static_cast<std::size_t>(ranks);
  const std::size_t end =
      masses * (static_cast<std::size_t>(rank) + 1) / static_cast<std::size_t>(ranks);

  Vector shape = initial_shape(), forces(masses, 0.0), all_forces(masses, 0.0);
  const int count = static_cast<int>(masses);
  MPI_Request spread, collect;
  MPI_Bcast_init(shape.data(), count, MPI_DOUBLE, root, comm, MPI_INFO_NULL, &spread);
  MPI_Reduce_init(forces.data(), all_forces.data(), count, MPI_DOUBLE, MPI_SUM, root, comm,
                  MPI_INFO_NULL, &collect);

  double frequency_squared = 0;
  for (int round = 0; round < rounds; ++round) {
    run_once(spread);
    compute_forces(shape, begin, end, forces);
    run_once(collect);
    if (rank != root) continue;
    frequency_squared = dot(shape, all_forces) / dot(shape, shape);
    const double length = std::sqrt(dot(all_forces, all_forces));
    for (std::size_t i = 0; i < masses; ++i) shape[i] = all_forces[i] / length;
  }
  MPI_Request_free(&spread);
  MPI_Request_free(&collect);
  return frequency_squared;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int root = ranks - 1;

  double answer = iterate(MPI_COMM_WORLD, root);
  MPI_Bcast(&answer, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
  const bool right = std::abs(answer - exact) < tolerance;
  if (rank == 0)
    std::printf("ring: ranks %d, frequency squared %.10f, exactly %.1f: %s\n", ranks, answer, exact,
                right ? "right" : "WRONG");
  MPI_Finalize();
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
