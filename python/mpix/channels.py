# SPDX-License-Identifier: BSD-3-Clause
"""Binding requests to channels, and unbinding them."""
from mpi4py import MPI

from .library import HANDLE, call, handle, handles, ints, place
from .messages import Message
from .request import Request


UNKNOWN = Message(writable=True)  # of a send or receive that mpi4py has made

# Ends that the library has yet to write, which have to stay where they are.
_being_bound = []


def _settle(*over):
    """Forgets those that it has written, and those that the program has unbound."""
    _being_bound[:] = [end for end in _being_bound
                       if not end and all(end is not other for other in over)]


def _end(request, handle_value=None):
    """The request of an end, whose buffer is that of what it is made of."""
    made = Request()
    if handle_value is not None:
        HANDLE.from_address(place(made)).value = handle_value
    made._keep((request,), getattr(request, "_buffers", ()) or (UNKNOWN,))
    return made


def _infos(infos):
    return None if infos is None else handles(infos, MPI.Info)


def _bind_all(name, requests, infos, *slackness):
    bound = handles([MPI.REQUEST_NULL] * len(requests))
    try:
        call(name, handles(requests), bound, len(requests), *slackness, _infos(infos))
    except MPI.Exception as error:
        error.requests = [_end(*pair) for pair in zip(requests, bound)]
        raise
    return [_end(*pair) for pair in zip(requests, bound)]


def _begin_to_bind(name, request, *arguments):
    made = _end(request)
    call(name, handle(request), place(made), *arguments)
    _settle()
    _being_bound.append(made)
    return made


def Bind_channel(request, info=MPI.INFO_NULL):
    made = _end(request)
    call("MPIX_Bind_channel", handle(request), place(made), handle(info, MPI.Info))
    return made


def Bind_slack_channel(request, slackness, info=MPI.INFO_NULL):
    made = _end(request)
    call("MPIX_Bind_slack_channel", handle(request), place(made), slackness,
         handle(info, MPI.Info))
    return made


def Bind_channels(requests, infos=None):
    """An exception that it raises has the ends in `requests`, null those that are not bound."""
    return _bind_all("MPIX_Bind_channels", requests, infos)


def Bind_slack_channels(requests, slackness, infos=None):
    """An exception that it raises has the ends in `requests`, null those that are not bound."""
    return _bind_all("MPIX_Bind_slack_channels", requests, infos, ints(slackness))


def Ibind_channel(request, info=MPI.INFO_NULL):
    """Returns the end, which is null until a completion call on request has bound it."""
    return _begin_to_bind("MPIX_Ibind_channel", request, handle(info, MPI.Info))


def Ibind_slack_channel(request, slackness, info=MPI.INFO_NULL):
    """Returns the end, which is null until a completion call on request has bound it."""
    return _begin_to_bind("MPIX_Ibind_slack_channel", request, slackness, handle(info, MPI.Info))


def Ibind_channels(requests, infos=None):
    """Ibind_channel of each in turn, as every end has a place of its own."""
    infos = infos or [MPI.INFO_NULL] * len(requests)
    return [Ibind_channel(*pair) for pair in zip(requests, infos)]


def Ibind_slack_channels(requests, slackness, infos=None):
    """Ibind_slack_channel of each in turn, as every end has a place of its own."""
    infos = infos or [MPI.INFO_NULL] * len(requests)
    return [Ibind_slack_channel(*one) for one in zip(requests, slackness, infos)]


def Unbind_channel(request):
    call("MPIX_Unbind_channel", place(request))
    _settle(request)


def Unbind_channels(requests):
    ends = handles(requests)
    call("MPIX_Unbind_channels", ends, len(requests))
    for request, end in zip(requests, ends):
        HANDLE.from_address(place(request)).value = end
    _settle(*requests)


def Iunbind_channel(request, info=MPI.INFO_NULL):
    """A completion call on request ends it."""
    call("MPIX_Iunbind_channel", handle(request), handle(info, MPI.Info))
    _settle(request)


def Iunbind_channels(requests):
    """A completion call on each ends it."""
    call("MPIX_Iunbind_channels", handles(requests), len(requests))
    _settle(*requests)
