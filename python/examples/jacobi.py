#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""jacobi.py [ROWS [PARTITIONS]]: Laplace's equation on a square, by Jacobi's method.

    mpix-run -n 4 python3 jacobi.py

Each rank has some rows of the square, and a row of each neighbour's. The rows that neighbours need
are computed first, in partitions that travel as soon as they are done, while the rank computes its
other rows. The boundary is x + 2y, and so is the solution, which the answer is held against.
"""
import sys

import numpy
from mpi4py import MPI

import mpix

LEAST_CHANGE, LARGEST_ERROR = 1e-9, 1e-6
EACH = 20  # steps between two looks at how much has changed


def rows_of(rank, size, rows):
    return rank * rows // size, (rank + 1) * rows // size


def solution(first, last, rows):
    """Rows first to last, with one more on every side."""
    y, x = numpy.mgrid[first:last + 2, 0:rows + 2] / (rows + 1)
    return x + 2 * y


def start_of(exact, rank, size):
    """The boundary, and nothing yet within."""
    grid = exact.copy()
    grid[1:-1, 1:-1] = 0
    if rank > 0:
        grid[0, 1:-1] = 0
    if rank < size - 1:
        grid[-1, 1:-1] = 0
    return grid


class Halo:
    """Sends the outer rows of a grid to the neighbours, and receives theirs."""

    def __init__(self, comm, grid, partitions):
        rank, size = comm.Get_rank(), comm.Get_size()
        up = rank - 1 if rank > 0 else MPI.PROC_NULL
        down = rank + 1 if rank < size - 1 else MPI.PROC_NULL
        self.sends = [mpix.Psend_init(comm, grid[1, 1:-1], partitions, up, tag=0),
                      mpix.Psend_init(comm, grid[-2, 1:-1], partitions, down, tag=1)]
        receives = [mpix.Precv_init(comm, grid[0, 1:-1], partitions, up, tag=1),
                    mpix.Precv_init(comm, grid[-1, 1:-1], partitions, down, tag=0)]
        self.all = receives + self.sends

    def mark(self, partition):
        for request in self.sends:
            request.Pready(partition)


def relax(old, new, rows, columns):
    """Each point becomes the mean of its neighbours."""
    above, below = slice(rows.start - 1, rows.stop - 1), slice(rows.start + 1, rows.stop + 1)
    left, right = slice(columns.start - 1, columns.stop - 1), \
        slice(columns.start + 1, columns.stop + 1)
    new[rows, columns] = (old[above, columns] + old[below, columns]
                          + old[rows, left] + old[rows, right]) / 4


def step(old, new, halo, partitions):
    last, width = old.shape[0] - 2, (old.shape[1] - 2) // partitions
    MPI.Prequest.Startall(halo.all)
    for partition in range(partitions):
        columns = slice(1 + partition * width, 1 + (partition + 1) * width)
        for row in {1, last}:
            relax(old, new, slice(row, row + 1), columns)
        halo.mark(partition)
    relax(old, new, slice(2, last), slice(1, old.shape[1] - 1))
    MPI.Request.Waitall(halo.all)


def solve(comm, exact, partitions):
    grids = [start_of(exact, comm.Get_rank(), comm.Get_size()) for _ in range(2)]
    halos = [Halo(comm, grid, partitions) for grid in grids]
    change = numpy.empty(1)
    largest = mpix.Allreduce_init(comm, MPI.IN_PLACE, change, MPI.MAX)
    steps = 0
    change[0] = 1
    while change[0] > LEAST_CHANGE:
        for _ in range(EACH):
            old, new, halo = grids[steps % 2], grids[1 - steps % 2], halos[1 - steps % 2]
            step(old, new, halo, partitions)
            steps += 1
        change[0] = abs(new - old).max()
        largest.Start()
        largest.Wait()
    for request in [largest, *halos[0].all, *halos[1].all]:
        request.Free()
    return new, steps


def main(rows=24, partitions=3):
    comm = MPI.COMM_WORLD
    if rows < comm.Get_size() or rows % partitions:
        sys.exit("give at least as many rows as there are ranks, and a divisor of them")
    exact = solution(*rows_of(comm.Get_rank(), comm.Get_size(), rows), rows)
    found, steps = solve(comm, exact, partitions)
    error = numpy.array([abs(found - exact).max()])
    request = mpix.Allreduce_init(comm, MPI.IN_PLACE, error, MPI.MAX)
    request.Start()
    request.Wait()
    request.Free()
    if comm.Get_rank() == 0:
        print(f"{steps} steps, largest error {error[0]:.1e}")
    sys.exit(int(error[0] > LARGEST_ERROR))


main(*map(int, sys.argv[1:]))
