# SPDX-License-Identifier: BSD-3-Clause
"""Requests made of functions of the program.

The library calls them on any thread that is in it; ctypes has the interpreter's lock then.
"""
import atexit
import ctypes
import traceback

from mpi4py import MPI

from .library import call, place
from .request import Request


def _code_of(function, *args, **kargs):
    """What a function of the program has done, as a code: nothing is raised into the library."""
    try:
        function(*args, **kargs)
    except MPI.Exception as error:
        return error.Get_error_code()
    except BaseException:
        traceback.print_exc()
        return MPI.ERR_OTHER
    return MPI.SUCCESS


INT_PLACE = ctypes.POINTER(ctypes.c_int)
PLAIN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
POLL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, INT_PLACE)
QUERY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
CANCEL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)

# MPI may end after the interpreter, and then calls nothing of these any more.
_under_way = set()
_is_ending = False


class _Functions:
    """Those of one generalized request, as C calls them."""

    def __init__(self, start_fn, poll_fn, query_fn, free_fn, cancel_fn, args, kargs):
        def calling(function, *first):
            return _code_of(function, *first, *args, **kargs)

        def start(_):
            code = calling(start_fn)
            if code == MPI.SUCCESS:
                _under_way.add(id(self))
            return code

        def ask():
            return _is_ending or bool(poll_fn(*args, **kargs))

        def poll(_, flag):
            done = []
            code = _code_of(lambda: done.append(ask()))
            flag[0] = code == MPI.SUCCESS and done[0]
            if flag[0] or code != MPI.SUCCESS:
                _under_way.discard(id(self))
            return code

        def query(_, where):
            status = MPI.Status()
            code = calling(query_fn, status)
            ctypes.memmove(where, MPI._addressof(status), MPI._sizeof(status))
            return code

        self.in_c = [PLAIN(start), POLL(poll), query_fn and QUERY(query),
                     free_fn and PLAIN(lambda _: calling(free_fn)),
                     cancel_fn and CANCEL(lambda _, done: calling(cancel_fn, bool(done)))]


def Pgrequest_init(start_fn, poll_fn, query_fn=None, free_fn=None, cancel_fn=None,
                   args=None, kargs=None):
    """All are called with args and kargs, as those of MPI.Grequest: query_fn after a status,
    cancel_fn after whether poll_fn has said so. poll_fn returns whether the round is done. The
    code of an MPI.Exception that one raises is that of the round; any other exception is printed,
    and is MPI.ERR_OTHER."""
    functions = _Functions(start_fn, poll_fn, query_fn, free_fn, cancel_fn, args or (), kargs or {})
    request = Request()
    call("MPIX_Pgrequest_init", *functions.in_c, None, place(request))
    request._keep((functions,))
    return request


@atexit.register
def _give_up():
    """Completes what is under way: every turn of the library's asks all of them."""
    global _is_ending
    _is_ending = True
    if _under_way and not MPI.Is_finalized():
        turn = Pgrequest_init(lambda: None, lambda: True)
        while _under_way:
            turn.Start()
            turn.Wait()
