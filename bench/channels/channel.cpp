// SPDX-License-Identifier: BSD-3-Clause
//
// `mpix-bench channel`: bound channels beside the host's messages.
#include "bench/channels/parts.hpp"
#include "bench/suite.hpp"

namespace mpix::bench {

namespace {

constexpr Part all_parts[] = {
    {"pingpong",
     "half a round trip between each two ranks. \"vs best\": times as fast as the host's best way",
     race_pingpong},
    {"rate",
     "a message, of windows of 64 that are answered by one; \"vs\": times as fast as the host's\n"
     "persistent sends",
     race_rates},
    {"start", "the call of MPI_Start at the sender, 64 in a row on a slack channel, or one by one",
     race_starts},
    {"halo",
     "an exchange with 26 neighbours on a periodic grid: 26 sends and 26 receives, many of them\n"
     "with one rank. \"vs\": times as fast as Startall and Waitall of the host's persistent ones.\n"
     "Bare copies into shared memory and out of it are the least that copying twice costs",
     race_halo_of_neighbours},
};

constexpr char usage[] =
    R"(usage: mpirun -n RANKS mpix-bench channel [option...]

Times channels of mpix and the host's own messages, called through the host's own symbols, in
interleaved batches of one run. What is sent is rewritten before every round trip, and answers are
checked.

  --parts NAMES what is measured, separated by commas (all):
                pingpong   a message there and one back
                rate       many messages one way, through a slack channel
                start      the call that sends
                halo       an exchange with 26 neighbours
  --contenders NAMES
                only contenders whose names contain one of these: host, mpix, arena, bare
  --sizes LIST  bytes of the message (pingpong, halo); multiples of 8 up to 16M; K and M are understood
  --transport host
                mpix sends over the host's messages, within the node too
  --multiple    MPI is begun with MPI_THREAD_MULTIPLE
  --rounds N    batches of each contender (default 20; fewer where a contender is very slow)
  --quick       fewer sizes, and 5 rounds
  --medians     the table's figures are of the medians of the batches instead of the minima
  --json        one JSON document, with both, instead of the table

Returns 0; 1 if an answer of mpix was wrong; 2 for a wrong command line.
)";

} // namespace

const Suite channel_suite{"channel", usage, all_parts};

} // namespace mpix::bench
