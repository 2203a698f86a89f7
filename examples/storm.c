// SPDX-License-Identifier: BSD-3-Clause
// A halo exchange where work is uneven. Two substances spread over a field and turn into each
// other. The field is cut into strips of columns, one for each rank of a line; every rank has a
// piece of all rows. In each time step a storm stands over some rows of one rank, now here, now
// there, and those rows take many times as long.
//
//     storm [columns of each rank [time steps [small steps in a storm [repetitions]]]]
//
// Without partitions every rank computes its rows, and then all exchange their edges: each time
// step lasts as long as it does under the storm. With them the rows of the edges are partitions, a
// band of four rows each. A band is marked when it is computed, and the next step of the same band
// begins when its neighbours in the west and in the east have arrived, whatever the rest of the
// strip does: ranks under a blue sky run ahead, as far as one step, and are not idle when the storm
// comes to them.
//
// A sine mode of the field decays, and the substances turn, in a known way, which is what the end
// is checked against.

#include "race.h"

#include <math.h>
#include <stdbool.h>

enum { rows = 64, rows_in_band = 4, bands = rows / rows_in_band };
enum { west, east, sides }; // as a Cartesian communicator of one dimension orders its neighbours
enum { small_steps = 4 };   // of a row, in each time step, under a blue sky

static const double pi = 3.14159265358979323846;
static const double diffusion = 0.2; // time step over distance squared, stable up to 0.25
static const double turn = 0.01;     // of the substances into each other, radians in a time step

typedef struct {
  double a, b;
} Cell;

// The edges of the strip, or those of its neighbours, band by band. In the two arrays of an
// exchange a side is a segment.
typedef Cell Edge[rows];

// Of the state before the even time steps, or before the odd ones: one of them can still be on its
// way while rows of the next one are marked.
typedef struct {
  Edge *outgoing, *incoming; // `sides` of each
  MPI_Request request[ways];
} Exchange;

typedef struct {
  Race* race;
  MPI_Comm line;
  int columns;           // of this rank, numbered from 1; 0 and columns + 1 are the neighbours'
  int steps, storm;      // small steps in a storm
  Cell *state, *next;    // rows + 2 rows, the first and the last stay 0
  Exchange exchanges[2]; // of even and odd steps
} Strip;

static Cell* row_of(const Strip* strip, Cell* field, int row) {
  return field + (size_t)(row + 1) * (size_t)(strip->columns + 2);
}

// ---- The exchanges, bound

// Of the two segments, in elements. The arrays stay as long as the requests: MPI may want to look
// at them again.
static const int counts[sides] = {2 * rows, 2 * rows}, begins[sides] = {0, 2 * rows};

// The same with partitions: a segment has one for each band, and the count is that of a partition.
static const int partitions[sides] = {bands, bands};
static const MPI_Count counts_each[sides] = {2 * rows_in_band, 2 * rows_in_band};
static const MPI_Aint places[sides] = {0, 2 * rows};

static Exchange bind_exchange(const Strip* strip) {
  Exchange exchange = {.outgoing = new_shared(sizeof(Edge[sides])),
                       .incoming = new_shared(sizeof(Edge[sides]))};
  // Where a strip has no neighbour, the outside is 0, and stays so.
  for (int side = 0; side < sides; ++side)
    for (int row = 0; row < rows; ++row) exchange.incoming[side][row] = (Cell){0, 0};

  MPI_Neighbor_alltoallv_init(exchange.outgoing, counts, begins, MPI_DOUBLE, exchange.incoming,
                              counts, begins, MPI_DOUBLE, strip->line, MPI_INFO_NULL,
                              &exchange.request[whole]);

  // A band's edge is 64 bytes. So small neighbouring partitions usually travel together, when the
  // last of them is marked. Here each is worth a message of its own.
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpix_min_message_bytes", "1");
  MPIX_Pneighbor_alltoallv_init(exchange.outgoing, partitions, counts_each, places, MPI_DOUBLE,
                                exchange.incoming, partitions, counts_each, places, MPI_DOUBLE,
                                strip->line, info, &exchange.request[parts]);
  MPI_Info_free(&info);
  return exchange;
}

