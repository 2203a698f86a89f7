# SPDX-License-Identifier: BSD-3-Clause
"""What the tests and the package use of mpi4py, on MPICH: handles, whose values it takes from the
macros of mpi.h in the file that MPI_MACROS names, and the calls on them through ctypes.

Debian has mpi4py for Open MPI alone. With this the package meets handles that are int, and MPICH's
constants and errors. It is no binding: what it has no need to check it does not check.
"""
import atexit
import ctypes
import os
import re

_MACROS = dict(re.findall(r"^#define MPI_(\w+) (.*)$", open(os.environ["MPI_MACROS"]).read(), re.M))
__file__ = "libmpich.so.12"  # what this module needs
_LIBRARY = ctypes.CDLL(None)
if not hasattr(_LIBRARY, "MPI_Init"):  # it came with libmpix otherwise
    ctypes.CDLL(__file__, ctypes.RTLD_GLOBAL)


def _check(code):
    if code:
        raise Exception(code)


def _call(name, *arguments):
    _check(getattr(_LIBRARY, "MPI_" + name)(*arguments))


class Exception(RuntimeError):
    def __init__(self, code=0):
        super().__init__(code)
        self._code = code

    def Get_error_code(self):
        return self._code

    def Get_error_class(self):
        found = ctypes.c_int()
        _call("Error_class", self._code, ctypes.byref(found))
        return found.value

    def __str__(self):
        text, length = ctypes.create_string_buffer(512), ctypes.c_int()
        _call("Error_string", self._code, text, ctypes.byref(length))
        return text.value.decode()


class _Handle:
    null = 0

    def __new__(cls, other=None):
        made = super().__new__(cls)
        made._value = ctypes.c_int(cls.null if other is None else other._value.value)
        return made

    @classmethod
    def _of(cls, value):
        made = cls()
        made._value.value = value
        return made

    def __bool__(self):
        return self._value.value != ctypes.c_int(self.null).value

    def __eq__(self, other):
        return isinstance(other, _Handle) and self._value.value == other._value.value

    def _made(self, name, *arguments, of=None):
        """What a call makes, of the class that it is made an attribute of."""
        made = (of or type(self))()
        _call(name, *arguments, ctypes.byref(made._value))
        return made


def _ints(numbers):
    return (ctypes.c_int * len(numbers))(*numbers)


class Info(_Handle):
    @classmethod
    def Create(cls):
        return cls()._made("Info_create")

    def Set(self, key, value):
        _call("Info_set", self._value, key.encode(), value.encode())

    def Free(self):
        _call("Info_free", ctypes.byref(self._value))


class Op(_Handle):
    pass


class Datatype(_Handle):
    def _pair(self, name):
        lower, extent = ctypes.c_ssize_t(), ctypes.c_ssize_t()
        _call(name, self._value, ctypes.byref(lower), ctypes.byref(extent))
        return lower.value, extent.value

    def Get_extent(self):
        return self._pair("Type_get_extent")

    def Get_true_extent(self):
        return self._pair("Type_get_true_extent")

    def Create_contiguous(self, count):
        return self._made("Type_contiguous", count, self._value)

    def Create_vector(self, count, length, stride):
        return self._made("Type_vector", count, length, stride, self._value)

    def Create_hindexed(self, lengths, displs):
        return self._made("Type_create_hindexed", len(lengths), _ints(lengths),
                          (ctypes.c_ssize_t * len(displs))(*displs), self._value)

    def Commit(self):
        _call("Type_commit", ctypes.byref(self._value))
        return self

    def Free(self):
        _call("Type_free", ctypes.byref(self._value))


class Status:
    def __init__(self):
        self._value = (ctypes.c_int * 5)()

    def Get_source(self):
        return self._value[2]

    def Get_tag(self):
        return self._value[3]

    def Set_source(self, source):
        self._value[2] = source

    def Set_tag(self, tag):
        self._value[3] = tag


def _place_of(status):
    return ctypes.c_void_p(1) if status is None else ctypes.byref(status._value)


class Request(_Handle):
    def Wait(self, status=None):
        _call("Wait", ctypes.byref(self._value), _place_of(status))

    def Test(self, status=None):
        flag = ctypes.c_int()
        _call("Test", ctypes.byref(self._value), ctypes.byref(flag), _place_of(status))
        return bool(flag.value)

    def Free(self):
        _call("Request_free", ctypes.byref(self._value))

    def Cancel(self):
        _call("Cancel", ctypes.byref(self._value))

    @staticmethod
    def _all(name, requests, *arguments):
        values = _ints([one._value.value for one in requests])
        code = getattr(_LIBRARY, "MPI_" + name)(len(requests), values, *arguments)
        for one, value in zip(requests, values):
            one._value.value = value
        _check(code)

    @classmethod
    def Waitall(cls, requests):
        cls._all("Waitall", requests, ctypes.c_void_p(1))


