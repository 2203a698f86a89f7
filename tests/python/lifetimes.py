# SPDX-License-Identifier: BSD-3-Clause
"""What a request keeps alive, how long, and other buffers for it."""
import array
import gc
import weakref

from mpi4py import MPI

import mpix

from common import COMM, LEFT, RANK, RANKS, RIGHT, SIZE, Case, sums, values, zeros


class Array(array.array):
    """One that the program can watch."""


def watched(numbers):
    made = Array("d", numbers)
    return made, weakref.ref(made)


class Lifetimes(Case):
    def test_buffers_live_as_long_as_the_request(self):
        send, seen = watched(values(0, RANK, 0, 1000))
        recv = zeros(1000)
        request = mpix.Allreduce_init(COMM, [send, 1000, MPI.DOUBLE], recv)
        del send
        gc.collect()
        others = [zeros(1000) for _ in range(50)]  # would be where it was
        for _ in range(3):
            request.Start()
            request.Wait()
            self.assertEqual(list(recv), sums(0, RANKS, 0, 1000))
        self.assertIsNotNone(seen())
        self.assertEqual(len(others), 50)
        request.Free()
        gc.collect()
        self.assertIsNone(seen())

    def test_buffers_of_a_request_that_is_dropped_stay(self):
        """It is the program's fault, but memory that MPI writes is not given to others."""
        recv, seen = watched([0.0])
        request = mpix.Precv_init(MPI.COMM_SELF, recv, 1, 0)
        request.Start()
        del recv, request
        gc.collect()
        self.assertIsNotNone(seen())
        sender = mpix.Psend_init(MPI.COMM_SELF, array.array("d", [3.0]), 1, 0)
        sender.Start()
        sender.Pready(0)
        sender.Wait()
        while seen()[0] != 3.0:
            mpix.Parrived(sender, 0)  # an inactive one: moves what is active
        sender.Free()

    def test_a_buffer_cannot_be_moved(self):
        data = bytearray(8)
        request = mpix.Bcast_init(COMM, data)
        with self.assertRaises(BufferError):
            data.append(1)
        request.Free()
        data.append(1)

    def test_arrays_of_arguments_may_go(self):
        counts, displs = [1] * SIZE, list(range(SIZE))
        send, recv = zeros(1), zeros(SIZE)
        request = mpix.Allgatherv_init(COMM, send, [recv, counts, displs, MPI.DOUBLE])
        counts[:], displs[:] = [0] * SIZE, [0] * SIZE
        gc.collect()
        self.rounds(request, send, recv, lambda turn: [values(turn, r, 0, 1)[0] for r in RANKS])

    def test_an_end_that_is_dropped_while_it_is_bound(self):
        send, recv = zeros(1), zeros(1)
        pair = [mpix.Send_init(COMM, send, RIGHT), mpix.Recv_init(COMM, recv, LEFT)]
        for request in pair:
            mpix.Ibind_channel(request)
        gc.collect()
        MPI.Request.Waitall(pair)  # writes the ends
        for request in pair:
            request.Free()

    def test_buffers_of_a_channel_that_has_ended(self):
        send, seen = watched([RANK])
        recv = zeros(1)
        pair = [mpix.Send_init(COMM, send, RIGHT), mpix.Recv_init(COMM, recv, LEFT)]
        ends = mpix.Ibind_channels(pair)
        MPI.Request.Waitall(pair)
        for request in pair:
            request.Free()
        del send, pair
        gc.collect()
        ends[1].Start()
        COMM.Barrier()
        ends[0].Start()
        MPI.Request.Waitall(ends)
        self.assertEqual(recv[0], LEFT)
        mpix.Unbind_channels(ends)
        self.assertIsNotNone(seen())
        del ends, request
        gc.collect()
        self.assertIsNone(seen())

    def test_a_copy_of_a_request(self):
        data, seen = watched([RANK])
        request = mpix.Bcast_init(COMM, data)
        copy = mpix.Request(request)
        del data, request
        gc.collect()
        self.assertIsNotNone(seen())
        copy.Start()
        copy.Wait()
        self.assertEqual(seen()[0], 0)
        copy.Free()


class Rebinding(Case):
    def test_both_buffers_and_one(self):
        send, recv = zeros(2), zeros(2)
        request = mpix.Allreduce_init(COMM, send, recv)
        old = weakref.ref(recv)
        for buffers in {}, {"sendbuf": zeros(2)}, {"recvbuf": zeros(2)}, \
                {"sendbuf": zeros(2), "recvbuf": zeros(3)}:
            send, recv = buffers.get("sendbuf", send), buffers.get("recvbuf", recv)
            mpix.Request_rebind(request, **buffers)
            send[:] = array.array("d", values(1, RANK, 0, 2))
            request.Start()
            request.Wait()
            self.assertEqual(list(recv[:2]), sums(1, RANKS, 0, 2))
        del buffers
        gc.collect()
        self.assertIsNone(old())
        request.Free()

    def test_in_place_stays(self):
        data, other = zeros(1), array.array("d", [1.0])
        request = mpix.Allreduce_init(COMM, MPI.IN_PLACE, data)
        self.raises(MPI.ERR_BUFFER, mpix.Request_rebind, request, zeros(1))
        mpix.Request_rebind(request, recvbuf=other)
        request.Start()
        request.Wait()
        self.assertEqual(other[0], SIZE)
        request.Free()

    def test_the_one_buffer_of_a_broadcast(self):
        request = mpix.Bcast_init(COMM, zeros(1))
        for words in "sendbuf", "recvbuf", "sendbuf":
            data = array.array("d", [RANK + 7.0])
            mpix.Request_rebind(request, **{words: data})
            request.Start()
            request.Wait()
            self.assertEqual(data[0], 7.0)
        request.Free()

    def test_partitioned(self):
        send, recv = zeros(2), zeros(2)
        pair = [mpix.Psend_init(COMM, send, 2, RIGHT), mpix.Precv_init(COMM, recv, 1, LEFT)]
        for turn in range(2):
            send, recv = array.array("d", values(turn, RANK, 0, 2)), zeros(2)
            mpix.Request_rebind(pair[0], send)
            mpix.Request_rebind(pair[1], recvbuf=recv)
            MPI.Prequest.Startall(pair)
            mpix.Pready_range(pair[0], 0, 1)
            MPI.Request.Waitall(pair)
            self.assertEqual(list(recv), values(turn, LEFT, 0, 2))
        for request in pair:
            request.Free()
