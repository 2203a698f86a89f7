// SPDX-License-Identifier: BSD-3-Clause
// What the examples of partitioned communication and of channels share: their beginning, numbers
// from the command line, the clock, and the last lines. They do the same work in two ways, in turn.
// With partitions `whole` communicates when all is computed, and `parts` hands over every partition
// as soon as it is; with channels `plain` is what MPI has, and `bound` goes through channels.

#ifndef EXAMPLES_RACE_H
#define EXAMPLES_RACE_H

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpix/mpix.h>

#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <stdlib.h>

typedef enum { whole, parts, ways, plain = whole, bound = parts } Way;

typedef struct {
  MPI_Comm comm;
  int rank, ranks;
  const char* names[ways];
  double started, seconds[ways]; // of the slowest rank, in the quickest repetition
} Race;

static inline void give_up(const char* why) {
  fprintf(stderr, "%s\n", why);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

#ifdef _OPENMP

// A thread for each core that this rank may use: more of them, waiting for each other, would be in
// each other's way. OMP_NUM_THREADS decides otherwise.
static inline void choose_threads(MPI_Comm comm) {
  MPI_Comm node;
  int ranks;
  if (getenv("OMP_NUM_THREADS")) return;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &ranks);
  MPI_Comm_free(&node);
  omp_set_num_threads(omp_get_num_procs() > ranks ? omp_get_num_procs() / ranks : 1);
}

// MPI_THREAD_FUNNELED: the program has threads, and the main thread alone calls MPI. That is enough
// although all threads of these examples mark partitions, because marking needs no thread level:
// within a node the thread that marks also sends, and what it may not send itself goes out with the
// main thread's next mark, question or wait. MPI_THREAD_MULTIPLE would make all other calls lock.
static inline Race begin_race(int* argc, char*** argv) {
  Race race = {MPI_COMM_WORLD, 0, 1, {"whole", "parts"}, 0, {0, 0}};
  int level;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
  if (level < MPI_THREAD_FUNNELED) give_up("MPI does not let the program have threads");
  MPI_Comm_rank(race.comm, &race.rank);
  MPI_Comm_size(race.comm, &race.ranks);
  choose_threads(race.comm);
  return race;
}

#else

static inline Race begin_race(int* argc, char*** argv) {
  Race race = {MPI_COMM_WORLD, 0, 1, {"plain", "bound"}, 0, {0, 0}};
  MPI_Init(argc, argv);
  MPI_Comm_rank(race.comm, &race.rank);
  MPI_Comm_size(race.comm, &race.ranks);
  return race;
}

#endif

// The argument at this place, or what else it is.
static inline int number(int argc, char** argv, int place, int otherwise) {
  if (argc <= place) return otherwise;
  char* end;
  const long value = strtol(argv[place], &end, 10);
  if (*end != '\0' || value < 1 || value > 1000000)
    give_up("an argument is not a number from 1 on");
  return (int)value;
}

// The way that a turn goes: both in each repetition, and the first one is not always the same.
static inline Way way_of(int repetition, int turn) { return (Way)((repetition + turn) % ways); }

static inline void start_clock(Race* race) {
  MPI_Barrier(race->comm);
  race->started = MPI_Wtime();
}

static inline void stop_clock(Race* race, Way way) {
  double seconds = MPI_Wtime() - race->started, slowest;
  MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, race->comm);
  if (race->seconds[way] == 0 || slowest < race->seconds[way]) race->seconds[way] = slowest;
}

// The exit status of the program: success if every rank is right.
static inline int end_race(const Race* race, int right) {
  int all_right;
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_LAND, race->comm);
  if (race->rank == 0)
    printf("%s %.6f s\n%s %.6f s\nratio %.2f, %s / %s\n%s\n", race->names[0], race->seconds[0],
           race->names[1], race->seconds[1], race->seconds[1] / race->seconds[0], race->names[1],
           race->names[0], all_right ? "right" : "WRONG");
  MPI_Finalize();
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Memory of MPI_Alloc_mem. Any memory will do for partitions, but this the ranks of a node share: a
// marked partition is then read where it stands, and not copied into shared memory first.
static inline void* new_shared(size_t bytes) {
  void* memory;
  MPI_Alloc_mem((MPI_Aint)bytes, MPI_INFO_NULL, &memory);
  return memory;
}

#endif