class Prequest(Request):
    def Start(self):
        _call("Start", ctypes.byref(self._value))

    @classmethod
    def Startall(cls, requests):
        cls._all("Startall", requests)


class Comm(_Handle):
    def _int(self, name):
        found = ctypes.c_int()
        _call(name, self._value, ctypes.byref(found))
        return found.value

    def Get_rank(self):
        return self._int("Comm_rank")

    def Get_size(self):
        return self._int("Comm_size")

    def Get_remote_size(self):
        return self._int("Comm_remote_size")

    def Is_inter(self):
        return bool(self._int("Comm_test_inter"))

    def Dup(self):
        return self._made("Comm_dup", self._value)

    def Split(self, color=0, key=0):
        return self._made("Comm_split", self._value, color, key)

    def Free(self):
        _call("Comm_free", ctypes.byref(self._value))

    def Barrier(self):
        _call("Barrier", self._value)

    def allgather(self, number):
        mine, all_of_them = ctypes.c_int(number), _ints([0] * self.Get_size())
        _call("Allgather", ctypes.byref(mine), 1, INT._value, all_of_them, 1, INT._value,
              self._value)
        return list(all_of_them)

    def Create_cart(self, dims, periods):
        made = self._made("Cart_create", self._value, len(dims), _ints(dims), _ints(periods), 0)
        made.indegree = made.outdegree = 2 * len(dims)
        return made

    def Create_dist_graph_adjacent(self, sources, destinations):
        unweighted = ctypes.c_void_p.in_dll(ctypes.CDLL(__file__), "MPI_UNWEIGHTED")
        made = self._made("Dist_graph_create_adjacent", self._value, len(sources), _ints(sources),
                          unweighted, len(destinations), _ints(destinations), unweighted,
                          INFO_NULL._value, 0)
        made.indegree, made.outdegree = len(sources), len(destinations)
        return made

    def Create_intercomm(self, local_leader, peer_comm, remote_leader, tag=0):
        return self._made("Intercomm_create", self._value, local_leader, peer_comm._value,
                          remote_leader, tag)

    def _point_to_point(self, name, spec, peer, tag):
        found = memory.frombuffer(spec)
        made = self._made(name, ctypes.c_void_p(found.address), found.nbytes, BYTE._value, peer,
                          tag, self._value, of=Prequest)
        made._buffer = found
        return made

    def Send_init(self, buf, dest, tag=0):
        return self._point_to_point("Send_init", buf, dest, tag)

    def Recv_init(self, buf, source, tag):
        return self._point_to_point("Recv_init", buf, source, tag)


class memory:
    @classmethod
    def frombuffer(cls, buffer, readonly=False):
        found = cls()
        found._view = memoryview(buffer).cast("B")
        if found._view.readonly:
            if not readonly:
                raise BufferError("Object is not writable.")
            found._bytes = bytes(buffer)
            found.address = ctypes.cast(ctypes.c_char_p(found._bytes), ctypes.c_void_p).value
        else:
            found.address = ctypes.addressof(ctypes.c_char.from_buffer(found._view)) \
                if found._view.nbytes else 0
        found.nbytes = found._view.nbytes
        return found


class _Constant(int):
    pass


def _constants():
    classes = {"Comm": Comm, "Datatype": Datatype, "Op": Op, "Info": Info, "Request": Request}
    for name, text in _MACROS.items():
        handle = re.search(r"\(MPI_(\w+)\)\(?(0x[0-9a-f]+)", text)
        number = re.fullmatch(r"\(?(-?\d+)\)?", text)
        if handle and handle[1] in classes:
            globals()[name] = classes[handle[1]]._of(int(handle[2], 16))
            if name.endswith("_NULL"):
                classes[handle[1]].null = int(handle[2], 16)
        elif number:
            globals()[name] = int(number[1])


def Is_finalized():
    return False  # it is, after the functions that were registered later


def Attach_buffer(buffer):
    found = memory.frombuffer(buffer)
    _call("Buffer_attach", ctypes.c_void_p(found.address), found.nbytes)


def Detach_buffer():
    _call("Buffer_detach", ctypes.byref(ctypes.c_void_p()), ctypes.byref(ctypes.c_int()))


def _handleof(item):
    return item._value.value


def _addressof(item):
    return ctypes.addressof(item._value)


def _sizeof(item):
    return ctypes.sizeof(getattr(item, "_value", ctypes.c_int()))


_constants()
IN_PLACE, BOTTOM = _Constant(-1), _Constant(0)
_typedict = {"b": SIGNED_CHAR, "B": UNSIGNED_CHAR, "i": INT, "l": LONG, "f": FLOAT,
             "d": DOUBLE}
_call("Init_thread", None, None, THREAD_MULTIPLE, ctypes.byref(ctypes.c_int()))
for _comm in COMM_WORLD, COMM_SELF:
    _call("Comm_set_errhandler", _comm._value, ctypes.c_int(0x54000001))
atexit.register(_call, "Finalize")
