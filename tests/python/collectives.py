# SPDX-License-Identifier: BSD-3-Clause
"""Persistent collectives, by all forms of buffer specifications."""
import mmap

from mpi4py import MPI

import mpix
from mpix import inits

from common import COMM, RANK, RANKS, SIZE, Case, joined, sums, value, values, zeros

ROOT = SIZE - 1
COUNTS = [rank + 1 for rank in RANKS]  # of the vectors: one more for each rank
DISPLS = [2 * rank + rank * (rank + 1) // 2 for rank in RANKS]  # with two between blocks
LENGTH = DISPLS[-1] + COUNTS[-1]


def with_gaps(blocks):
    """The blocks at DISPLS, and what was there before between them."""
    found = [-1.0] * LENGTH
    for displ, block in zip(DISPLS, blocks):
        found[displ:displ + len(block)] = block
    return found


def of_root(expected):
    return lambda turn: expected(turn) if RANK == ROOT else [-1.0] * len(expected(turn))


class Movement(Case):
    def test_barrier(self):
        self.rounds(mpix.Barrier_init(COMM), None, None, None)

    def test_bcast(self):
        data = zeros(4)
        request = mpix.Bcast_init(COMM, data, ROOT)
        for turn in range(3):
            data[:] = zeros(4)
            if RANK == ROOT:
                data[:] = type(data)("d", values(turn, ROOT, 0, 4))
            request.Start()
            request.Wait()
            self.assertEqual(list(data), values(turn, ROOT, 0, 4))
        request.Free()

    def test_gather(self):
        send, recv = zeros(3), zeros(3 * SIZE)
        self.rounds(mpix.Gather_init(COMM, send, recv if RANK == ROOT else None, root=ROOT),
                    send, recv, of_root(lambda turn: joined(values(turn, r, 0, 3) for r in RANKS)))

    def test_gather_in_place(self):
        data = zeros(2 * SIZE)
        request = mpix.Gather_init(COMM, MPI.IN_PLACE, data) if RANK == 0 \
            else mpix.Gather_init(COMM, [data, 2, MPI.DOUBLE], None)
        data[:] = type(data)("d", values(0, RANK, 0, 2 * SIZE))
        request.Start()
        request.Wait()
        if RANK == 0:
            self.assertEqual(list(data), joined(values(0, r, 0, 2) for r in RANKS))
        request.Free()

    def test_gatherv(self):
        send, recv = zeros(RANK + 1), zeros(LENGTH)
        self.rounds(mpix.Gatherv_init(COMM, send, [recv, COUNTS, DISPLS, MPI.DOUBLE], ROOT), send,
                    recv, of_root(lambda turn: with_gaps(values(turn, r, 0, r + 1)
                                                         for r in RANKS)))

    def test_scatter(self):
        send, recv = zeros(2 * SIZE), zeros(2)
        self.rounds(mpix.Scatter_init(COMM, [send, "d"], [recv, 2], root=ROOT), send, recv,
                    lambda turn: values(turn, ROOT, 2 * RANK, 2 * RANK + 2))

    def test_scatterv(self):
        send, recv = zeros(LENGTH), zeros(RANK + 1)
        self.rounds(mpix.Scatterv_init(COMM, [send, (COUNTS, DISPLS), MPI.DOUBLE], recv, ROOT),
                    send, recv,
                    lambda turn: values(turn, ROOT, DISPLS[RANK], DISPLS[RANK] + RANK + 1))

    def test_allgather(self):
        send, recv = zeros(2), zeros(2 * SIZE)
        self.rounds(mpix.Allgather_init(COMM, send, recv), send, recv,
                    lambda turn: joined(values(turn, r, 0, 2) for r in RANKS))

    def test_allgatherv(self):
        send, recv = zeros(RANK + 1), zeros(sum(COUNTS))
        self.rounds(mpix.Allgatherv_init(COMM, send, [recv, COUNTS]), send, recv,
                    lambda turn: joined(values(turn, r, 0, r + 1) for r in RANKS))

    def test_allgatherv_spread(self):
        send, recv = zeros(3 if RANK == 0 else 2), zeros(2 * SIZE + 1)
        self.rounds(mpix.Allgatherv_init(COMM, send, recv), send, recv,
                    lambda turn: joined(values(turn, r, 0, 2 + (r == 0)) for r in RANKS))

    def test_alltoall(self):
        send, recv = zeros(2 * SIZE), zeros(2 * SIZE)
        self.rounds(mpix.Alltoall_init(COMM, send, recv), send, recv,
                    lambda turn: joined(values(turn, r, 2 * RANK, 2 * RANK + 2) for r in RANKS))

    def test_alltoallv(self):
        send, recv = zeros(LENGTH), zeros((RANK + 1) * SIZE)
        self.rounds(mpix.Alltoallv_init(COMM, [send, COUNTS, DISPLS, MPI.DOUBLE],
                                        [recv, (RANK + 1, RANK + 1), "d"]), send, recv,
                    lambda turn: joined(values(turn, r, DISPLS[RANK], DISPLS[RANK] + RANK + 1)
                                        for r in RANKS))

    def test_alltoallw(self):
        send, recv = zeros(SIZE), zeros(SIZE)
        spec = [1] * SIZE, [8 * (SIZE - 1 - rank) for rank in RANKS]
        self.rounds(mpix.Alltoallw_init(COMM, [send, spec, [MPI.DOUBLE] * SIZE],
                                        [recv, *spec, [MPI.DOUBLE] * SIZE]), send, recv,
                    lambda turn: [value(turn, r, SIZE - 1 - RANK) for r in reversed(RANKS)])


class Reductions(Case):
    def test_reduce(self):
        send, recv = zeros(3), zeros(3)
        self.rounds(mpix.Reduce_init(COMM, send, recv, MPI.SUM, ROOT), send, recv,
                    of_root(lambda turn: sums(turn, RANKS, 0, 3)))

    def test_allreduce(self):
        send, recv = zeros(3), zeros(3)
        self.rounds(mpix.Allreduce_init(COMM, send, recv, op=MPI.MAX), send, recv,
                    lambda turn: values(turn, SIZE - 1, 0, 3))

    def test_allreduce_of_a_part(self):
        send, recv = zeros(5), zeros(2)
        self.rounds(mpix.Allreduce_init(COMM, [send, 2, 3, MPI.DOUBLE], recv), send, recv,
                    lambda turn: sums(turn, RANKS, 3, 5))

    def test_allreduce_in_place(self):
        data = zeros(3)
        request = mpix.Allreduce_init(COMM, MPI.IN_PLACE, data)
        data[:] = type(data)("d", values(0, RANK, 0, 3))
        request.Start()
        request.Wait()
        self.assertEqual(list(data), sums(0, RANKS, 0, 3))
        request.Free()

    def test_reduce_scatter_block(self):
        send, recv = zeros(2 * SIZE), zeros(2)
        self.rounds(mpix.Reduce_scatter_block_init(COMM, send, recv), send, recv,
                    lambda turn: sums(turn, RANKS, 2 * RANK, 2 * RANK + 2))

    def test_reduce_scatter(self):
        first = sum(COUNTS[:RANK])
        for counts in COUNTS, None:
            send, recv = zeros(sum(COUNTS)), zeros(RANK + 1)
            self.rounds(mpix.Reduce_scatter_init(COMM, send, recv, counts), send, recv,
                        lambda turn: sums(turn, RANKS, first, first + RANK + 1))

    def test_reduce_scatter_in_place(self):
        data = zeros(sum(COUNTS))
        request = mpix.Reduce_scatter_init(COMM, MPI.IN_PLACE, data, COUNTS)
        data[:] = type(data)("d", values(0, RANK, 0, len(data)))
        request.Start()
        request.Wait()
        first = sum(COUNTS[:RANK])
        self.assertEqual(list(data[:RANK + 1]), sums(0, RANKS, first, first + RANK + 1))
        request.Free()

    def test_scan(self):
        send, recv = zeros(3), zeros(3)
        self.rounds(mpix.Scan_init(COMM, send, recv), send, recv,
                    lambda turn: sums(turn, range(RANK + 1), 0, 3))

    def test_exscan(self):
        send, recv = zeros(3), zeros(3)
        self.rounds(mpix.Exscan_init(COMM, send, recv), send, recv,
                    lambda turn: sums(turn, range(RANK), 0, 3) if RANK else [-1.0] * 3)


class LargeForms:
    """Has every call take its form for large counts."""

    def setUp(self):
        self.limit, inits.INT_MAX = inits.INT_MAX, -1

    def tearDown(self):
        inits.INT_MAX = self.limit


class LargeMovement(LargeForms, Movement):
    pass


class LargeReductions(LargeForms, Reductions):
    def test_a_displacement_beyond_int(self):
        self.tearDown()  # now it is reached by itself
        far = 2**31 + 4096
        memory = mmap.mmap(-1, far + SIZE, flags=mmap.MAP_PRIVATE)  # of which two pages are used
        displs = [0] + [far + rank for rank in RANKS[1:]]
        request = mpix.Allgatherv_init(COMM, bytes([RANK + 1]),
                                       [memory, [1] * SIZE, displs, MPI.BYTE])
        request.Start()
        request.Wait()
        self.assertEqual([memory[displ] for displ in displs], [rank + 1 for rank in RANKS])
        self.assertEqual(memory[4], 0)
        request.Free()
