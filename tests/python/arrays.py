# SPDX-License-Identifier: BSD-3-Clause
"""Buffers of every kind, and what the package says of itself."""
import array
import inspect
import sys
import unittest

from mpi4py import MPI

import mpix

from common import COMM, RANK, RANKS, SIZE, Case, zeros

WAS_IMPORTED = "numpy" in sys.modules  # by the package, or what it needs
try:
    import numpy
except ImportError:
    numpy = None


def run(request):
    request.Start()
    request.Wait()
    request.Free()


class Buffers(Case):
    def test_bytes_and_their_like(self):
        recv = bytearray(2 * SIZE)
        run(mpix.Allgather_init(COMM, bytes([RANK, 9]), recv))
        self.assertEqual(recv, bytes(byte for rank in RANKS for byte in (rank, 9)))

    def test_parts_of_a_buffer(self):
        data = array.array("i", [RANK + 1] * 6)
        run(mpix.Allreduce_init(COMM, MPI.IN_PLACE, memoryview(data)[2:4]))
        total = sum(RANKS) + SIZE
        self.assertEqual(list(data), [RANK + 1] * 2 + [total] * 2 + [RANK + 1] * 2)

    def test_types_by_code_and_by_handle(self):
        for spec in "i", MPI.INT:
            data = bytearray(4)
            run(mpix.Allreduce_init(COMM, [array.array("i", [RANK]), spec], [data, spec], MPI.MAX))
            self.assertEqual(array.array("i", bytes(data))[0], SIZE - 1)

    def test_one_block_each_by_types_alone(self):
        data = bytearray([RANK])
        recv = bytearray(1)
        run(mpix.Alltoallw_init(MPI.COMM_SELF, [data, [MPI.BYTE]], [recv, [MPI.BYTE]]))
        self.assertEqual(recv, data)

    def test_bottom(self):
        data = array.array("d", [RANK])
        place = MPI.DOUBLE.Create_hindexed([1], [data.buffer_info()[0]]).Commit()
        run(mpix.Bcast_init(COMM, [MPI.BOTTOM, 1, place]))
        self.assertEqual(data[0], 0.0)
        place.Free()


@unittest.skipIf(numpy is None, "no numpy")
class Numpy(Case):
    def test_the_package_does_without(self):
        self.assertFalse(WAS_IMPORTED)

    def test_arrays(self):
        for dtype in "i4", "i8", "f4", "f8":
            send = numpy.arange(6, dtype=dtype).reshape(2, 3) + RANK
            recv = numpy.empty_like(send)
            run(mpix.Allreduce_init(COMM, send, recv))
            self.assertTrue((recv == SIZE * numpy.arange(6).reshape(2, 3) + sum(RANKS)).all())

    def test_numbers_of_numpy(self):
        counts, displs = numpy.ones(SIZE, dtype="i8"), numpy.arange(SIZE)
        recv = numpy.zeros(SIZE)
        run(mpix.Allgatherv_init(COMM, numpy.full(1, RANK, dtype="f8"),
                                 [recv, counts, displs, MPI.DOUBLE]))
        self.assertTrue((recv == numpy.arange(SIZE)).all())

    def test_what_is_not_contiguous(self):
        with self.assertRaises((BufferError, ValueError, TypeError)):
            mpix.Bcast_init(COMM, numpy.zeros((3, 3))[:, 1])


class About(Case):
    def test_description(self):
        self.assertIn(mpix.__version__, mpix.Describe())

    def test_plan_names(self):
        request = mpix.Allreduce_init(COMM, zeros(1), zeros(1))
        self.assertIn(mpix.Plan_name(request), mpix.Describe())
        request.Free()
        request = COMM.Recv_init(zeros(1), RANK, 0)
        self.assertIsNone(mpix.Plan_name(request))
        request.Free()

    def test_plain_collectives_on_plans(self):
        comm = COMM.Dup()
        self.assertEqual(mpix.Auto_get(comm), (False, 0))
        mpix.Auto_set(comm)
        self.assertEqual(mpix.Auto_get(comm)[0], SIZE > 1)
        for _ in range(3):
            comm.Barrier()  # and before the host may have won the race
        self.assertEqual(mpix.Auto_get(comm)[1], int(SIZE > 1))
        mpix.Auto_set(comm, False)
        self.assertFalse(mpix.Auto_get(comm)[0])
        comm.Free()

    def test_every_call_explains_itself(self):
        for name in mpix.__all__:
            found = getattr(mpix, name)
            self.assertTrue(isinstance(found, int) or found.__doc__, name)
        self.assertEqual(list(inspect.signature(mpix.Psend_init).parameters),
                         ["comm", "buf", "partitions", "dest", "tag", "info"])
