// SPDX-License-Identifier: BSD-3-Clause
// Heat in a ring of cells, every state of which is written to a file. MPI has no persistent
// collective write: this program makes one, as a generalized request, and bundles it with the
// exchange of the edges. Each time step starts and completes one request.
//
//     snapshots [cells of each rank [time steps [file]]]
//
// A sine mode of the ring decays by a known factor in each step, which is what the file is checked
// against in the end. The file is then deleted.

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpix/mpix.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { parities = 2 };

static const double pi = 3.14159265358979323846;
static const double diffusion = 0.2; // time step over distance squared, stable up to 0.5

static int rank, ranks;

static void give_up(const char* why) {
  fprintf(stderr, "snapshots: %s\n", why);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

// ---- A persistent collective write

typedef struct {
  MPI_File file;
  MPI_Offset offset; // of the next round, in bytes
  const double* from;
  int count;
  MPI_Request request; // of the round
  MPI_Status status;
} Write;

static int begin_write(void* state) {
  Write* write = state;
  return MPI_File_iwrite_at_all(write->file, write->offset, write->from, write->count, MPI_DOUBLE,
                                &write->request);
}

static int poll_write(void* state, int* flag) {
  Write* write = state;
  return MPI_Test(&write->request, flag, &write->status);
}

// The status tells how much was written, as that of MPI_File_write_at_all does.
static int tell_write(void* state, MPI_Status* status) {
  const Write* write = state;
  int count;
  MPI_Get_count(&write->status, MPI_DOUBLE, &count);
  return MPI_Status_set_elements(status, MPI_DOUBLE, count);
}

static MPI_Request bind_write(Write* write) {
  MPI_Request request;
  MPIX_Pgrequest_init(begin_write, poll_write, tell_write, NULL, NULL, write, &request);
  return request;
}

// ---- A state: its cells between those of the neighbours, and what is done to it

enum { recv_west, recv_east, send_west, send_east, written, members };

typedef struct {
  double* cells; // count + 2; the first and the last are the neighbours'
  Write write;
  MPI_Request member[members];
  MPI_Request bundle;
} State;

static void bind_state(State* state, int count, MPI_File file) {
  const int west = (rank + ranks - 1) % ranks, east = (rank + 1) % ranks;
  double* cells = calloc((size_t)count + 2, sizeof *cells);
  if (!cells) give_up("no memory");
  state->cells = cells;
  state->write = (Write){.file = file, .from = cells + 1, .count = count};
  MPI_Recv_init(cells, 1, MPI_DOUBLE, west, 1, MPI_COMM_WORLD, &state->member[recv_west]);
  MPI_Recv_init(cells + count + 1, 1, MPI_DOUBLE, east, 2, MPI_COMM_WORLD,
                &state->member[recv_east]);
  MPI_Send_init(cells + 1, 1, MPI_DOUBLE, west, 2, MPI_COMM_WORLD, &state->member[send_west]);
  MPI_Send_init(cells + count, 1, MPI_DOUBLE, east, 1, MPI_COMM_WORLD, &state->member[send_east]);
  state->member[written] = bind_write(&state->write);
  MPIX_Bundle_init(members, state->member, MPI_INFO_NULL, &state->bundle);
}

static void free_state(State* state) {
  MPI_Request_free(&state->bundle); // before its members
  for (int i = 0; i < members; ++i) MPI_Request_free(&state->member[i]);
  free(state->cells);
}

// ---- The ring

static double mode(int cell, int count) {
  return sin(2 * pi * (rank * count + cell) / (ranks * count));
}

static double factor(int count) {
  const double half = sin(pi / (ranks * count));
  return 1 - 4 * diffusion * half * half;
}

static void advance(const State* from, State* to, int first, int last) {
  const double* u = from->cells;
  for (int i = first; i <= last; ++i)
    to->cells[i] = u[i] + diffusion * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

// Between Start and Wait a state is only read: by the sends, by the write, and by this program.
static void run(State states[parities], int count, int steps) {
  for (int step = 0; step < steps; ++step) {
    State *now = &states[step % parities], *next = &states[(step + 1) % parities];
    now->write.offset = ((MPI_Offset)step * ranks + rank) * count * (MPI_Offset)sizeof(double);
    MPI_Start(&now->bundle);
    advance(now, next, 2, count - 1);
    MPI_Wait(&now->bundle, MPI_STATUS_IGNORE);
    advance(now, next, 1, 1);
    advance(now, next, count, count);
  }
}

// Every rank reads what its neighbour wrote.
static int file_is_right(MPI_File file, int count, int steps) {
  const int east = (rank + 1) % ranks;
  double* read = malloc((size_t)count * sizeof *read);
  double scale = 1;
  int is_right = 1;
  if (!read) give_up("no memory");
  for (int step = 0; step < steps; ++step, scale *= factor(count)) {
    const MPI_Offset offset =
        ((MPI_Offset)step * ranks + east) * count * (MPI_Offset)sizeof(double);
    MPI_File_read_at_all(file, offset, read, count, MPI_DOUBLE, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i)
      if (!(fabs(read[i] - scale * mode((east - rank) * count + i, count)) < 1e-9)) is_right = 0;
  }
  free(read);
  return is_right;
}

static int number(int argc, char** argv, int place, int otherwise) {
  const int value = argc > place ? atoi(argv[place]) : otherwise;
  if (value < 2 || value > 1000000) give_up("an argument is not a number from 2 on");
  return value;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int count = number(argc, argv, 1, 10000), steps = number(argc, argv, 2, 100);
  const char* name = argc > 3 ? argv[3] : "snapshots.dat";
  const int access = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, name, access, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    give_up("the file cannot be opened");

  State states[parities];
  for (int parity = 0; parity < parities; ++parity) bind_state(&states[parity], count, file);
  for (int i = 1; i <= count; ++i) states[0].cells[i] = mode(i - 1, count);
  const double started = MPI_Wtime();
  run(states, count, steps);
  const double seconds = MPI_Wtime() - started;
  int right = file_is_right(file, count, steps), all_right;
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d states of %d cells in %.6f s\n%s\n", steps, ranks * count, seconds,
           all_right ? "right" : "WRONG");

  for (int parity = 0; parity < parities; ++parity) free_state(&states[parity]);
  MPI_File_close(&file);
  MPI_Finalize();
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