static Strip new_strip(Race* race, int columns, int steps, int storm) {
  Strip strip = {.race = race, .columns = columns, .steps = steps, .storm = storm};
  const int not_periodic = 0;
  MPI_Cart_create(race->comm, 1, &race->ranks, &not_periodic, 0, &strip.line);
  strip.state = malloc((size_t)(rows + 2) * (size_t)(columns + 2) * sizeof(Cell));
  strip.next = malloc((size_t)(rows + 2) * (size_t)(columns + 2) * sizeof(Cell));
  if (!strip.state || !strip.next) give_up("storm: no memory");
  for (int parity = 0; parity < 2; ++parity) strip.exchanges[parity] = bind_exchange(&strip);
  return strip;
}

static void free_strip(Strip* strip) {
  for (int parity = 0; parity < 2; ++parity) {
    Exchange* exchange = &strip->exchanges[parity];
    for (int way = 0; way < ways; ++way) MPI_Request_free(&exchange->request[way]);
    MPI_Free_mem(exchange->outgoing);
    MPI_Free_mem(exchange->incoming);
  }
  MPI_Comm_free(&strip->line);
  free(strip->state);
  free(strip->next);
}

// ---- The field

static double mode(const Strip* strip, int row, int column) {
  const int all_columns = strip->columns * strip->race->ranks;
  return sin(pi * (row + 1) / (rows + 1)) *
         sin(pi * (strip->columns * strip->race->rank + column) / (all_columns + 1));
}

static void set_state(Strip* strip) {
  for (int row = -1; row <= rows; ++row)
    for (int column = 0; column <= strip->columns + 1; ++column)
      row_of(strip, strip->state, row)[column] = row_of(strip, strip->next, row)[column] =
          (Cell){mode(strip, row, column), 0};
}

// The strongest storm there is: over a quarter of the rows, of one rank after the other.
static int small_steps_of(const Strip* strip, int step, int row) {
  const int first = step * 23 % (rows - rows / 4 + 1);
  const bool is_here = step % strip->race->ranks == strip->race->rank;
  return is_here && first <= row && row < first + rows / 4 ? strip->storm : small_steps;
}

// A row of `next` from those of `state` around it; its ends come from the neighbours.
static void advance_row(Strip* strip, int step, int row) {
  const Exchange* from = &strip->exchanges[step % 2];
  const Cell *above = row_of(strip, strip->state, row - 1),
             *below = row_of(strip, strip->state, row + 1);
  Cell *here = row_of(strip, strip->state, row), *to = row_of(strip, strip->next, row);
  const int columns = strip->columns;
  here[0] = from->incoming[west][row];
  here[columns + 1] = from->incoming[east][row];
  for (int j = 1; j <= columns; ++j) {
    const Cell *c = &here[j], *l = &here[j - 1], *r = &here[j + 1];
    to[j].a = c->a + diffusion * (above[j].a + below[j].a + l->a + r->a - 4 * c->a);
    to[j].b = c->b + diffusion * (above[j].b + below[j].b + l->b + r->b - 4 * c->b);
  }
  // Small steps or large ones come to the same here; that is for the check.
  const int count = small_steps_of(strip, step, row);
  const double cosine = cos(turn / count), sine = sin(turn / count);
  for (int k = 0; k < count; ++k)
    for (int j = 1; j <= columns; ++j)
      to[j] = (Cell){cosine * to[j].a - sine * to[j].b, sine * to[j].a + cosine * to[j].b};
}

static void put_edges(Strip* strip, Exchange* to, Cell* field, int band) {
  for (int row = band * rows_in_band; row < (band + 1) * rows_in_band; ++row) {
    to->outgoing[west][row] = row_of(strip, field, row)[1];
    to->outgoing[east][row] = row_of(strip, field, row)[strip->columns];
  }
}

// A band of the next state, and its edges.
static void advance_band(Strip* strip, int step, int band) {
  for (int row = band * rows_in_band; row < (band + 1) * rows_in_band; ++row)
    advance_row(strip, step, row);
  put_edges(strip, &strip->exchanges[(step + 1) % 2], strip->next, band);
}

static void swap_states(Strip* strip) {
  Cell* state = strip->state;
  strip->state = strip->next;
  strip->next = state;
}

// ---- Without partitions

