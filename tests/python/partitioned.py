# SPDX-License-Identifier: BSD-3-Clause
"""Partitioned sends and receives, and every call on their requests."""
import threading

from mpi4py import MPI

import mpix

from common import COMM, LEFT, RANK, RANKS, RIGHT, Case, sums, value, values, zeros


class Pairs(Case):
    def setUp(self):
        self.send, self.recv = zeros(6), zeros(6)
        self.pair = [mpix.Psend_init(COMM, self.send, 3, RIGHT, 7),
                     mpix.Precv_init(COMM, self.recv, 2, LEFT, 7)]

    def tearDown(self):
        for request in self.pair:
            request.Free()

    def begin(self, turn):
        self.send[:] = type(self.send)("d", values(turn, RANK, 0, 6))
        MPI.Prequest.Startall(self.pair)

    def end(self, turn):
        MPI.Request.Waitall(self.pair)
        self.assertEqual(list(self.recv), values(turn, LEFT, 0, 6))

    def await_partition(self, partition):
        while not mpix.Parrived(self.pair[1], partition):
            pass

    def test_marked_one_by_one(self):
        for turn in range(3):
            self.begin(turn)
            for partition in 2, 0, 1:
                mpix.Pready(self.pair[0], partition)
            self.await_partition(1)
            self.assertEqual(self.recv[5], value(turn, LEFT, 5))
            self.end(turn)

    def test_marked_by_range_and_list(self):
        self.begin(0)
        mpix.Pready_range(self.pair[0], 1, 2)
        mpix.Pready_list(self.pair[0], [0])
        self.end(0)

    def test_by_methods(self):
        self.begin(0)
        self.pair[0].Pready_range(0, 0)
        self.pair[0].Pready_list([1])
        self.pair[0].Pready(2)
        while not self.pair[1].Parrived(0):
            pass
        self.end(0)
        self.assertTrue(self.pair[1].Parrived(0))  # of an inactive one they have

    def test_by_segment(self):
        self.begin(0)
        mpix.Pready_extended(self.pair[0], 0, RIGHT)
        mpix.Pready_range_extended(self.pair[0], 1, 1, mpix.ALL_DESTS)
        mpix.Pready_list_extended(self.pair[0], [2], RIGHT)
        while not (mpix.Parrived_extended(self.pair[1], 0, LEFT)
                   and mpix.Parrived_extended(self.pair[1], 1, mpix.ALL_SOURCES)):
            pass
        self.end(0)

    def test_asked_for_several(self):
        self.begin(0)
        self.assertEqual(mpix.Parrived_any(self.pair[1], [0, 1]), (MPI.UNDEFINED, False))
        self.assertEqual(mpix.Parrived_some(self.pair[1], [0, 1]), [])
        COMM.Barrier()  # nobody has marked before
        mpix.Pready_range(self.pair[0], 0, 2)
        while not mpix.Parrived_any(self.pair[1], [1])[1]:
            pass
        self.await_partition(0)
        self.assertEqual(mpix.Parrived_any(self.pair[1], [1, 0]), (0, True))
        self.assertEqual(mpix.Parrived_some(self.pair[1], [1, 0]), [0, 1])
        self.end(0)

    def test_prepared(self):
        self.begin(0)
        mpix.Pbuf_prepareall(self.pair)
        mpix.Pready_range(self.pair[0], 0, 2)
        self.end(0)

    def test_request_for_one(self):
        one = mpix.Partition_request(self.pair[1], 1)
        self.begin(0)
        mpix.Pready_range(self.pair[0], 0, 2)
        one.Wait()
        self.assertEqual(list(self.recv[3:]), values(0, LEFT, 3, 6))
        self.end(0)
        one.Free()

    def test_marked_by_threads(self):
        for turn in range(3):
            self.begin(turn)
            threads = [threading.Thread(target=mpix.Pready, args=(self.pair[0], partition))
                       for partition in range(3)]
            for thread in threads:
                thread.start()
            self.end(turn)
            for thread in threads:
                thread.join()

    def test_status(self):
        status = MPI.Status()
        self.begin(0)
        mpix.Pready_range(self.pair[0], 0, 2)
        self.pair[1].Wait(status)
        self.assertEqual((status.Get_source(), status.Get_tag()), (LEFT, 7))
        self.end(0)


class Edges(Case):
    def test_no_partner(self):
        request = mpix.Psend_init(COMM, None, 2, MPI.PROC_NULL)
        request.Start()
        mpix.Pready_range(request, 0, 1)
        request.Wait()
        request.Free()

    def test_a_type_of_the_program(self):
        rows, columns = 4, 3
        column = MPI.DOUBLE.Create_vector(rows, 1, columns).Commit()
        send, recv = zeros(rows * columns), zeros(rows)
        send[:] = type(send)("d", values(0, RANK, 0, rows * columns))
        requests = [mpix.Psend_init(COMM, [memoryview(send)[1:], 1, column], 1, RIGHT),
                    mpix.Precv_init(COMM, [recv, 1, MPI.DOUBLE], rows, LEFT)]
        column.Free()  # it is bound
        MPI.Prequest.Startall(requests)
        requests[0].Pready(0)
        MPI.Request.Waitall(requests)
        self.assertEqual(list(recv), [value(0, LEFT, 1 + 3 * row) for row in range(rows)])
        for request in requests:
            request.Free()

    def test_prepared_alone(self):
        send, recv = zeros(2), zeros(2)
        request = mpix.Pallreduce_init(COMM, send, recv, 2)
        send[:] = type(send)("d", values(0, RANK, 0, 2))
        request.Start()
        mpix.Pbuf_prepare(request)
        mpix.Pready_range(request, 0, 1)
        request.Wait()
        self.assertEqual(list(recv), sums(0, RANKS, 0, 2))
        request.Free()
