# SPDX-License-Identifier: BSD-3-Clause
"""What the cases have in common: numbers that are known everywhere, and rounds of a request.

A case that fails on one rank may leave the others waiting: the time limit ends them.
"""
import array
import unittest

from mpi4py import MPI

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.Get_rank(), COMM.Get_size()
LEFT, RIGHT = (RANK - 1) % SIZE, (RANK + 1) % SIZE
RANKS = range(SIZE)


def zeros(length):
    return array.array("d", [0.0] * length)


def value(turn, rank, place):
    return turn * 10000.0 + rank * 100 + place


def values(turn, rank, start, stop):
    return [value(turn, rank, place) for place in range(start, stop)]


def sums(turn, ranks, start, stop):
    return [sum(value(turn, rank, place) for rank in ranks) for place in range(start, stop)]


def joined(lists):
    return [one for each in lists for one in each]


class Case(unittest.TestCase):
    def rounds(self, request, send, recv, expected, marks=0):
        """Three rounds: fills what is sent, marks, and looks at what has come."""
        self.assertIsInstance(request, MPI.Prequest)
        for turn in range(3):
            if recv:
                recv[:] = array.array("d", [-1.0] * len(recv))
            if send:
                send[:] = array.array("d", values(turn, RANK, 0, len(send)))
            request.Start()
            for partition in reversed(range(marks)):
                request.Pready(partition)
            request.Wait()
            if recv is not None:
                self.assertEqual(list(recv), expected(turn))
        request.Free()
        self.assertFalse(request)

    def raises(self, error_class, function, *args, **kargs):
        with self.assertRaises(MPI.Exception) as caught:
            function(*args, **kargs)
        self.assertEqual(caught.exception.Get_error_class(), error_class, str(caught.exception))
        return caught.exception
