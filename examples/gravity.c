// SPDX-License-Identifier: BSD-3-Clause
// The gravitational potential at every body of a cloud, by a pipeline round a ring of ranks. A rank
// has some blocks of bodies. Copies of them travel round the ring; every rank adds what its own
// bodies contribute to a block that comes by, and passes it on, until it is home again.
//
//     gravity [blocks of each rank [bodies of a block [repetitions]]]
//
// To overlap, several blocks must be under way between two ranks: each has a ring of slots to send
// from and one to receive into. In plain MPI that takes a request for each slot, in channels one
// for all of them: a channel with a slackness of K may be started K times before the first Wait,
// and its base address moves on to the next slot by itself.
//
// The potentials are checked against the sum over all bodies, which every rank can compute alone.

#include "race.h"

#include <math.h>

typedef struct {
  double place[3];
  double potential;
} Body;

enum { numbers = sizeof(Body) / sizeof(double) };

typedef struct {
  Race* race;
  int bodies; // of a block
  int blocks; // of this rank
  int slots;  // of a ring: twice the blocks
  int next, previous;
  int before[ways];              // blocks that were sent, and received, in the runs before
  Body *own, *home, *wanted;     // blocks
  Body *outgoing, *incoming;     // rings of slots
  MPI_Request *sends, *receives; // plain: one for each slot
  MPI_Request send, receive;     // bound: one each
} Cloud;

static Body* block_of(const Cloud* cloud, Body* blocks, int i) {
  return blocks + (size_t)i * (size_t)cloud->bodies;
}

// Of the i-th block in a run. Nothing sets a channel back to its first slot: where a run has ended
// the next goes on.
static int slot(const Cloud* cloud, Way way, int i) {
  return (cloud->before[way] + i) % cloud->slots;
}

// ---- The channels

// Synchronous sends make flow control: a rank may start one when it likes. Those of MPI_Send_init
// are for programs in which the receiver has always started already, and here nobody waits for
// that.
static void bind_channels(Cloud* cloud) {
  enum { out, in, ends };
  const int count = numbers * cloud->bodies, slackness[ends] = {cloud->slots, cloud->slots};
  MPI_Request message[ends], channel[ends];
  MPI_Ssend_init(cloud->outgoing, count, MPI_DOUBLE, cloud->next, 0, cloud->race->comm,
                 &message[out]);
  MPI_Recv_init(cloud->incoming, count, MPI_DOUBLE, cloud->previous, 0, cloud->race->comm,
                &message[in]);

  char increment[16];
  MPI_Info info;
  snprintf(increment, sizeof increment, "%d", count);
  MPI_Info_create(&info);
  MPI_Info_set(info, "ADDRESS_BASE_INCREMENT", increment);
  const MPI_Info infos[ends] = {info, info};
  // Both at once: if each rank bound its send first, all would wait for each other.
  MPIX_Bind_slack_channels(message, channel, ends, slackness, infos);
  MPI_Info_free(&info);
  for (int i = 0; i < ends; ++i) MPI_Request_free(&message[i]); // the channels stay
  cloud->send = channel[out];
  cloud->receive = channel[in];
}

// ---- The i-th block that is sent or received

static void start_receive(Cloud* cloud, Way way, int i) {
  if (way == bound)
    MPI_Start(&cloud->receive);
  else
    MPI_Irecv(block_of(cloud, cloud->incoming, slot(cloud, way, i)), numbers * cloud->bodies,
              MPI_DOUBLE, cloud->previous, 0, cloud->race->comm,
              &cloud->receives[slot(cloud, way, i)]);
}

static void start_send(Cloud* cloud, Way way, int i) {
  if (way == bound)
    MPI_Start(&cloud->send);
  else
    MPI_Isend(block_of(cloud, cloud->outgoing, slot(cloud, way, i)), numbers * cloud->bodies,
              MPI_DOUBLE, cloud->next, 0, cloud->race->comm, &cloud->sends[slot(cloud, way, i)]);
}

// Of a channel it is always the oldest that completes: the i-th, as they are waited for in order.
static void wait_receive(Cloud* cloud, Way way, int i) {
  MPI_Wait(way == bound ? &cloud->receive : &cloud->receives[slot(cloud, way, i)],
           MPI_STATUS_IGNORE);
}

static void wait_send(Cloud* cloud, Way way, int i) {
  MPI_Wait(way == bound ? &cloud->send : &cloud->sends[slot(cloud, way, i)], MPI_STATUS_IGNORE);
}

// ---- The cloud

// Any numbers that do not repeat.
static void place(Body* body, int number_of_body) {
  static const double steps[] = {0.8191725134, 0.6710436067, 0.5497004779};
  for (int k = 0; k < 3; ++k) body->place[k] = fmod((number_of_body + 1) * steps[k], 1.0);
  body->potential = 0;
}

static void add_pull(Body* body, const Body* others, int count) {
  for (int i = 0; i < count; ++i) {
    double squared = 0;
    for (int k = 0; k < 3; ++k)
      squared += (body->place[k] - others[i].place[k]) * (body->place[k] - others[i].place[k]);
    if (squared > 0) body->potential -= 1 / sqrt(squared); // 0 is the body itself
  }
}

