# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong, by its class; it is wrong on every rank."""
import unittest

from mpi4py import MPI

import mpix

from common import COMM, RANK, SIZE, Case, zeros


class OfTheLibrary(Case):
    def test_arguments_of_inits(self):
        data, other = zeros(SIZE), zeros(SIZE)
        none = [data, 1, MPI.DATATYPE_NULL]
        self.raises(MPI.ERR_OP, mpix.Allreduce_init, COMM, data, other, MPI.OP_NULL)
        self.raises(MPI.ERR_ROOT, mpix.Bcast_init, COMM, data, SIZE)
        self.raises(MPI.ERR_TYPE, mpix.Bcast_init, COMM, none)
        self.raises(MPI.ERR_TYPE, mpix.Allgatherv_init, COMM, data, [data, 1, MPI.DATATYPE_NULL])
        self.raises(MPI.ERR_COUNT, mpix.Bcast_init, COMM, [data, -1, MPI.DOUBLE])
        self.raises(MPI.ERR_BUFFER, mpix.Bcast_init, COMM, MPI.IN_PLACE)
        self.raises(MPI.ERR_BUFFER, mpix.Allreduce_init, COMM, data, MPI.IN_PLACE)
        self.raises(MPI.ERR_COMM, mpix.Allreduce_init, MPI.COMM_NULL, data, other)
        self.raises(MPI.ERR_TOPOLOGY, mpix.Neighbor_allgather_init, COMM, data, other)
        self.raises(MPI.ERR_RANK, mpix.Psend_init, COMM, data, 1, SIZE)
        self.raises(MPI.ERR_TAG, mpix.Psend_init, COMM, data, 1, RANK, -5)
        self.raises(MPI.ERR_ARG, mpix.Psend_init, COMM, data, 0, RANK)

    def test_the_text_names_call_and_value(self):
        error = self.raises(MPI.ERR_ROOT, mpix.Reduce_init, COMM, zeros(1), zeros(1), root=SIZE)
        self.assertIn("MPI_Reduce_init", str(error))
        self.assertIn(str(SIZE), str(error))

    @unittest.skipIf(SIZE < 2, "one rank agrees with itself")
    def test_ranks_that_disagree(self):
        self.raises(MPI.ERR_ROOT, mpix.Bcast_init, COMM, zeros(1), int(RANK == 0))

    def test_partitions(self):
        request = mpix.Pallreduce_init(COMM, zeros(2), zeros(2), 2)
        self.raises(MPI.ERR_REQUEST, mpix.Pready, request, 0)  # it is inactive
        request.Start()
        self.raises(MPI.ERR_ARG, request.Pready, 2)
        self.raises(MPI.ERR_ARG, mpix.Pready_range, request, 1, 0)
        self.raises(MPI.ERR_RANK, mpix.Pready_extended, request, 0, SIZE)
        self.raises(MPI.ERR_ARG, request.Parrived, -1)
        self.raises(MPI.ERR_REQUEST, request.Start)
        self.raises(MPI.ERR_REQUEST, request.Free)
        mpix.Pready_range(request, 0, 1)
        request.Wait()
        request.Free()

    def test_requests_of_another_kind(self):
        data = zeros(1)
        host, ours = COMM.Recv_init(data, RANK, 0), mpix.Barrier_init(COMM)
        for function in (lambda: mpix.Pready(host, 0), lambda: mpix.Pbuf_prepare(ours),
                         lambda: mpix.Partition_request(ours, 0), lambda: mpix.Bind_channel(ours),
                         lambda: mpix.Unbind_channel(ours), lambda: mpix.Unbind_channels([host]),
                         lambda: mpix.Request_rebind(host, data), lambda: mpix.Ibind_channel(ours),
                         lambda: mpix.Bundle_init([ours, ours]),
                         lambda: mpix.Bundle_after(ours, 0, 1)):
            self.raises(MPI.ERR_REQUEST, function)
        self.raises(MPI.ERR_ARG, mpix.Bind_slack_channels, [host], [0])
        host.Free()
        ours.Free()


class OfThePackage(Case):
    """These are found before the library is called, like mpi4py's own."""

    def test_buffers_that_are_too_short(self):
        data, type_of_two = zeros(4), MPI.DOUBLE.Create_contiguous(2).Commit()
        for spec in [data, 5, MPI.DOUBLE], [data, (2, 3), "d"], [data, 3, type_of_two]:
            with self.assertRaises(ValueError):
                mpix.Bcast_init(COMM, spec)
        with self.assertRaises(ValueError):
            mpix.Allgatherv_init(COMM, data, [data, 1, [4] * SIZE, MPI.DOUBLE])
        with self.assertRaises(ValueError):
            mpix.Alltoallw_init(COMM, [data, [1] * SIZE, [-8] * SIZE, [MPI.DOUBLE] * SIZE], data)
        with self.assertRaises(ValueError):
            mpix.Psend_init(COMM, [data, 3, MPI.DOUBLE], 2, RANK)
        type_of_two.Free()

    def test_counts_that_cannot_be_inferred(self):
        data = zeros(4)
        with self.assertRaises(ValueError):
            mpix.Psend_init(COMM, data, 3, RANK)
        with self.assertRaises(ValueError):
            mpix.Alltoall_init(COMM, [bytes(3), "d"], zeros(SIZE))
        with self.assertRaises(ValueError):
            mpix.Allreduce_init(COMM, data, zeros(3))
        with self.assertRaises(ValueError):
            mpix.Allreduce_init(COMM, data, [data, 4, MPI.INT])
        with self.assertRaises(ValueError):
            mpix.Reduce_scatter_init(COMM, MPI.IN_PLACE, data)
        with self.assertRaises(ValueError):
            mpix.Allgatherv_init(COMM, data, [data, [1] * (SIZE + 1), MPI.DOUBLE])

    def test_what_is_no_buffer(self):
        for spec, error in (None, TypeError), (5, (TypeError, BufferError)), ([5], ValueError):
            with self.assertRaises(error):
                mpix.Bcast_init(COMM, spec)
        with self.assertRaises(BufferError):
            mpix.Recv_init(COMM, bytes(8), RANK)
        with self.assertRaises(TypeError):
            mpix.Bcast_init("comm", zeros(1))
        with self.assertRaises(TypeError):
            mpix.Allreduce_init(COMM, zeros(1), zeros(1), MPI.INFO_NULL)
        with self.assertRaises(TypeError):
            mpix.Pready(COMM, 0)
        with self.assertRaises(TypeError):
            mpix.Bcast_init(COMM, zeros(1), rot=0)

    def test_numbers_beyond_int(self):
        request = mpix.Pallreduce_init(COMM, zeros(2), zeros(2), 2)
        for function in (lambda: mpix.Psend_init(COMM, [bytes(8), 0, "d"], 2**31, RANK),
                         lambda: mpix.Send_init(COMM, bytes(8), RANK, 2**32),
                         lambda: mpix.Pready(request, 2**32),
                         lambda: mpix.Pready_list(request, [2**32])):
            with self.assertRaises(OverflowError):
                function()
        request.Free()

    def test_a_buffer_without_room_is_not_bound(self):
        send, recv = zeros(2), zeros(2)
        request = mpix.Allreduce_init(COMM, send, recv)
        with self.assertRaises(ValueError):
            mpix.Request_rebind(request, zeros(1))
        with self.assertRaises(BufferError):
            mpix.Request_rebind(request, recvbuf=bytes(16))
        self.rounds(request, send, recv, lambda turn: [
            sum(turn * 10000.0 + rank * 100 + place for rank in range(SIZE)) for place in range(2)])
