# SPDX-License-Identifier: BSD-3-Clause
"""Buffers as mpi4py's programs specify them, read into what a call of MPI takes.

The rules are mpi4py's, except that a buffer that is too short for what it is said to hold is an
error here, and that counts may be beyond int.
"""
import itertools
import numbers
import operator

from mpi4py import MPI


class Message:
    """count, displs and datatype are lists where the call takes arrays; displs is then set."""

    def __init__(self, memory=None, address=0, count=0, displs=None, datatype=MPI.BYTE,
                 writable=False, end=0):
        self.memory = memory  # holds the program's buffer
        self.address = address
        self.count, self.displs, self.datatype = count, displs, datatype
        self.writable = writable
        self.end = end  # bytes from the address on that are used


NOTHING = Message()  # where a rank has no such buffer
IN_PLACE = Message(address=int(MPI.IN_PLACE))


def memory_of(buffer, writable):
    """The memory of a buffer, with its address."""
    if buffer is None or buffer is MPI.BOTTOM:
        return None, int(MPI.BOTTOM)
    memory = MPI.memory.frombuffer(buffer, readonly=not writable)
    return memory, memory.address


def datatype_of(given, buffer):
    if isinstance(given, MPI.Datatype):
        return given
    if given is None:
        given = memoryview(buffer).format.removeprefix("@")
    return MPI._typedict[given]


def unpack(spec, pairs):
    """Buffer, count, displacement and datatype; pairs are the types of (count, displacement)."""
    if spec is None:
        raise TypeError("message: expecting buffer or list/tuple")
    if not isinstance(spec, (list, tuple)):
        return spec, None, None, None
    if not 2 <= len(spec) <= 4:
        raise ValueError("message: expecting 2 to 4 items")
    buffer, *middle = spec
    has_type = len(middle) > 1 or isinstance(middle[0], (MPI.Datatype, str))
    datatype = middle.pop() if has_type else None
    if len(middle) == 1 and isinstance(middle[0], pairs):
        middle = middle[0]
    counts, displs = (*middle, None, None)[:2]
    return buffer, counts, displs, datatype


def entries(memory, datatype):
    """How many elements a buffer has."""
    extent = datatype.Get_extent()[1]
    size = memory.nbytes if memory else 0
    if extent <= 0 or size % extent:
        raise ValueError(f"message: cannot infer count, buffer of {size} bytes is not a multiple "
                         f"of datatype extent {extent}")
    return size // extent


def span_of(datatype):
    """Extent, and first and last byte, of which the library says what is wrong with a null one."""
    if datatype == MPI.DATATYPE_NULL:
        return 0, 0, 0
    lower, size = datatype.Get_true_extent()
    return datatype.Get_extent()[1], lower, lower + size


def end_of(memory, blocks):
    """Where the last byte of blocks ends: each is an offset in bytes, a count and a span."""
    first = last = 0
    for offset, count, (extent, lower, upper) in blocks:
        if count > 0:
            ends = offset, offset + (count - 1) * extent
            first, last = min(first, min(ends) + lower), max(last, max(ends) + upper)
    if memory is not None and (first < 0 or last > memory.nbytes):
        raise ValueError(f"message: buffer of {memory.nbytes} bytes, {first} to {last} are used")
    return last


def simple(spec, writable, blocks=1):
    """A message of one count, which is that of each of blocks."""
    if spec is MPI.IN_PLACE:
        return IN_PLACE
    buffer, count, displ, datatype = unpack(spec, (list, tuple))
    memory, address = memory_of(buffer, writable)
    datatype = datatype_of(datatype, buffer)
    if count is None:
        if displ is not None:
            raise ValueError("message: cannot handle displacement, explicit count required")
        total = entries(memory, datatype)
        count, left = divmod(total, max(blocks, 1))
        if left:
            raise ValueError(f"message: cannot infer count, {total} elements are not a multiple "
                             f"of {blocks} blocks")
    count, span = operator.index(count), span_of(datatype)
    offset = operator.index(displ or 0) * span[0]
    end = end_of(memory, [(offset, count * blocks, span)])
    return Message(memory, address + offset, count, None, datatype, writable, end - offset)


def list_of(items, length):
    items = list(items)
    if len(items) != length:
        raise ValueError(f"message: expecting {length} items, got {len(items)}")
    return items


def numbers_of(given, length):
    """One for each block, or one for all."""
    if isinstance(given, numbers.Integral):
        return [operator.index(given)] * length
    return [operator.index(one) for one in list_of(given, length)]


def spread(total, parts):
    """As even as can be, in blocks of whole numbers of parts."""
    sizes = [total // len(parts) + (i < total % len(parts)) for i in range(len(parts))]
    if any(size % max(part, 1) for size, part in zip(sizes, parts)):
        raise ValueError(f"message: cannot infer counts, {total} elements in {len(parts)} blocks "
                         f"are not multiples of their partitions")
    return [size // max(part, 1) for size, part in zip(sizes, parts)]


def places(displs, sizes):
    """Displacements, which are a distance where they are one number, and else close together."""
    if displs is None:
        return list(itertools.accumulate(sizes[:-1], initial=0)) if sizes else []
    if isinstance(displs, numbers.Integral):
        return [operator.index(displs) * i for i in range(len(sizes))]
    return numbers_of(displs, len(sizes))


def vector(spec, writable, parts):
    """A message of blocks that differ, each with a number of partitions."""
    if spec is MPI.IN_PLACE:
        return IN_PLACE
    buffer, counts, displs, datatype = unpack(spec, tuple)
    memory, address = memory_of(buffer, writable)
    datatype = datatype_of(datatype, buffer)
    counts = spread(entries(memory, datatype), parts) if counts is None \
        else numbers_of(counts, len(parts))
    sizes = [count * part for count, part in zip(counts, parts)]
    displs, span = places(displs, sizes), span_of(datatype)
    end = end_of(memory, [(displ * span[0], size, span) for displ, size in zip(displs, sizes)])
    return Message(memory, address, counts, displs, datatype, writable, end)


def vector_w(spec, writable, parts):
    """The same with a datatype for each block, and displacements in bytes."""
    if spec is MPI.IN_PLACE:
        return IN_PLACE
    if not isinstance(spec, (list, tuple)) or not 2 <= len(spec) <= 4:
        raise ValueError("message: expecting 2 to 4 items")
    buffer, *middle, types = spec
    counts, displs = middle if len(middle) == 2 else middle[0] if middle else (1, 0)
    memory, address = memory_of(buffer, writable)
    counts, displs = numbers_of(counts, len(parts)), numbers_of(displs, len(parts))
    types = [datatype_of(one, buffer) for one in list_of(types, len(parts))]
    end = end_of(memory, [(displ, count * part, span_of(one))
                          for displ, count, part, one in zip(displs, counts, parts, types)])
    return Message(memory, address, counts, displs, types, writable, end)