static void compute(const Cloud* cloud, const Body* from, Body* to) {
  for (int i = 0; i < cloud->bodies; ++i) {
    to[i] = from[i];
    add_pull(&to[i], cloud->own, cloud->blocks * cloud->bodies);
  }
}

// Each rank sends its own blocks and then, `blocks` sends later, what it receives. A slot is filled
// again when its send is complete: that of `slots` sends ago.
static void send_next(Cloud* cloud, Way way, int i, const Body* from) {
  if (i >= cloud->slots) wait_send(cloud, way, i - cloud->slots);
  compute(cloud, from, block_of(cloud, cloud->outgoing, slot(cloud, way, i)));
  start_send(cloud, way, i);
}

static void run(Cloud* cloud, Way way) {
  const int blocks = cloud->blocks, all = blocks * cloud->race->ranks;
  for (int i = 0; i < cloud->slots && i < all; ++i) start_receive(cloud, way, i);
  for (int i = 0; i < blocks; ++i) send_next(cloud, way, i, block_of(cloud, cloud->own, i));
  for (int i = 0; i < all; ++i) {
    const Body* received = block_of(cloud, cloud->incoming, slot(cloud, way, i));
    wait_receive(cloud, way, i);
    if (i + blocks < all)
      send_next(cloud, way, i + blocks, received);
    else // it is one of our own
      for (int k = 0; k < cloud->bodies; ++k)
        block_of(cloud, cloud->home, i + blocks - all)[k] = received[k];
    if (i + cloud->slots < all) start_receive(cloud, way, i + cloud->slots);
  }
  for (int i = all < cloud->slots ? 0 : all - cloud->slots; i < all; ++i) wait_send(cloud, way, i);
  cloud->before[way] += all;
}

// The sum over all bodies, without a message.
static void sum_alone(const Cloud* cloud) {
  const int own = cloud->blocks * cloud->bodies;
  for (int i = 0; i < own; ++i) cloud->wanted[i] = cloud->own[i];
  for (int j = 0; j < own * cloud->race->ranks; ++j) {
    Body other;
    place(&other, j);
    for (int i = 0; i < own; ++i) add_pull(&cloud->wanted[i], &other, 1);
  }
}

static int is_right(const Cloud* cloud) {
  int right = 1;
  for (int i = 0; i < cloud->blocks * cloud->bodies; ++i) {
    const double wanted = cloud->wanted[i].potential;
    if (!(fabs(cloud->home[i].potential - wanted) <= 1e-9 * fabs(wanted))) right = 0;
    cloud->home[i].potential = 1; // what nobody has written next time is wrong
  }
  return right;
}

static Cloud new_cloud(Race* race, int blocks, int bodies) {
  Cloud cloud = {.race = race, .bodies = bodies, .blocks = blocks, .slots = 2 * blocks};
  const size_t all = (size_t)blocks * (size_t)bodies;
  cloud.next = (race->rank + 1) % race->ranks;
  cloud.previous = (race->rank + race->ranks - 1) % race->ranks;
  cloud.own = malloc(all * sizeof(Body));
  cloud.home = malloc(all * sizeof(Body));
  cloud.wanted = malloc(all * sizeof(Body));
  cloud.sends = malloc((size_t)cloud.slots * sizeof(MPI_Request));
  cloud.receives = malloc((size_t)cloud.slots * sizeof(MPI_Request));
  if (!cloud.own || !cloud.home || !cloud.wanted || !cloud.sends || !cloud.receives)
    give_up("gravity: no memory");
  for (int i = 0; i < cloud.slots; ++i) cloud.sends[i] = cloud.receives[i] = MPI_REQUEST_NULL;
  cloud.outgoing = new_shared(2 * all * sizeof(Body));
  cloud.incoming = new_shared(2 * all * sizeof(Body));
  for (int i = 0; i < blocks * bodies; ++i) place(&cloud.own[i], race->rank * blocks * bodies + i);
  sum_alone(&cloud);
  bind_channels(&cloud);
  return cloud;
}

static void free_cloud(Cloud* cloud) {
  MPIX_Unbind_channel(&cloud->send);
  MPIX_Unbind_channel(&cloud->receive);
  MPI_Free_mem(cloud->outgoing);
  MPI_Free_mem(cloud->incoming);
  free(cloud->own);
  free(cloud->home);
  free(cloud->wanted);
  free(cloud->sends);
  free(cloud->receives);
}

int main(int argc, char** argv) {
  Race race = begin_race(&argc, &argv);
  const int blocks = number(argc, argv, 1, 8), bodies = number(argc, argv, 2, 16);
  const int repetitions = number(argc, argv, 3, 20);
  Cloud cloud = new_cloud(&race, blocks, bodies);
  int right = 1;
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (int turn = 0; turn < ways; ++turn) {
      const Way way = way_of(repetition, turn);
      start_clock(&race);
      run(&cloud, way);
      stop_clock(&race, way);
      right &= is_right(&cloud);
    }
  free_cloud(&cloud);
  return end_race(&race, right);
}
