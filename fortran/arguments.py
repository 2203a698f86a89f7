# SPDX-License-Identifier: BSD-3-Clause
"""What becomes of each parameter of the headers: its declaration in Fortran, and what the call in C++
(calls.hpp) does with it. A parameter that no rule covers is an error: so no call is forgotten.
"""
from dataclasses import dataclass

HANDLES = {"MPI_Comm": "Comm", "MPI_Datatype": "Type", "MPI_Info": "Info", "MPI_Op": "Op",
           "MPI_Request": "Request"}
NUMBERS = {"int": ("integer", "MPI_Fint"), "MPI_Count": ("integer(MPI_COUNT_KIND)", "MPI_Count"),
           "MPI_Aint": ("integer(MPI_ADDRESS_KIND)", "MPI_Aint")}

# Which parameter has the datatype of a buffer, and how many datatypes there are where each block
# has its own.
DATATYPES = {"buf": "datatype", "buffer": "datatype", "sendbuf": "sendtype", "recvbuf": "recvtype"}
# And how many elements its blocks have, where that is one number.
COUNTS = {"datatype": "count", "sendtype": "sendcount", "recvtype": "recvcount"}
BUFFERS = {"sendtypes": "sendbuf", "recvtypes": "recvbuf"}
LENGTHS = {"in": "n", "out": "n", "info": "n"}

# Places in an array, which Fortran counts from one.
PLACES = ("later", "earlier")
OPTIONAL = (("MPIX_Auto_get", "flag"), ("MPIX_Auto_get", "plans"), ("channels", "info"))


@dataclass
class Argument:
    name: str
    type: str  # in Fortran; {Comm} and its like are the module's types of handles
    attributes: str
    is_array: bool
    parameter: str  # in C++
    value: str
    setup: str = ""  # a line ahead of the call that uses the value

    @property
    def is_flag(self):
        return self.type == "logical"

    def declaration(self, handle_types):
        shape = "(*)" if self.is_array else ""
        return f"{self.type.format_map(handle_types)}{self.attributes} :: {self.name}{shape}"


def is_optional(function, parameter):
    end = "channels" if function.name.endswith("channels") and parameter.is_array else function.name
    return (end, parameter.name) in OPTIONAL


def buffer(function, parameter):
    name, types = parameter.name, [p.name for p in function.parameters]
    is_read = parameter.type.startswith("const")
    datatype = DATATYPES[name]
    has_type = datatype in types
    with_type = f", MPI_Type_f2c({datatype})" if has_type else ""
    if has_type and COUNTS[datatype] in types:
        with_type += f", {COUNTS[datatype]}"
    return Argument(name, "type(*), dimension(..)", (", intent(in)" if is_read else "") + ", asynchronous",
                    False, f"const CFI_cdesc_t* {name}", f"{name}_.address()",
                    f'const Buffer {name}_("{name}", {name}{with_type});')


def datatype_of_buffer(function, parameter):
    """The name of the buffer that this is the datatype of: strided arrays have another one."""
    for other in function.parameters:
        if other.type.endswith("void*") and DATATYPES.get(other.name) == parameter.name:
            return other.name
    return None


def buffer_counted(function, parameter):
    """The name of the buffer whose blocks have so many elements."""
    for other in function.parameters:
        if COUNTS.get(other.name) == parameter.name:
            return datatype_of_buffer(function, other)
    return None


def handle(function, parameter):
    name = parameter.name
    of = datatype_of_buffer(function, parameter)
    value = f"{of}_.type()" if of else f"MPI_{HANDLES[parameter.type]}_f2c({name})"
    return Argument(name, "{" + parameter.type + "}", ", intent(in)", False,
                    f"const MPI_Fint& {name}", value)


