// SPDX-License-Identifier: BSD-3-Clause
// The game of life on a torus. Every rank has a square of cells and needs a frame of its eight
// neighbours' cells around it, in every generation: eight messages out and eight in. They are
// channels, and all sixteen are one bundle: a generation has one MPI_Start and one MPI_Wait.
//
//     life [8 by 8 tiles along an edge of a square [generations / 4 [repetitions]]]
//
// Gliders fly over the torus, one in some of the tiles, all in one direction: in four generations
// they move by one cell, down and to the right. So the end is known, cell by cell.

#include "race.h"

#include <stdbool.h>
#include <string.h>

enum { tile = 8 };
enum { neighbours = 8, messages = 2 * neighbours };
enum { parities = 2 }; // of generations: each has its field, for the next is made from it

typedef struct {
  unsigned char* cells; // edge + 2 rows of edge + 2
  MPI_Request request[ways][messages];
  MPI_Request bundle; // of those that are bound
} State;

typedef struct {
  Race* race;
  MPI_Comm torus;
  int edge;               // cells along it, without the frame
  int dims[2], coords[2]; // of ranks
  MPI_Datatype column;
  State states[parities];
} Life;

static unsigned char* cell_of(const Life* life, const State* state, int row, int column) {
  return state->cells + (size_t)row * (size_t)(life->edge + 2) + (size_t)column;
}

// ---- Messages. Inner cells have the numbers 1 to edge, the frame has 0 and edge + 1.

// The first of the cells that go in this direction, -1, 0 or 1; and of those that come from there.
static int inner(const Life* life, int direction) { return direction > 0 ? life->edge : 1; }
static int frame(const Life* life, int direction) {
  return direction < 0 ? 0 : direction > 0 ? life->edge + 1 : 1;
}

