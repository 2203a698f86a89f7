# SPDX-License-Identifier: BSD-3-Clause
"""Bundles, and requests of functions of the program."""
import contextlib
import gc
import io

from mpi4py import MPI

import mpix

from common import COMM, RANK, RANKS, SIZE, Case, sums, values, zeros


class Bundles(Case):
    def test_members_in_order(self):
        """A number goes round a ring, and then its sum is formed: one request."""
        number, back, total = zeros(1), zeros(1), zeros(1)
        into = back if RANK == 0 else number
        members = [mpix.Recv_init(COMM, into, (RANK - 1) % SIZE, 2),
                   mpix.Send_init(COMM, number, (RANK + 1) % SIZE, 2),
                   mpix.Allreduce_init(COMM, number, total)]
        bundle = mpix.Bundle_init(members)
        if RANK > 0:
            mpix.Bundle_after(bundle, 1, 0)
        mpix.Bundle_after(bundle, 2, 0)
        for turn in range(1, 4):
            if RANK == 0:
                number[0] = turn
            bundle.Start()
            bundle.Wait()
            self.assertEqual(total[0], turn * SIZE)
        bundle.Free()
        for member in members:
            member.Free()

    def test_members_that_the_program_drops(self):
        send, recv = zeros(2), zeros(2)
        bundle = mpix.Bundle_init([mpix.Allreduce_init(COMM, send, recv)])
        gc.collect()
        send[:] = type(send)("d", values(0, RANK, 0, 2))
        bundle.Start()
        bundle.Wait()
        self.assertEqual(list(recv), sums(0, RANKS, 0, 2))
        bundle.Free()


class Generalized(Case):
    def test_every_function(self):
        said = []

        def poll(word, more):
            said.append("poll")
            return said.count("poll") % 2 == 0

        def query(status, word, more):
            said.append((word, more))
            status.Set_source(5)
            status.Set_tag(6)

        request = mpix.Pgrequest_init(lambda word, more: said.append("start"), poll, query,
                                      lambda word, more: said.append("free"),
                                      lambda done, word, more: said.append(done),
                                      args=("word",), kargs={"more": 1})
        gc.collect()
        for _ in range(2):
            said.clear()
            status = MPI.Status()
            request.Start()
            request.Cancel()
            request.Wait(status)
            # Another thread may poll before the cancelling.
            self.assertEqual([one for one in said if not isinstance(one, bool)],
                             ["start", "poll", "poll", ("word", 1)])
            self.assertEqual(sum(isinstance(one, bool) for one in said), 1)
            self.assertEqual((status.Get_source(), status.Get_tag()), (5, 6))
        request.Free()
        self.assertEqual(said[-1], "free")

    def test_alone_among_functions(self):
        turns = []
        request = mpix.Pgrequest_init(lambda: turns.append(1), lambda: True)
        request.Start()
        request.Wait()
        self.assertEqual(turns, [1])
        request.Free()

    def test_exceptions_are_codes(self):
        def refuse():
            raise MPI.Exception(MPI.ERR_IO)

        def divide():
            return 1 / 0

        for raising, error_class in (refuse, MPI.ERR_IO), (divide, MPI.ERR_OTHER):
            printed = io.StringIO()
            request = mpix.Pgrequest_init(lambda: None, raising)
            with contextlib.redirect_stderr(printed):
                request.Start()
                self.raises(error_class, request.Wait)
            self.assertEqual("ZeroDivisionError" in printed.getvalue(), raising is divide)
            request.Free()

    def test_in_a_bundle_after_a_message(self):
        """The function of the program looks at what has come."""
        send, recv, seen = zeros(1), zeros(1), []
        members = [mpix.Allreduce_init(COMM, send, recv),
                   mpix.Pgrequest_init(lambda: seen.append(recv[0]), lambda: True)]
        bundle = mpix.Bundle_init(members)
        mpix.Bundle_after(bundle, 1, 0)
        for turn in range(3):
            send[0] = turn + RANK
            bundle.Start()
            bundle.Wait()
        self.assertEqual(seen, [turn * SIZE + sum(RANKS) for turn in range(3)])
        bundle.Free()
        for member in members:
            member.Free()
