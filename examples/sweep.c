// SPDX-License-Identifier: BSD-3-Clause
// A program of MPI-1 and three lines more, which turn its persistent requests into channels. They
// are marked `line 1 of 3` and so on.
//
// Heat in many bars, each cut into a piece for every rank, in implicit time steps: a tridiagonal
// system for each bar. The elimination sweeps from west to east, the substitution back. A batch of
// bars follows the other, so that all ranks have work; what one rank sends the next cannot begin
// without, so that all of the time of a message is paid for.
//
//     sweep [cells of a bar in each rank [batches [bars of a batch [time steps [repetitions]]]]]
//
// A sine mode of a bar decays by a known factor in each step, which is what the end is checked
// against.

#include "race.h"

#include <math.h>

// The requests of a batch. Those of other batches follow.
enum { from_west, to_east, from_east, to_west, messages };

static const double pi = 3.14159265358979323846;
static const double diffusion = 2; // time step over distance squared

typedef struct {
  Race* race;
  int cells, batches, bars, steps; // cells of a bar in this rank, bars of a batch
  double* heat;                    // of batch, cell, bar
  double *factors, *divisors;      // of the elimination, for each cell
  double* edges;                   // of batch, message, bar
} Field;

static double* cells_of(const Field* field, int batch, int cell) {
  return field->heat + ((size_t)batch * (size_t)field->cells + (size_t)cell) * (size_t)field->bars;
}
static double* edge_of(const Field* field, int batch, int message) {
  return field->edges + (batch * messages + message) * field->bars;
}

static void init_requests(const Field* field, MPI_Request request[]) {
  const int rank = field->race->rank, ranks = field->race->ranks;
  const int west = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int east = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  for (int batch = 0; batch < field->batches; ++batch, request += messages) {
    MPI_Recv_init(edge_of(field, batch, from_west), field->bars, MPI_DOUBLE, west, 2 * batch,
                  MPI_COMM_WORLD, &request[from_west]);
    MPI_Send_init(edge_of(field, batch, to_east), field->bars, MPI_DOUBLE, east, 2 * batch,
                  MPI_COMM_WORLD, &request[to_east]);
    MPI_Recv_init(edge_of(field, batch, from_east), field->bars, MPI_DOUBLE, east, 2 * batch + 1,
                  MPI_COMM_WORLD, &request[from_east]);
    MPI_Send_init(edge_of(field, batch, to_west), field->bars, MPI_DOUBLE, west, 2 * batch + 1,
                  MPI_COMM_WORLD, &request[to_west]);
  }
}

// ---- The sweeps through a batch

static void eliminate(const Field* field, int batch) {
  const double* before = edge_of(field, batch, from_west);
  for (int cell = 0; cell < field->cells; ++cell) {
    double* heat = cells_of(field, batch, cell);
    for (int bar = 0; bar < field->bars; ++bar)
      heat[bar] = (heat[bar] + diffusion * before[bar]) / field->divisors[cell];
    before = heat;
  }
  for (int bar = 0; bar < field->bars; ++bar) edge_of(field, batch, to_east)[bar] = before[bar];
}

static void substitute(const Field* field, int batch) {
  const double* after = edge_of(field, batch, from_east);
  for (int cell = field->cells - 1; cell >= 0; --cell) {
    double* heat = cells_of(field, batch, cell);
    for (int bar = 0; bar < field->bars; ++bar) heat[bar] += field->factors[cell] * after[bar];
    after = heat;
  }
  for (int bar = 0; bar < field->bars; ++bar) edge_of(field, batch, to_west)[bar] = after[bar];
}

// ---- The program. It does not know whether its requests are channels.

static void start_all(const Field* field, MPI_Request request[], int message) {
  for (int batch = 0; batch < field->batches; ++batch)
    MPI_Start(&request[batch * messages + message]);
}

static void wait_all(const Field* field, MPI_Request request[], int message) {
  for (int batch = 0; batch < field->batches; ++batch)
    MPI_Wait(&request[batch * messages + message], MPI_STATUS_IGNORE);
}

