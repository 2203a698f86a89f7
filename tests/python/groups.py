# SPDX-License-Identifier: BSD-3-Clause
"""Neighbourhoods, and two groups."""
import unittest

from mpi4py import MPI

import mpix

from common import COMM, LEFT, RANK, RIGHT, SIZE, Case, joined, sums, values, zeros


def of_neighbours(turn, length):
    """What is sent to the right arrives on the left, and the reverse."""
    return values(turn, LEFT, length, 2 * length) + values(turn, RIGHT, 0, length)


class Neighbours(Case):
    @classmethod
    def setUpClass(cls):
        cls.ring = COMM.Create_cart([SIZE], [True])

    @classmethod
    def tearDownClass(cls):
        cls.ring.Free()

    def test_allgather(self):
        send, recv = zeros(2), zeros(4)
        self.rounds(mpix.Neighbor_allgather_init(self.ring, send, recv), send, recv,
                    lambda turn: values(turn, LEFT, 0, 2) + values(turn, RIGHT, 0, 2))

    def test_allgatherv(self):
        send, recv = zeros(2), zeros(4)
        self.rounds(mpix.Neighbor_allgatherv_init(self.ring, send, [recv, 2, [2, 0], MPI.DOUBLE]),
                    send, recv,
                    lambda turn: values(turn, RIGHT, 0, 2) + values(turn, LEFT, 0, 2))

    def test_alltoall(self):
        send, recv = zeros(4), zeros(4)
        self.rounds(mpix.Neighbor_alltoall_init(self.ring, send, recv), send, recv,
                    lambda turn: of_neighbours(turn, 2))

    def test_alltoallv(self):
        send, recv = zeros(4), zeros(4)
        self.rounds(mpix.Neighbor_alltoallv_init(self.ring, [send, [2, 2]], [recv, (2, 2)]), send,
                    recv, lambda turn: of_neighbours(turn, 2))

    def test_alltoallw(self):
        send, recv = zeros(2), zeros(2)
        pair = [MPI.DOUBLE] * 2
        self.rounds(mpix.Neighbor_alltoallw_init(self.ring, [send, [1, 1], [0, 8], pair],
                                                 [recv, ([1, 1], [0, 8]), pair]), send, recv,
                    lambda turn: of_neighbours(turn, 1))

    def test_on_a_graph(self):
        graph = COMM.Create_dist_graph_adjacent([LEFT], [RIGHT])
        send, recv = zeros(3), zeros(3)
        self.rounds(mpix.Neighbor_alltoall_init(graph, send, recv), send, recv,
                    lambda turn: values(turn, LEFT, 0, 3))
        graph.Free()

    def test_on_a_line(self):
        """The first rank has no source, the last no destination."""
        line = COMM.Create_dist_graph_adjacent([LEFT] * (RANK > 0), [RIGHT] * (RANK < SIZE - 1))
        for init in mpix.Neighbor_alltoallv_init, mpix.Neighbor_alltoall_init:
            send, recv = zeros(3 * (RANK < SIZE - 1)), zeros(3 * (RANK > 0))
            self.rounds(init(line, send, recv), send, recv,
                        lambda turn: values(turn, LEFT, 0, 3) if RANK else [])
        line.Free()

    def test_partitioned_allgather(self):
        send, recv = zeros(2), zeros(4)
        self.rounds(mpix.Pneighbor_allgather_init(self.ring, send, 2, recv, 1), send, recv,
                    lambda turn: values(turn, LEFT, 0, 2) + values(turn, RIGHT, 0, 2), marks=2)

    def test_partitioned_allgatherv(self):
        send, recv = zeros(2), zeros(4)
        self.rounds(mpix.Pneighbor_allgatherv_init(self.ring, send, 1, recv, [2, 1]), send, recv,
                    lambda turn: values(turn, LEFT, 0, 2) + values(turn, RIGHT, 0, 2), marks=1)

    def test_partitioned_alltoall(self):
        send, recv = zeros(4), zeros(4)
        self.rounds(mpix.Pneighbor_alltoall_init(self.ring, send, 2, recv, 2), send, recv,
                    lambda turn: of_neighbours(turn, 2), marks=4)

    def test_partitioned_alltoallv(self):
        send, recv = zeros(4), zeros(4)
        self.rounds(mpix.Pneighbor_alltoallv_init(self.ring, send, [2, 1], recv, 1), send, recv,
                    lambda turn: of_neighbours(turn, 2), marks=3)

    def test_partitioned_alltoallw(self):
        send, recv = zeros(2), zeros(2)
        spec = [1, 1], [0, 8], [MPI.DOUBLE] * 2
        self.rounds(mpix.Pneighbor_alltoallw_init(self.ring, [send, *spec], 1, [recv, *spec], 1),
                    send, recv, lambda turn: of_neighbours(turn, 1), marks=2)


class LargeNeighbours(Neighbours):
    """With the forms for large counts."""

    def setUp(self):
        self.limit, mpix.inits.INT_MAX = mpix.inits.INT_MAX, -1

    def tearDown(self):
        mpix.inits.INT_MAX = self.limit


@unittest.skipIf(SIZE < 2, "one rank has no two groups")
class TwoGroups(Case):
    @classmethod
    def setUpClass(cls):
        cls.half = COMM.Split(RANK % 2, RANK)
        cls.inter = cls.half.Create_intercomm(0, COMM, 1 - RANK % 2)
        cls.others = range(1 - RANK % 2, SIZE, 2)

    @classmethod
    def tearDownClass(cls):
        cls.inter.Free()
        cls.half.Free()

    def root(self):
        """World's rank 1 is the root."""
        return 0 if RANK % 2 == 0 else MPI.ROOT if RANK == 1 else MPI.PROC_NULL

    def test_bcast(self):
        data = zeros(2)
        request = mpix.Bcast_init(self.inter, data, self.root())
        self.rounds(request, data if RANK == 1 else None, data if RANK % 2 == 0 else None,
                    lambda turn: values(turn, 1, 0, 2))

    def test_gather(self):
        send, recv = zeros(2), zeros(2 * len(self.others))
        self.rounds(mpix.Gather_init(self.inter, send, recv, self.root()), send,
                    recv if RANK == 1 else None,
                    lambda turn: joined(values(turn, r, 0, 2) for r in self.others))

    def test_scatter(self):
        send, recv = zeros(2 * len(self.others)), zeros(2)
        first = 2 * (RANK // 2)
        self.rounds(mpix.Scatter_init(self.inter, send, recv, self.root()), send,
                    recv if RANK % 2 == 0 else None,
                    lambda turn: values(turn, 1, first, first + 2))

    def test_reduce(self):
        send, recv = zeros(2), zeros(2)
        self.rounds(mpix.Reduce_init(self.inter, send, recv, root=self.root()), send,
                    recv if RANK == 1 else None, lambda turn: sums(turn, self.others, 0, 2))

    def test_allgather(self):
        send, recv = zeros(2), zeros(2 * len(self.others))
        self.rounds(mpix.Allgather_init(self.inter, send, recv), send, recv,
                    lambda turn: joined(values(turn, r, 0, 2) for r in self.others))
