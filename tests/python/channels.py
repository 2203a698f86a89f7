# SPDX-License-Identifier: BSD-3-Clause
"""Channels in every way they are bound, and unbound."""
import gc

from mpi4py import MPI

import mpix

from common import COMM, LEFT, RANK, RIGHT, Case, values, zeros


def started(ends):
    """Receivers are ready before senders start, as MPIX_CHECK=1 demands."""
    ends[1].Start()
    COMM.Barrier()
    ends[0].Start()


class Channels(Case):
    def setUp(self):
        self.send, self.recv = zeros(4), zeros(4)
        self.pair = [COMM.Send_init(self.send, RIGHT, 3), COMM.Recv_init(self.recv, LEFT, 3)]

    def tearDown(self):
        for request in self.pair:
            request.Free()

    def used(self, ends, turns=3):
        for turn in range(turns):
            self.send[:] = type(self.send)("d", values(turn, RANK, 0, 4))
            started(ends)
            MPI.Request.Waitall(ends)
            self.assertEqual(list(self.recv), values(turn, LEFT, 0, 4))

    def unbound(self, ends):
        mpix.Unbind_channels(ends)
        self.assertEqual([bool(end) for end in ends], [False] * len(ends))

    def test_bound_together(self):
        ends = mpix.Bind_channels(self.pair)
        self.used(ends)
        self.unbound(ends)

    def test_bound_without_waiting(self):
        ends = mpix.Ibind_channels(self.pair)
        self.assertEqual([bool(end) for end in ends], [False, False])
        MPI.Request.Waitall(self.pair)
        self.used(ends)
        mpix.Iunbind_channels(ends)
        MPI.Request.Waitall(ends)
        self.assertEqual([bool(end) for end in ends], [False, False])

    def test_bound_alone(self):
        first = mpix.Ibind_channel(self.pair[0])
        second = mpix.Bind_channel(self.pair[1])
        self.pair[0].Wait()
        self.used([first, second])
        mpix.Unbind_channel(first)
        mpix.Iunbind_channel(second)
        second.Wait()
        self.assertFalse(first or second)

    def test_slots(self):
        """Two starts are made before the first is completed, with buffers of their own."""
        info = MPI.Info.Create()
        info.Set("ADDRESS_BASE_INCREMENT", "4")
        send, recv = zeros(8), zeros(8)
        pair = [mpix.Send_init(COMM, [send, 4, MPI.DOUBLE], RIGHT, 4),
                mpix.Recv_init(COMM, [recv, 4, MPI.DOUBLE], LEFT, 4)]
        for bind in (lambda: mpix.Bind_slack_channels(pair, [2, 2], [info, info]),
                     lambda: mpix.Ibind_slack_channels(pair, [2, 2], [info, info])):
            ends = bind()
            if not ends[0]:
                MPI.Request.Waitall(pair)
            send[:] = type(send)("d", values(0, RANK, 0, 8))
            for _ in range(2):
                started(ends)
            for _ in range(2):
                MPI.Request.Waitall(ends)
            self.assertEqual(list(recv), values(0, LEFT, 0, 8))
            self.unbound(ends)
        for request in pair:
            request.Free()
        info.Free()

    def test_slack_alone(self):
        first = mpix.Ibind_slack_channel(self.pair[0], 2)
        second = mpix.Bind_slack_channel(self.pair[1], 2)
        self.pair[0].Wait()
        self.used([first, second])
        self.unbound([first, second])

    def test_local_inits(self):
        ends = [mpix.Send_channel_init(COMM, self.send, RIGHT, 5),
                mpix.Recv_channel_init(COMM, self.recv, LEFT, 5)]
        self.used(ends)
        self.unbound(ends)

    def test_any_source(self):
        end = mpix.Recv_channel_init(COMM, self.recv)
        sender = mpix.Send_channel_init(COMM, self.send, RIGHT, 6)
        self.used([sender, end])
        self.unbound([sender, end])

    def test_sends_of_every_mode(self):
        storage = bytearray(4096 + 4 * 8)
        MPI.Attach_buffer(storage)
        for init in mpix.Send_init, mpix.Bsend_init, mpix.Ssend_init, mpix.Rsend_init:
            pair = [init(COMM, self.send, RIGHT, 8), mpix.Recv_init(COMM, self.recv, LEFT, 8)]
            self.used(pair)
            ends = mpix.Bind_channels(pair)
            self.used(ends)
            self.unbound(ends)
            for request in pair:
                request.Free()
        MPI.Detach_buffer()

    def test_other_buffers(self):
        ends = mpix.Bind_channels(self.pair)
        self.used(ends, turns=1)
        self.send, self.recv = zeros(4), zeros(4)
        mpix.Request_rebind(ends[0], self.send)
        mpix.Request_rebind(ends[1], recvbuf=self.recv)
        gc.collect()
        self.used(ends)
        self.unbound(ends)

    def test_an_end_that_cannot_be_bound(self):
        """The other is, and the exception has it."""
        info = MPI.Info.Create()
        info.Set("mpix_split_merge", "true")
        pair = [init(COMM, data, RANK, tag) for tag in (9, 10)
                for init, data in ((mpix.Send_init, self.send), (mpix.Recv_init, self.recv))]
        error = self.raises(MPI.ERR_INFO, mpix.Bind_channels, pair,
                            [MPI.INFO_NULL, MPI.INFO_NULL, info, MPI.INFO_NULL])
        self.assertEqual([bool(end) for end in error.requests], [True, True, False, False])
        self.unbound(error.requests[:2])
        for request in pair:
            request.Free()
        info.Free()
