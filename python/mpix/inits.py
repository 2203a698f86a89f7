# SPDX-License-Identifier: BSD-3-Clause
"""The inits of operations on a communicator, made of the table.

Their parameters are those of C without what a buffer specification says: comm first, then buffers
and numbers in their order.
"""
import inspect
import re

from mpi4py import MPI

from .library import HANDLES, NUMBERS, PARAMETERS, array_of, call, handle, handles, place
from .reading import read
from .request import Request

INT_MAX = 2**31 - 1
DEFAULTS = {"op": MPI.SUM, "root": 0, "tag": 0, "info": MPI.INFO_NULL, "recvcounts": None}
ANY = {"source": MPI.ANY_SOURCE, "tag": MPI.ANY_TAG}
OWN_DEFAULTS = {"Recv_init": ANY, "Recv_channel_init": ANY}
DATA = re.compile("(send|recv)?counts?|[sr]?displs|datatype|(send|recv)types?")
SEVERAL = {"gather": "recvbuf", "scatter": "sendbuf", "allgather": "recvbuf",
           "alltoall": "sendbuf recvbuf"}  # which buffers have a block for each rank


def python_name(name):
    return re.sub(r"^MPIX?_|_c$", "", name)


class Init:
    """What the table has of one init."""

    def __init__(self, name, forms):
        self.name, self.forms = name, forms
        self.parameters = [word.removesuffix("[]") for _, word in PARAMETERS[forms[0]]]
        self.buffers = [word for c_type, word in PARAMETERS[forms[0]] if c_type.endswith("void*")]
        self.written = [word for c_type, word in PARAMETERS[forms[0]] if c_type == "void*"]
        self.words, self.parts = {}, {}
        for buffer in self.buffers:
            own = self.parameters_of(buffer)
            self.words[buffer] = [word for word in own if DATA.fullmatch(word)]
            self.parts[buffer] = next((word for word in own if "part" in word), None)
        self.is_reduction = self.parameters[:2] == ["sendbuf", "recvbuf"]
        self.is_broadcast = len(self.buffers) == 1 and "root" in self.parameters
        self.is_neighbourhood = "neighbor" in name.lower()
        self.scatters = "scatter" in name.lower()
        shape = re.search("allgather|alltoall|gather|scatter", name.lower())
        self.several = SEVERAL[shape[0]].split() if shape else []
        self.signature = inspect.Signature([self.python_parameter(word) for word in self.given()])

    def parameters_of(self, buffer):
        """Those between a buffer and the next, which say what is in it."""
        rest = self.parameters[self.parameters.index(buffer) + 1:]
        ends = [place for place, word in enumerate(rest) if word in self.buffers]
        return rest[:ends[0]] if ends else rest

    def given(self):
        """The parameters in Python."""
        yield "comm"
        for word in self.parameters:
            is_told = self.is_reduction and word == "recvcounts" or not DATA.fullmatch(word)
            if word not in ("comm", "request") and is_told:
                yield word

    def python_parameter(self, word):
        defaults = {**DEFAULTS, **OWN_DEFAULTS.get(self.name, {})}
        return inspect.Parameter(word, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                 default=defaults.get(word, inspect.Parameter.empty))


def is_large(values):
    numbers = [one for name, value in values.items() if re.search("count|displs", name)
               for one in (value if isinstance(value, list) else [value]) if one is not None]
    return any(one > INT_MAX for one in numbers)


def argument(c_type, word, value):
    """One argument as ctypes takes it."""
    c_type = c_type.removeprefix("const ")
    if not word.endswith("[]"):
        return value if c_type in NUMBERS else handle(value, HANDLES[c_type])
    if not isinstance(value, (list, tuple)):
        return None  # of a buffer that this rank does not have
    return array_of(NUMBERS[c_type], value) if c_type in NUMBERS \
        else handles(value, HANDLES[c_type])


def run(init, comm, values):
    handle(comm, MPI.Comm)  # is one
    found = read(init, comm, values)
    form = init.forms[-1] if is_large(values) else init.forms[0]
    request = Request()
    arguments = []
    for c_type, word in PARAMETERS[form]:
        plain = word.removesuffix("[]")
        if plain in found:
            arguments.append(found[plain].address)
        elif plain == "request":
            arguments.append(place(request))
        else:
            arguments.append(argument(c_type, word, values[plain]))
    call(form, *arguments)
    others = {word: value for word, value in values.items() if word not in found}
    request._keep((arguments, others), tuple(found.values()))
    return request


def make(init, comment):
    def function(*args, **kwargs):
        given = init.signature.bind(*args, **kwargs)
        given.apply_defaults()
        return run(init, given.arguments["comm"], given.arguments)

    function.__name__ = function.__qualname__ = init.name
    function.__module__ = "mpix"
    function.__signature__ = init.signature
    function.__doc__ = comment
    return function


def make_all(entries):
    """A function for each call that takes a communicator and writes a request."""
    made = {}
    for comment, calls in entries:
        for name in calls:
            parameters = [word for _, word in PARAMETERS[name]]
            if "comm" in parameters and "request" in parameters:
                short = python_name(name)
                forms = [one for one in calls if python_name(one) == short]
                made[short] = make(Init(short, forms), comment)
    return made
