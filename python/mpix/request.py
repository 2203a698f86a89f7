# SPDX-License-Identifier: BSD-3-Clause
"""The requests that the calls of this package return, and calls on any request of them."""
from mpi4py import MPI

from .library import call, handle, place, text_of
from .messages import IN_PLACE, Message, memory_of
from . import partitions

# What belongs to requests that the program has dropped and not freed: MPI still has them.
_dropped = []


class Request(MPI.Prequest):
    """A persistent request, for all that takes one of mpi4py's.

    It keeps alive what it was made of, until it is freed: buffers, arrays, requests, functions. If
    the program drops it without freeing it they stay, as the request does.
    """

    def __init__(self, request=None):
        self._kept = getattr(request, "_kept", ())
        self._buffers = getattr(request, "_buffers", ())  # messages: sent and received, or one

    def _keep(self, things, buffers=()):
        self._kept, self._buffers = things, buffers

    def Free(self):
        super().Free()
        self._keep(())

    def __del__(self, dropped=_dropped):
        if self:
            dropped.append((self._kept, self._buffers))

    Pready = partitions.Pready
    Pready_range = partitions.Pready_range
    Pready_list = partitions.Pready_list
    Parrived = partitions.Parrived


def Partition_request(request, partition):
    made = Request()
    call("MPIX_Partition_request", handle(request), partition, place(made))
    made._keep((request,))
    return made


def Plan_name(request):
    return text_of("MPIX_Plan_name", handle(request))


def _moved(old, buffer):
    """The message in another buffer, which has room for what was in the old one."""
    if buffer is None:
        return old
    if buffer is MPI.IN_PLACE:
        return IN_PLACE
    memory, address = memory_of(buffer, old.writable)
    if memory is not None and memory.nbytes < old.end:
        raise ValueError(f"message: buffer of {memory.nbytes} bytes, {old.end} are needed")
    return Message(memory, address, writable=old.writable, end=old.end)


def Request_rebind(request, sendbuf=None, recvbuf=None):
    """A buffer that is None stays. What has one buffer takes it from either argument."""
    old = request._buffers if isinstance(request, Request) else ()
    if len(old) == 1:
        new = (_moved(old[0], sendbuf if recvbuf is None else recvbuf),) * 2
    else:
        old = old or (Message(), Message(writable=True))
        new = _moved(old[0], sendbuf), _moved(old[1], recvbuf)
    call("MPIX_Request_rebind", handle(request), new[0].address, new[1].address)
    if isinstance(request, Request):
        request._buffers = new[:len(old)]
