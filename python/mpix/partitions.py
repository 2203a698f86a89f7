# SPDX-License-Identifier: BSD-3-Clause
"""Marking partitions of a request, and asking for them."""
import ctypes

from .library import call, handle, handles, ints, place


def Pready(request, partition):
    call("MPI_Pready", partition, handle(request))


def Pready_range(request, partition_low, partition_high):
    call("MPI_Pready_range", partition_low, partition_high, handle(request))


def Pready_list(request, partitions):
    call("MPI_Pready_list", len(partitions), ints(partitions), handle(request))


def Parrived(request, partition):
    flag = ctypes.c_int()
    call("MPI_Parrived", handle(request), partition, ctypes.byref(flag))
    return bool(flag.value)


def Pready_extended(request, partition, dest):
    call("MPIX_Pready_extended", partition, dest, place(request))


def Pready_range_extended(request, partition_low, partition_high, dest):
    call("MPIX_Pready_range_extended", partition_low, partition_high, dest, place(request))


def Pready_list_extended(request, partitions, dest):
    call("MPIX_Pready_list_extended", len(partitions), ints(partitions), dest, place(request))


def Parrived_extended(request, partition, source):
    flag = ctypes.c_int()
    call("MPIX_Parrived_extended", place(request), partition, source, ctypes.byref(flag))
    return bool(flag.value)


def Parrived_any(request, partitions):
    """Returns the index, MPI.UNDEFINED where none has, and the flag."""
    index, flag = ctypes.c_int(), ctypes.c_int()
    call("MPIX_Parrived_any", handle(request), len(partitions), ints(partitions),
         ctypes.byref(index), ctypes.byref(flag))
    return index.value, bool(flag.value)


def Parrived_some(request, partitions):
    """Returns the indices, a list."""
    count, indices = ctypes.c_int(), ints([0] * len(partitions))
    call("MPIX_Parrived_some", handle(request), len(partitions), ints(partitions),
         ctypes.byref(count), indices)
    return indices[:count.value]


def Pbuf_prepare(request):
    call("MPIX_Pbuf_prepare", handle(request))


def Pbuf_prepareall(requests):
    call("MPIX_Pbuf_prepareall", len(requests), handles(requests))