static void run_whole(Strip* strip) {
  for (int band = 0; band < bands; ++band)
    put_edges(strip, &strip->exchanges[0], strip->state, band);
  for (int step = 0; step < strip->steps; ++step) {
    MPI_Request* request = &strip->exchanges[step % 2].request[whole];
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
#pragma omp parallel for schedule(dynamic)
    for (int band = 0; band < bands; ++band) advance_band(strip, step, band);
    swap_states(strip);
  }
}

// ---- With partitions

// Moves the bands whose edges have arrived from both sides, for the first `count` of these, to the
// front. Returns how many. MPIX_ALL_SOURCES asks for the partition of this number in all segments;
// what comes from where there is no neighbour has arrived at once.
static int sort_out_arrived(MPI_Request* request, int* band, int count) {
  int arrived = 0;
  for (int i = 0; i < count; ++i) {
    int flag;
    MPIX_Parrived_extended(request, band[i], MPIX_ALL_SOURCES, &flag);
    if (!flag) continue;
    const int other = band[arrived];
    band[arrived++] = band[i];
    band[i] = other;
  }
  return arrived;
}

// The main thread asks, all threads compute what can be computed, and each marks what it has
// computed, for both neighbours, without waiting for the others.
static void advance_parts(Strip* strip, int step) {
  MPI_Request* now = &strip->exchanges[step % 2].request[parts];
  MPI_Request* next = &strip->exchanges[(step + 1) % 2].request[parts];
  int band[bands], done = 0;
  for (int i = 0; i < bands; ++i) band[i] = i;
  MPI_Start(next); // before any of its partitions is marked
  while (done < bands) {
    const int count = sort_out_arrived(now, band + done, bands - done);
#pragma omp parallel for schedule(dynamic) if (count > 1)
    for (int i = 0; i < count; ++i) {
      advance_band(strip, step, band[done + i]);
      MPIX_Pready_extended(band[done + i], MPIX_ALL_DESTS, next);
    }
    done += count;
  }
  MPI_Wait(now, MPI_STATUS_IGNORE); // ends its round; the next but one step starts it again
}

static void run_parts(Strip* strip) {
  MPI_Request* first = &strip->exchanges[0].request[parts];
  MPI_Start(first);
  for (int band = 0; band < bands; ++band)
    put_edges(strip, &strip->exchanges[0], strip->state, band);
  MPIX_Pready_range_extended(0, bands - 1, MPIX_ALL_DESTS, first);
  for (int step = 0; step < strip->steps; ++step) {
    advance_parts(strip, step);
    swap_states(strip);
  }
  MPI_Wait(&strip->exchanges[strip->steps % 2].request[parts], MPI_STATUS_IGNORE);
}

// ---- The check

// The scheme multiplies the mode by a known factor in each step, and turns it.
static bool is_right(Strip* strip) {
  const int all_columns = strip->columns * strip->race->ranks;
  const double across = sin(pi / 2 / (rows + 1)), along = sin(pi / 2 / (all_columns + 1));
  const double factor =
      pow(1 - 4 * diffusion * (across * across + along * along), (double)strip->steps);
  const double cosine = cos(turn * strip->steps), sine = sin(turn * strip->steps);
  bool right = true;
  for (int row = 0; row < rows; ++row)
    for (int column = 1; column <= strip->columns; ++column) {
      const Cell cell = row_of(strip, strip->state, row)[column];
      const double expected = factor * mode(strip, row, column);
      const double error = fabs(cell.a - cosine * expected) + fabs(cell.b - sine * expected);
      right = right && error < 1e-10; // not if it is NaN
    }
  return right;
}

int main(int argc, char** argv) {
  Race race = begin_race(&argc, &argv);
  Strip strip = new_strip(&race, number(argc, argv, 1, 256), number(argc, argv, 2, 100),
                          number(argc, argv, 3, 16 * small_steps));
  const int repetitions = number(argc, argv, 4, 5);
  bool right = true;
  if (race.rank == 0)
    printf("storm: ranks %d, threads %d, rows %d, columns %d on each, steps %d\n", race.ranks,
           omp_get_max_threads(), rows, strip.columns, strip.steps);
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (int k = 0; k < ways; ++k) {
      const Way way = way_of(repetition, k);
      set_state(&strip);
      start_clock(&race);
      if (way == whole)
        run_whole(&strip);
      else
        run_parts(&strip);
      stop_clock(&race, way);
      right = is_right(&strip) && right;
    }
  free_strip(&strip);
  return end_race(&race, right);
}
