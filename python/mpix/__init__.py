# SPDX-License-Identifier: BSD-3-Clause
"""The calls of libmpix for programs of mpi4py.

Each has the name that it has in C without MPI_ or MPIX_; where mpi4py would have a method of a
communicator or a request, that is the first argument. Buffers are specified as for mpi4py. The
calls raise MPI.Exception; requests are MPI.Prequest. help() of a call has its rules, as C has them.
"""
import ctypes

from mpi4py import MPI

from . import bundles, channels, generalized, inits, partitions, request, table
from .library import call, handle, text_of
from .request import Request  # noqa: F401

WRITTEN = partitions, request, channels, bundles, generalized  # by hand
__version__ = table.VERSION
globals().update(table.CONSTANTS)


def Describe():
    return text_of("MPIX_Describe")


def Auto_set(comm, flag=True):
    call("MPIX_Auto_set", handle(comm, MPI.Comm), bool(flag))


def Auto_get(comm):
    """Returns whether any may run on plans, and how many plans there are."""
    flag, plans = ctypes.c_int(), ctypes.c_int()
    call("MPIX_Auto_get", handle(comm, MPI.Comm), ctypes.byref(flag), ctypes.byref(plans))
    return bool(flag.value), plans.value


def _document(name, comment):
    """What is written by hand says what is other than in C, and then what C says."""
    function = globals()[name]
    if not function.__doc__ or not function.__doc__.endswith(comment):
        function.__doc__ = "\n\n".join(filter(None, (function.__doc__, comment)))
        function.__module__ = "mpix"


def _fill():
    calls = {inits.python_name(name): comment
             for comment, names in table.ENTRIES for name in names}
    made = inits.make_all(table.ENTRIES)
    for name, comment in calls.items():
        written = [getattr(part, name) for part in WRITTEN if hasattr(part, name)]
        globals().setdefault(name, written[0] if written else made.get(name))
        _document(name, comment)
    for alias, name in table.ALIASES.items():
        globals()[alias] = globals()[name]
    return [*calls, *table.ALIASES, *table.CONSTANTS, "Request"]


__all__ = _fill()
