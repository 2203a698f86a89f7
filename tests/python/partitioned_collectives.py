# SPDX-License-Identifier: BSD-3-Clause
"""Partitioned collectives; those of neighbourhoods are in groups.py."""
from mpi4py import MPI

import mpix

from common import COMM, RANK, RANKS, SIZE, Case, joined, sums, value, values, zeros

ROOT = SIZE - 1
IS_ROOT = RANK == ROOT


def of_root(expected):
    return lambda turn: expected(turn) if IS_ROOT else [-1.0] * len(expected(turn))


def all_of(length):
    return lambda turn: joined(values(turn, rank, 0, length) for rank in RANKS)


class Movement(Case):
    def test_pbcast(self):
        data = zeros(6)
        request = mpix.Pbcast_init(COMM, data, 3 if IS_ROOT else 2, ROOT)
        self.rounds(request, data if IS_ROOT else None, None if IS_ROOT else data,
                    lambda turn: values(turn, ROOT, 0, 6), marks=3 if IS_ROOT else 0)

    def test_pgather(self):
        send, recv = zeros(4), zeros(4 * SIZE)
        self.rounds(mpix.Pgather_init(COMM, send, 2, recv, 4, ROOT), send, recv,
                    of_root(all_of(4)), marks=2)

    def test_pgatherv(self):
        send, recv = zeros(2), zeros(2 * SIZE)
        displs = [2 * (SIZE - 1 - rank) for rank in RANKS]
        self.rounds(mpix.Pgatherv_init(COMM, send, 2, [recv, 1, displs, MPI.DOUBLE], [2] * SIZE,
                                       ROOT), send, recv,
                    of_root(lambda turn: joined(values(turn, r, 0, 2) for r in reversed(RANKS))),
                    marks=2)

    def scattered(self, init, send, recv, of_sender, partitions=2):
        self.rounds(init(COMM, of_sender, partitions, recv, 1, ROOT), send, recv,
                    lambda turn: values(turn, ROOT, 2 * RANK, 2 * RANK + 2),
                    marks=2 * SIZE if IS_ROOT else 0)

    def test_pscatter(self):
        send, recv = zeros(2 * SIZE), zeros(2)
        self.scattered(mpix.Pscatter_init, send, recv, send)

    def test_pscatterv(self):
        send, recv = zeros(2 * SIZE), zeros(2)
        self.scattered(mpix.Pscatterv_init, send, recv, send, [2] * SIZE)

    def test_pscatterw(self):
        send, recv = zeros(2 * SIZE), zeros(2)
        spec = [1] * SIZE, [16 * rank for rank in RANKS], [MPI.DOUBLE] * SIZE
        self.scattered(mpix.Pscatterw_init, send, recv, [send, *spec])

    def test_pallgather(self):
        send, recv = zeros(4), zeros(4 * SIZE)
        self.rounds(mpix.Pallgather_init(COMM, send, 2, recv, 1), send, recv, all_of(4), marks=2)

    def test_pallgatherv(self):
        send, recv = zeros(4), zeros(4 * SIZE)
        self.rounds(mpix.Pallgatherv_init(COMM, send, 4, [recv, 2], 2), send, recv, all_of(4),
                    marks=4)

    def test_palltoall(self):
        for init in mpix.Palltoall_init, mpix.Palloall_init:
            send, recv = zeros(2 * SIZE), zeros(2 * SIZE)
            self.rounds(init(COMM, send, 2, recv, 2), send, recv,
                        lambda turn: joined(values(turn, r, 2 * RANK, 2 * RANK + 2)
                                            for r in RANKS), marks=2 * SIZE)

    def test_palltoallv(self):
        send, recv = zeros(2 * SIZE), zeros(2 * SIZE)
        self.rounds(mpix.Palltoallv_init(COMM, send, 1, [recv, [1] * SIZE], [2] * SIZE), send,
                    recv, lambda turn: joined(values(turn, r, 2 * RANK, 2 * RANK + 2)
                                              for r in RANKS), marks=SIZE)

    def test_palltoallw(self):
        send, recv = zeros(SIZE), zeros(SIZE)
        spec = [1] * SIZE, [8 * rank for rank in RANKS], [MPI.DOUBLE] * SIZE
        self.rounds(mpix.Palltoallw_init(COMM, [send, *spec], 1, [recv, *spec], 1), send, recv,
                    lambda turn: [value(turn, r, RANK) for r in RANKS], marks=SIZE)


class Reductions(Case):
    def test_preduce(self):
        send, recv = zeros(4), zeros(4)
        self.rounds(mpix.Preduce_init(COMM, send, recv, 2, MPI.SUM, ROOT), send, recv,
                    of_root(lambda turn: sums(turn, RANKS, 0, 4)), marks=2)

    def test_pallreduce(self):
        send, recv = zeros(6), zeros(6)
        self.rounds(mpix.Pallreduce_init(COMM, send, recv, 3), send, recv,
                    lambda turn: sums(turn, RANKS, 0, 6), marks=3)

    def test_preduce_scatter_block(self):
        send, recv = zeros(2 * SIZE), zeros(2)
        self.rounds(mpix.Preduce_scatter_block_init(COMM, send, recv, 2), send, recv,
                    lambda turn: sums(turn, RANKS, 2 * RANK, 2 * RANK + 2), marks=2 * SIZE)

    def test_preduce_scatter(self):
        parts = [rank + 1 for rank in RANKS]
        first = 2 * sum(parts[:RANK])
        for counts in [2] * SIZE, None:
            send, recv = zeros(2 * sum(parts)), zeros(2 * parts[RANK])
            self.rounds(mpix.Preduce_scatter_init(COMM, send, recv, parts, counts), send, recv,
                        lambda turn: sums(turn, RANKS, first, first + 2 * parts[RANK]),
                        marks=sum(parts))

    def test_pscan(self):
        send, recv = zeros(4), zeros(4)
        self.rounds(mpix.Pscan_init(COMM, send, recv, 2), send, recv,
                    lambda turn: sums(turn, range(RANK + 1), 0, 4), marks=2)

    def test_pexscan(self):
        send, recv = zeros(4), zeros(4)
        self.rounds(mpix.Pexscan_init(COMM, send, recv, 2), send, recv,
                    lambda turn: sums(turn, range(RANK), 0, 4) if RANK else [-1.0] * 4, marks=2)
