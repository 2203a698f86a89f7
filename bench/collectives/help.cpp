// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/options.hpp"

namespace mpix::bench {

const char* const usage =
    R"(usage: mpirun -n RANKS mpix-bench [option...]
       mpirun -n RANKS mpix-bench partitioned [option...]    (--help says more)
       mpirun -n RANKS mpix-bench channel [option...]        (the same)

Times the host MPI's collectives, called through the host's own symbols, and those of mpix in
interleaved batches of one run. What is sent is rewritten before every operation, and answers are
checked. Prints the machine's floors, then for each operation and size the time of each contender
and the ratio of the best host contender with right answers to mpix: above 1, mpix is faster.

What is measured:
  (nothing)     the race of the contenders
  --init        instead, what an init costs on a new communicator and on one that has had an init,
                what the free costs, and after how many starts planning has paid for itself: the
                least n with init + free + n * mpix <= n * best of host, all medians. At 8 and
                4096 bytes, by mpix on node, unless other --sizes or --contenders are given
  --foreign     instead, what mpix adds to messages that are the host's: 1, 16 and 256 of 8 bytes
                that each rank sends itself, with 0 and with 1,000 plans alive, by Irecv, Isend
                and Waitall, and persistent ones by Startall and Waitall and by Start and Wait
  --all         all three

With what:
  --ops NAMES   only these operations, separated by commas: barrier, bcast, gather, gatherv,
                scatter, scatterv, allgather, allgatherv, alltoall, alltoallv, alltoallw, reduce,
                allreduce, reduce_scatter, reduce_scatter_block, scan, exscan, neighbor_allgather,
                neighbor_allgatherv, neighbor_alltoall, neighbor_alltoallv, neighbor_alltoallw, all
                with two neighbours in a ring; stencil_allgather, stencil_alltoallv, which are
                neighbourhoods of the 26 around a rank in a periodic grid of three dimensions.
                The v and w forms have equal blocks
  --sizes A:B   bytes of one block (one count of the call), from A by factors of 8, and B;
                multiples of 8 up to 16M; K and M are understood (default 8:1M)
  --contenders NAMES
                only these: blocking, nonblocking, persistent (the host's); host-messages, node
                (mpix with its buffers on the heap and mpix_transport=host or node), arena (node,
                with buffers of MPI_Alloc_mem); and, if they are named, plain and
                plain-nonblocking: the calls of mpix, as MPIX_AUTO=1 has them; again: the host's
                blocking call once more, whose ratio to blocking is what the machine makes of 1
  --rounds N    batches of each contender (default 20; fewer where the host is very slow)
  --batch N     operations in a batch, or more if they take less than 2 ms (default 8): where ranks
                only send, many without a pause show what piles up at who receives
  --same        what is sent is not rewritten but before each batch, as in OSU's benchmarks
  --integers    what is sent are integers of 8 bytes instead of doubles: their sums do not depend on
                the way, so that mpix races several in the first starts
  --quick       8, 4K and 1M bytes and 5 rounds, where --sizes and --rounds say nothing else

How it is told:
  --medians     the table's times are medians of the batches instead of minima
  --json        one JSON document, with both, instead of the table
  --plot FILE   also draws the medians over size, an SVG file
  --html FILE   also writes all of it as a page with charts, which needs no network

Times are microseconds an operation in the table and nanoseconds in JSON, the mean of a batch of at
least eight (or --batch), which is over when all ranks have done it, and the maximum over the
ranks. "-": the host has no such operation; "wrong": its answers are wrong; "crashes": known to
end the program, or never to end, and not run. Where ranks outnumber cores libmpix makes waiting
yield in the host's calls too, so that the host is quicker here than without it.

Returns 0; 1 if an answer of mpix was wrong; 2 for a wrong command line; 3 if FILE cannot be written.
)";

} // namespace mpix::bench
