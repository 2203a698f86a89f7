# SPDX-License-Identifier: BSD-3-Clause
"""Which buffers matter on this rank, how many blocks they have, and reading them all."""
from mpi4py import MPI

from . import messages

NO_DATA = {messages.NOTHING, messages.IN_PLACE}


def roles(comm, root):
    """Whether this rank is the root, and whether it is one that the root deals with."""
    if comm.Is_inter():
        return root == MPI.ROOT, root not in (MPI.ROOT, MPI.PROC_NULL)
    return root == comm.Get_rank(), True


def has_buffer(init, buffer, comm, values):
    """Whether the buffer matters on this rank."""
    if MPI.PROC_NULL in (values.get("dest"), values.get("source")):
        return False
    if "root" not in values:
        return True
    is_root, is_leaf = roles(comm, values["root"])
    if init.is_broadcast:
        return is_root or is_leaf
    return is_root if buffer == ("sendbuf" if init.scatters else "recvbuf") else is_leaf


def is_written(init, buffer, comm, values):
    is_sent = init.is_broadcast and roles(comm, values["root"])[0]
    return buffer in init.written and not is_sent


def blocks_of(init, buffer, comm):
    if buffer not in init.several:
        return 1
    if init.is_neighbourhood:  # of a communicator without a topology the library complains
        return getattr(comm, "outdegree" if buffer == "sendbuf" else "indegree", 1)
    return comm.Get_remote_size() if comm.Is_inter() else comm.Get_size()


def message_of(init, buffer, comm, values):
    """Reads a buffer that has counts and a datatype of its own."""
    if not has_buffer(init, buffer, comm, values):
        return messages.NOTHING
    spec, writable = values[buffer], is_written(init, buffer, comm, values)
    if spec is MPI.IN_PLACE:
        return messages.IN_PLACE
    blocks, words, parts = blocks_of(init, buffer, comm), init.words[buffer], init.parts[buffer]
    if not any(word.endswith("displs") for word in words):
        return messages.simple(spec, writable, blocks * values.get(parts, 1))
    in_blocks = messages.numbers_of(values.get(parts, 1), blocks)
    if parts:
        values[parts] = in_blocks
    read = messages.vector_w if any(word.endswith("types") for word in words) else messages.vector
    return read(spec, writable, in_blocks)


def sized(spec, writable, count):
    """Reads a buffer whose count is known."""
    if spec is MPI.IN_PLACE:
        return messages.IN_PLACE
    buffer, _, displ, datatype = messages.unpack(spec, (list, tuple))
    return messages.simple([buffer, count, displ, datatype], writable)


def counts_of(comm, values, parts):
    """The receive counts of all ranks."""
    if values["recvcounts"] is not None:
        return messages.numbers_of(values["recvcounts"], len(parts))
    if values["sendbuf"] is MPI.IN_PLACE or comm.Is_inter():
        raise ValueError("recvcounts are needed in place, and on an intercommunicator")
    return comm.allgather(messages.simple(values["recvbuf"], True, parts[comm.Get_rank()]).count)


def scattered(comm, values):
    """The two buffers of a reduction that leaves a block of its own size on each rank."""
    parts = messages.numbers_of(values.get("partitions", 1), comm.Get_size())
    counts = counts_of(comm, values, parts)
    sizes = [count * part for count, part in zip(counts, parts)]
    values.update(partitions=parts, recvcounts=counts)
    send = sized(values["sendbuf"], False, sum(sizes))
    return send, sized(values["recvbuf"], True,
                       sum(sizes) if send is messages.IN_PLACE else sizes[comm.Get_rank()])


def reduced(init, comm, values):
    """The two buffers of any other reduction."""
    blocks = comm.Get_size() if init.scatters else 1
    parts = values.get("partitions", 1)
    send = recv = messages.NOTHING
    if has_buffer(init, "sendbuf", comm, values):
        send = messages.simple(values["sendbuf"], False, blocks * parts)
    if has_buffer(init, "recvbuf", comm, values):
        is_whole = send is messages.IN_PLACE
        recv = messages.simple(values["recvbuf"], True, parts * (blocks if is_whole else 1))
    if not {send, recv} & NO_DATA and send.count != recv.count:
        raise ValueError(f"message: mismatch in send count {send.count} and receive count "
                         f"{recv.count}")
    return send, recv


def data_values(words, message):
    """What is passed for counts, displacements and datatypes."""
    for word in words:
        yield word, (message.displs if "displs" in word
                     else message.datatype if "type" in word else message.count)


def read_reduction(init, comm, values):
    is_scattered = "recvcounts" in init.parameters
    send, recv = scattered(comm, values) if is_scattered else reduced(init, comm, values)
    if not {send, recv} & NO_DATA and send.datatype != recv.datatype:
        raise ValueError("message: mismatch in send and receive datatypes")
    words = [word for word in init.words["recvbuf"] if word != "recvcounts"]
    values.update(data_values(words, send if recv in NO_DATA else recv))
    return {"sendbuf": send, "recvbuf": recv}


def read(init, comm, values):
    """The messages of all buffers; what they say of counts and the like is added to values."""
    if init.is_reduction:
        return read_reduction(init, comm, values)
    found = {}
    for buffer in init.buffers:
        found[buffer] = message_of(init, buffer, comm, values)
        values.update(data_values(init.words[buffer], found[buffer]))
    return found
