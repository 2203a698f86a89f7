// SPDX-License-Identifier: BSD-3-Clause
//
// `mpix-bench partitioned`: partitioned operations beside the host's.
#include "bench/partitioned/parts.hpp"
#include "bench/suite.hpp"

namespace mpix::bench {

namespace {

constexpr Part all_parts[] = {
    {"send",
     "half a round trip between each two ranks, all partitions ready at once, by MPI_Pready in a\n"
     "loop or by MPI_Pready_range; \"vs parts\": times as fast as the host's own partitioned send\n"
     "marked alike; \"vs whole\": as the host's persistent send of the whole",
     race_sends},
    {"early",
     "from the first work until the message is there. \"gained\" is the share of what could be\n"
     "gained over work+message: (that - early) / (that - max(its work + partition, message)).\n"
     "After Temucin and others (ICPP 2022): \"overhead\" is at-once / message, \"bandwidth\" the\n"
     "perceived one, bytes / time after the last work, \"available\" 1 - that time / message",
     race_early_birds},
    {"pready",
     "a call of MPI_Pready, partitions of 8 bytes: the processor time of a call, and the time "
     "that\n"
     "passes until all are marked, for each. \"min=1\": mpix_min_message_bytes=1; \"one-each\": "
     "and\n"
     "mpix_max_messages=1024",
     race_marks},
    {"allreduce",
     "a vector of partitions of so many bytes, made at 1 ns a byte: from the first work to the "
     "sum,\n"
     "and from when the last rank has made its last part. \"separate\": persistent allreduces of\n"
     "the parts, each started when it is made; \"tested\", \"asked\": and then MPI_Test, or\n"
     "MPI_Parrived, of the oldest that is not there. \"vs\": times as fast as the host's better "
     "way",
     race_allreduces},
    {"halo",
     "rows of uneven cost on a line of ranks, with an end of so many bytes for either neighbour: "
     "from the\n"
     "first work until all ends are there, and from when the last rank has made its last row.\n"
     "Ratios: times as fast as the host's persistent Neighbor_alltoallv after the last row",
     race_halos},
    {"life", "a send and a receive of two partitions, made, used once and freed by each two ranks",
     race_lives},
};

constexpr char usage[] =
    R"(usage: mpirun -n RANKS mpix-bench partitioned [option...]

Times partitioned operations of mpix and the host's own partitioned and persistent operations,
called through the host's own symbols, in interleaved batches of one run. What is sent is rewritten
before every operation, and answers are checked. Work is arithmetic, and the writing of the data.

  --parts NAMES what is measured, separated by commas (all):
                send       a message whose partitions are ready at once
                early      a message of 4M in 16 partitions that become ready over 1 ms of work
                pready     a call of MPI_Pready, by one thread and by eight
                allreduce  a vector that is made part by part, and summed
                halo       rows of uneven cost, whose ends the neighbours need
                life       requests that are made, used once and freed
  --contenders NAMES
                only contenders whose names contain one of these: host, mpix, arena
  --sizes LIST  bytes: of the message (send), of a partition (allreduce), of the end of a row (halo);
                multiples of 8 up to 16M; K and M are understood
  --partitions LIST
                how many partitions (send, allreduce)
  --transport host
                mpix sends over the host's messages, within the node too
  --multiple    MPI is begun with MPI_THREAD_MULTIPLE. Without it the host is not called by eight
                threads
  --rounds N    batches of each contender (default 20; fewer where a contender is very slow)
  --quick       fewer sizes and partitions, and 5 rounds
  --medians     the table's figures are of the medians of the batches instead of the minima
  --json        one JSON document, with both, instead of the table

Returns 0; 1 if an answer of mpix was wrong; 2 for a wrong command line.
)";

} // namespace

const Suite partitioned_suite{"partitioned", usage, all_parts};

} // namespace mpix::bench