typedef int Send_init(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

// On a small torus some neighbours are the same rank, or this one. The tag says which way a message
// goes; for channels it says which ends belong together.
static void init_messages(const Life* life, const State* state, Send_init* send_init,
                          MPI_Request request[messages]) {
  int tag = 0;
  for (int down = -1; down <= 1; ++down)
    for (int right = -1; right <= 1; ++right) {
      if (down == 0 && right == 0) continue;
      const int to_place[] = {life->coords[0] + down, life->coords[1] + right};
      const int from_place[] = {life->coords[0] - down, life->coords[1] - right};
      const int count = down != 0 && right == 0 ? life->edge : 1; // a row, else a column, a corner
      const MPI_Datatype type = down == 0 ? life->column : MPI_UNSIGNED_CHAR;
      int to, from;
      MPI_Cart_rank(life->torus, to_place, &to);
      MPI_Cart_rank(life->torus, from_place, &from);
      send_init(cell_of(life, state, inner(life, down), inner(life, right)), count, type, to, tag,
                life->torus, &request[tag]);
      MPI_Recv_init(cell_of(life, state, frame(life, -down), frame(life, -right)), count, type,
                    from, tag, life->torus, &request[neighbours + tag]);
      ++tag;
    }
}

// The plain requests are started together. Those for the bundle are bound together; they are of
// MPI_Ssend_init, because a bundle starts all at once, and so no rank can see to it that the
// receives of its neighbours have started before its sends.
static void bind_state(const Life* life, State* state) {
  const size_t cells = (size_t)(life->edge + 2) * (size_t)(life->edge + 2);
  MPI_Request message[messages];
  state->cells = new_shared(cells);
  memset(state->cells, 0, cells);
  init_messages(life, state, MPI_Send_init, state->request[plain]);
  init_messages(life, state, MPI_Ssend_init, message);
  MPIX_Bind_channels(message, state->request[bound], messages, NULL);
  for (int i = 0; i < messages; ++i) MPI_Request_free(&message[i]); // the channels stay
  MPIX_Bundle_init(messages, state->request[bound], MPI_INFO_NULL, &state->bundle);
}

static void free_state(State* state) {
  MPI_Request_free(&state->bundle); // before its members
  MPIX_Unbind_channels(state->request[bound], messages);
  for (int i = 0; i < messages; ++i) MPI_Request_free(&state->request[plain][i]);
  MPI_Free_mem(state->cells);
}

static void exchange(State* state, Way way) {
  if (way == bound) {
    MPI_Start(&state->bundle);
    MPI_Wait(&state->bundle, MPI_STATUS_IGNORE);
  } else {
    MPI_Status statuses[messages];
    MPI_Startall(messages, state->request[plain]);
    MPI_Waitall(messages, state->request[plain], statuses);
  }
}

// ---- The game

static void advance(const Life* life, const State* from, State* to) {
  const int width = life->edge + 2;
  for (int row = 1; row <= life->edge; ++row) {
    const unsigned char* old = cell_of(life, from, row, 0);
    unsigned char* new_row = cell_of(life, to, row, 0);
    for (int i = 1; i <= life->edge; ++i) {
      const int alive = old[i - width - 1] + old[i - width] + old[i - width + 1] + old[i - 1] +
                        old[i + 1] + old[i + width - 1] + old[i + width] + old[i + width + 1];
      new_row[i] = alive == 3 || (alive == 2 && old[i]);
    }
  }
}

static void run(Life* life, int generations, Way way) {
  for (int k = 0; k < generations; ++k) {
    State *now = &life->states[k % parities], *next = &life->states[(k + 1) % parities];
    exchange(now, way);
    advance(life, now, next);
  }
}

// After so many moves, at a cell of this rank that is counted from 0.
static bool is_alive(const Life* life, int row, int column, int moves) {
  static const char glider[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  const int rows = life->dims[0] * life->edge, columns = life->dims[1] * life->edge;
  row = (life->coords[0] * life->edge + row + rows - moves % rows) % rows;
  column = (life->coords[1] * life->edge + column + columns - moves % columns) % columns;
  const unsigned number_of_tile = (unsigned)(row / tile * (columns / tile) + column / tile);
  if (number_of_tile * 2654435761u >> 31) return false; // half of the tiles are empty
  return row % tile < 3 && column % tile < 3 && glider[row % tile][column % tile];
}

static void set_cells(Life* life) {
  for (int row = 0; row < life->edge; ++row)
    for (int column = 0; column < life->edge; ++column)
      *cell_of(life, &life->states[0], row + 1, column + 1) = is_alive(life, row, column, 0);
}

static int is_right(const Life* life, int generations) {
  const State* last = &life->states[generations % parities];
  for (int row = 0; row < life->edge; ++row)
    for (int column = 0; column < life->edge; ++column)
      if (*cell_of(life, last, row + 1, column + 1) != is_alive(life, row, column, generations / 4))
        return 0;
  return 1;
}

static void begin_life(Life* life, Race* race, int edge) {
  const int periodic[] = {1, 1};
  life->race = race;
  life->edge = edge;
  life->dims[0] = life->dims[1] = 0;
  MPI_Dims_create(race->ranks, 2, life->dims);
  MPI_Cart_create(race->comm, 2, life->dims, periodic, 0, &life->torus);
  MPI_Cart_coords(life->torus, race->rank, 2, life->coords);
  MPI_Type_vector(edge, 1, edge + 2, MPI_UNSIGNED_CHAR, &life->column);
  MPI_Type_commit(&life->column);
  for (int parity = 0; parity < parities; ++parity) bind_state(life, &life->states[parity]);
}

static void end_life(Life* life) {
  for (int parity = 0; parity < parities; ++parity) free_state(&life->states[parity]);
  MPI_Type_free(&life->column);
  MPI_Comm_free(&life->torus);
}

int main(int argc, char** argv) {
  Race race = begin_race(&argc, &argv);
  const int tiles = number(argc, argv, 1, 4), moves = number(argc, argv, 2, 250);
  const int repetitions = number(argc, argv, 3, 10);
  Life life;
  begin_life(&life, &race, tile * tiles);
  int right = 1;
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (int turn = 0; turn < ways; ++turn) {
      const Way way = way_of(repetition, turn);
      set_cells(&life);
      start_clock(&race);
      run(&life, 4 * moves, way);
      stop_clock(&race, way);
      right &= is_right(&life, 4 * moves);
    }
  end_life(&life);
  return end_race(&race, right);
}