def handles(function, parameter, kind):
    """An array of handles that is read."""
    name = parameter.name
    optional = ", optional" if is_optional(function, parameter) else ""
    length = LENGTHS.get(name)
    if name in BUFFERS:
        root = ", root" if any(p.name == "root" for p in function.parameters) else ""
        blocks = ("ranks" if "neighbor" not in function.name.lower()
                  else "destinations" if name == "sendtypes" else "sources")
        length = f"{BUFFERS[name]}_, {blocks}(MPI_Comm_f2c(comm){root})"
    return Argument(name, "{" + kind + "}", f"{optional}, intent(in)", True,
                    f"const MPI_Fint* {name}", f"{name}_.data()",
                    f"const {kind[4:]}s {name}_({name}, {length or length_of(function)});")


def length_of(function):
    return next(p.name for p in function.parameters if p.name in ("n", "count"))


def requests(function, parameter):
    """Requests that a call writes: those that it makes, or that it is given."""
    name = parameter.name
    makes = name in ("out", "bundle", "partition_request") or "_init" in function.name
    if function.name.startswith("MPIX_Ibind_"):  # written by a later call
        by = f"MPI_Fint* {name}" if parameter.is_array else f"MPI_Fint& {name}"
        return Argument(name, "{MPI_Request}", ", asynchronous", parameter.is_array, by, name)
    if parameter.is_array:
        return Argument(name, "{MPI_Request}", ", intent(out)" if makes else ", intent(inout)", True,
                        f"MPI_Fint* {name}", f"{name}_.data()",
                        f"{'New' if makes else 'Held'}Requests {name}_({name}, {length_of(function)});")
    if function.name.endswith("_extended"):
        return Argument(name, "{MPI_Request}", ", intent(in)", False, f"const MPI_Fint& {name}",
                        f"&{name}_", f"MPI_Request {name}_ = MPI_Request_f2c({name});")
    return Argument(name, "{MPI_Request}", ", intent(out)" if makes else ", intent(inout)", False,
                    f"MPI_Fint& {name}", f"{name}_.address()",
                    f"{'New' if makes else 'Held'}Request {name}_({name});")


def written_number(function, parameter):
    name = parameter.name
    optional = ", optional" if is_optional(function, parameter) else ""
    kind = "logical" if name == "flag" else "integer"
    value, setup = name, ""
    if name == "index":
        value, setup = "index_.address()", "Place index_(index);"
    return Argument(name, kind, f"{optional}, intent(out)", False, f"MPI_Fint* {name}", value, setup)


def read_number(function, parameter):
    name = parameter.name
    fortran, cpp = NUMBERS[parameter.type]
    of = buffer_counted(function, parameter)
    value = f"{of}_.in_types({name})" if of else f"{name} - 1" if name in PLACES else name
    return Argument(name, "logical" if name == "flag" else fortran, ", intent(in)", False,
                    f"const {cpp}& {name}", value)


def numbers(function, parameter):
    name = parameter.name
    kind = parameter.type.removeprefix("const ")
    fortran, cpp = NUMBERS[kind]
    if kind == parameter.type:  # places that are found
        return Argument(name, fortran, ", intent(out)", True, f"{cpp}* {name}", f"{name}_.data()",
                        f"const Places {name}_({name}, outcount);")
    # The mpi.h of some hosts forgets a const.
    value = f"const_cast<{cpp}*>({name})" if function.name == "MPI_Pready_list" else name
    return Argument(name, fortran, ", intent(in)", True, f"const {cpp}* {name}", value)


def argument(function, parameter):
    kind = parameter.type.removeprefix("const ")
    if kind == "void*" and parameter.name in DATATYPES:
        return buffer(function, parameter)
    if kind in HANDLES and not parameter.is_array:
        return handle(function, parameter)
    if kind in HANDLES and parameter.type.startswith("const "):
        return handles(function, parameter, kind)
    if kind in ("MPI_Request", "MPI_Request*"):
        return requests(function, parameter)
    if kind == "int*":
        return written_number(function, parameter)
    if kind in NUMBERS:
        return numbers(function, parameter) if parameter.is_array else read_number(function, parameter)
    raise SystemExit(f"{function.name}: no rule for {parameter.type} {parameter.name}")


def arguments(function):
    return [argument(function, parameter) for parameter in function.parameters]