// Every message finds its receiver started. Who sends east has been sent what came back in the step
// before, and the neighbour had started its receives of this step before it sent that. Who sends
// west has received from the west, and the neighbour there had started all receives before it sent.
// So MPI_Rsend_init would be right too, and channels are.
static void step(const Field* field, MPI_Request request[], int is_last) {
  start_all(field, request, from_east);
  for (int batch = 0; batch < field->batches; ++batch) {
    MPI_Wait(&request[batch * messages + from_west], MPI_STATUS_IGNORE);
    eliminate(field, batch);
    MPI_Start(&request[batch * messages + to_east]);
  }
  if (!is_last) start_all(field, request, from_west);
  for (int batch = 0; batch < field->batches; ++batch) {
    MPI_Wait(&request[batch * messages + from_east], MPI_STATUS_IGNORE);
    substitute(field, batch);
    MPI_Start(&request[batch * messages + to_west]);
  }
  wait_all(field, request, to_east);
  wait_all(field, request, to_west);
}

static void run(const Field* field, MPI_Request request[], Way way) {
  start_all(field, request, from_west);
  start_clock(field->race); // with a barrier
  for (int k = 1; k <= field->steps; ++k) step(field, request, k == field->steps);
  stop_clock(field->race, way);
}

// ---- The field

static double mode(const Field* field, int cell, int bar) {
  const int rank = field->race->rank, all = field->race->ranks * field->cells;
  return (1 + bar) * sin(pi * (rank * field->cells + cell + 1) / (all + 1));
}

static void set_heat(const Field* field) {
  for (int batch = 0; batch < field->batches; ++batch)
    for (int cell = 0; cell < field->cells; ++cell)
      for (int bar = 0; bar < field->bars; ++bar)
        cells_of(field, batch, cell)[bar] = mode(field, cell, bar);
}

static int is_right(const Field* field) {
  const double half = sin(pi / (2 * (field->race->ranks * field->cells + 1)));
  const double decay = pow(1 + 4 * diffusion * half * half, -field->steps);
  int right = 1;
  for (int batch = 0; batch < field->batches; ++batch)
    for (int cell = 0; cell < field->cells; ++cell)
      for (int bar = 0; bar < field->bars; ++bar) {
        const double wanted = decay * mode(field, cell, bar);
        if (!(fabs(cells_of(field, batch, cell)[bar] - wanted) < 1e-9 * (1 + bar))) right = 0;
      }
  return right;
}

static Field new_field(Race* race, int cells, int batches, int bars, int steps) {
  Field field = {.race = race, .cells = cells, .batches = batches, .bars = bars, .steps = steps};
  field.heat = malloc((size_t)batches * (size_t)cells * (size_t)bars * sizeof(double));
  field.factors = malloc((size_t)cells * sizeof(double));
  field.divisors = malloc((size_t)cells * sizeof(double));
  // At the ends of a bar nothing comes, and the heat outside stays 0.
  field.edges = calloc((size_t)(batches * messages) * (size_t)bars, sizeof(double));
  if (!field.heat || !field.factors || !field.divisors || !field.edges) give_up("sweep: no memory");
  double factor = 0;
  for (int cell = -race->rank * cells; cell < cells; ++cell) {
    const double divisor = 1 + 2 * diffusion - diffusion * factor;
    factor = diffusion / divisor;
    if (cell < 0) continue; // in the ranks before
    field.divisors[cell] = divisor;
    field.factors[cell] = factor;
  }
  return field;
}

static void free_field(Field* field) {
  free(field->heat);
  free(field->factors);
  free(field->divisors);
  free(field->edges);
}

int main(int argc, char** argv) {
  Race race = begin_race(&argc, &argv);
  const int cells = number(argc, argv, 1, 16), batches = number(argc, argv, 2, 8);
  const int bars = number(argc, argv, 3, 4), steps = number(argc, argv, 4, 200);
  const int repetitions = number(argc, argv, 5, 10);
  Field field = new_field(&race, cells, batches, bars, steps);
  const int n = batches * messages;
  MPI_Request* request = malloc((size_t)n * sizeof(MPI_Request));
  MPI_Request* channel = malloc((size_t)n * sizeof(MPI_Request)); // line 1 of 3
  if (!request || !channel) give_up("sweep: no memory");
  init_requests(&field, request);
  MPIX_Bind_channels(request, channel, n, NULL); // line 2 of 3

  int right = 1;
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (int turn = 0; turn < ways; ++turn) {
      const Way way = way_of(repetition, turn);
      set_heat(&field);
      run(&field, way == bound ? channel : request, way);
      right &= is_right(&field);
    }

  MPIX_Unbind_channels(channel, n); // line 3 of 3
  for (int i = 0; i < n; ++i) MPI_Request_free(&request[i]);
  free(channel);
  free(request);
  free_field(&field);
  return end_race(&race, right);
}
