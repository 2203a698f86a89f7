# SPDX-License-Identifier: BSD-3-Clause
"""The libmpix of this process, and calling it.

It is never loaded from here: one that comes after the host's MPI would stand behind it, and the
program's own Start and Wait would miss it.
"""
import ctypes
import operator

from mpi4py import MPI

from . import table

HANDLE = ctypes.c_int if MPI._sizeof(MPI.Request) == ctypes.sizeof(ctypes.c_int) \
    else ctypes.c_void_p
HANDLES = {"MPI_Comm": MPI.Comm, "MPI_Datatype": MPI.Datatype, "MPI_Info": MPI.Info,
           "MPI_Op": MPI.Op, "MPI_Request": MPI.Request}
NUMBERS = {"int": ctypes.c_int, "MPI_Count": ctypes.c_longlong, "MPI_Aint": ctypes.c_ssize_t}

# Of each call its parameters, pairs of type and name, where name[] is an array.
PARAMETERS = {name: [tuple(one.rsplit(" ", 1)) for one in text.split(", ") if one]
              for _, calls in table.ENTRIES for name, text in calls.items()}


def number(c_type, value):
    """ctypes itself takes what is out of range, and cuts it."""
    value = operator.index(value)
    made = c_type(value)
    if made.value != value:
        raise OverflowError(f"{value} is beyond {c_type.__name__}")
    return made


def array_of(c_type, items):
    return (c_type * len(items))(*(number(c_type, one) for one in items))


def ints(numbers):
    return array_of(ctypes.c_int, numbers)


def handle(item, kind=MPI.Request):
    """What C has for a handle of mpi4py's, of which another kind would be taken for this one."""
    if not isinstance(item, kind):
        raise TypeError(f"{kind.__name__} expected, got {type(item).__name__}")
    return MPI._handleof(item)


def place(request):
    """Where the handle of a request is, for calls that write it."""
    handle(request)
    return MPI._addressof(request)


def handles(items, kind=MPI.Request):
    return (HANDLE * len(items))(*(handle(item, kind) for item in items))


class _Location(ctypes.Structure):  # Dl_info
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p),
                ("symbol", ctypes.c_char_p), ("address", ctypes.c_void_p)]


def _find():
    # Preloaded it is seen by all; linked with mpi4py it stands among what that needs. Either way a
    # name of MPI may be the host's too, so names are looked up in the file that has ours.
    everything = ctypes.CDLL(None)
    for loaded in everything, ctypes.CDLL(MPI.__file__):
        ours = getattr(loaded, "MPIX_Describe", None)
        if ours is not None:
            location = _Location()
            everything.dladdr(ours, ctypes.byref(location))
            return ctypes.CDLL(location.file.decode())
    raise ImportError("libmpix is not in this process: run the program as `mpix-run -n 4 python3 "
                      "app.py`, or with LD_PRELOAD set to the libmpix.so for its MPI")


LIBRARY = _find()
functions = {}  # those that have been called


class Function:
    """A call of the library. What is no number it takes as it is: addresses, handles, ctypes."""

    def __init__(self, name):
        self.found = getattr(LIBRARY, name)
        self.kinds = [None if word.endswith("[]") else NUMBERS.get(c_type)
                      for c_type, word in PARAMETERS[name]]
        self.found.argtypes = [
            kind or (ctypes.c_void_p if word.endswith("[]") or c_type.endswith("*") else HANDLE)
            for kind, (c_type, word) in zip(self.kinds, PARAMETERS[name])]

    def __call__(self, *arguments):
        return self.found(*(number(kind, value) if kind else value
                            for kind, value in zip(self.kinds, arguments)))


def function(name):
    if name not in functions:
        functions[name] = Function(name)
    return functions[name]


def text_of(name, *arguments):
    """Of a call that returns text instead of an error code, or null."""
    called = function(name)
    called.found.restype = ctypes.c_char_p
    text = called(*arguments)
    return None if text is None else text.decode()


def call(name, *arguments):
    """Errors have gone through the handler of the communicator when they are raised here."""
    code = function(name)(*arguments)
    if code != MPI.SUCCESS:
        raise MPI.Exception(code)
