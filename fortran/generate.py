#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""generate.py ROOT OUT COMPILER [FLAG...]: writes into the folder OUT the modules mpix.f90 and
mpix_f08.f90, and calls.cpp, which they call, all from the public headers of the tree at ROOT.

COMPILER with its flags compiles Fortran programs for the host: it tells what the host's modules have.
"""
import pathlib
import sys
import textwrap
from dataclasses import replace

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "scripts"))
import headers  # noqa: E402
import arguments  # noqa: E402
import offered  # noqa: E402

BY_HAND = ("MPIX_Describe", "MPIX_Plan_name", "MPIX_Pgrequest_init")
IERROR = "integer, optional, intent(out) :: ierror"


class Module:
    """One of the two modules: its own types of handles, on top of the host's module."""

    def __init__(self, name, host_module, prefix, is_f08):
        self.name, self.host_module, self.prefix, self.is_f08 = name, host_module, prefix, is_f08
        self.types = {kind: f"type({kind})" if is_f08 else "integer" for kind in arguments.HANDLES}
        self.status = "type(MPI_Status) :: status" if is_f08 else "integer :: status(MPI_STATUS_SIZE)"
        self.functions = []

    def fortran_name(self, function):
        """mpi_f08 has the large counts under the same, generic name."""
        return function.name.removesuffix("_c") if self.is_f08 else function.name

    def probe(self, function):
        all_of = arguments.arguments(function)
        declarations = ["integer :: ierror"]
        for one in all_of:
            kind = "real" if one.type.startswith("type(*)") else one.type.format_map(self.types)
            is_array = one.is_array or one.type.startswith("type(*)")
            declarations.append(f"{kind} :: {one.name}{'(4)' if is_array else ''}")
        return self.fortran_name(function), declarations, [one.name for one in all_of]

    def choose(self, functions, compiler):
        """All calls of ours, and those of MPI that the host's module lacks."""
        standard = {f.name: self.probe(f) for f in functions if f.name.startswith("MPI_")}
        # A generic name may get more procedures here; any other is the host's.
        there = offered.offered(compiler, self.host_module, standard, by_name=not self.is_f08)
        self.functions = [f for f in functions if f.name not in there]


def wrapped(start, items, end, indent, mark=""):
    """start, a list, end: cut after commas to lines of 100 columns, which end with the mark."""
    kept = [item.replace(" ", "\0") for item in items]
    lines = textwrap.wrap(start + ", ".join(kept) + end, 98 - len(mark), subsequent_indent=indent,
                          break_long_words=False, break_on_hyphens=False)
    return f"{mark}\n".join(lines).replace("\0", " ")


def symbol(function, prefix):
    return prefix + "_" + function.name.split("_", 1)[1].lower()


def subroutine(name, all_of, end, types, indent):
    """The first lines of one, to the declarations of its arguments."""
    head = wrapped(f"{indent}subroutine {name}(", [one.name for one in all_of] + ["ierror"],
                   f"){end}", indent + "    ", " &")
    lines = [head, f"{indent}  import"] if end else [head]
    return lines + [f"{indent}  {one.declaration(types)}" for one in all_of] + [f"{indent}  {IERROR}"]


def in_c(module, function, name, indent, all_of):
    return [*subroutine(name, all_of, f' bind(C, name="{symbol(function, module.prefix)}")',
                        module.types, indent), f"{indent}end subroutine {name}"]


def is_generic(module, function):
    """A generic name may get more procedures, here or in the host's module."""
    return module.is_f08 and function.name.startswith("MPI_")


def own_name(module, function):
    return symbol(function, module.prefix) if is_generic(module, function) else function.name


def has_flag(function):
    return any(one.is_flag for one in arguments.arguments(function))


def interface(module, function):
    generic = f" {module.fortran_name(function)}" if is_generic(module, function) else ""
    name = own_name(module, function)
    if not has_flag(function):
        body = in_c(module, function, name, "    ", arguments.arguments(function))
    elif generic:
        body = [f"    procedure {name}"]
    else:
        return ""
    return "\n".join([f"  interface{generic}", *body, "  end interface"])


def procedure(module, function):
    """A LOGICAL is none of C: there it is a number."""
    all_of = arguments.arguments(function)
    numbers = [replace(one, type="integer", attributes=one.attributes.replace(", optional", ""))
               if one.is_flag else one for one in all_of]
    flag = next(one for one in all_of if one.is_flag)
    is_read = "intent(in)" in flag.attributes
    handed = [one.name if not one.is_flag else "merge(1, 0, flag)" if is_read else "number"
              for one in all_of] + ["ierror"]
    name = own_name(module, function)
    lines = [*subroutine(name, all_of, "", module.types, "  "), "    interface",
             *in_c(module, function, "in_c", "      ", numbers), "    end interface"]
    call = wrapped("    call in_c(", handed, ")", " " * 8, " &")
    if is_read:
        lines += ["", call]
    else:
        present = "if (present(flag)) " if "optional" in flag.attributes else ""
        lines += ["    integer :: number", "", "    number = 0", call,
                  f"    {present}flag = number /= 0"]
    return "\n".join([*lines, f"  end subroutine {name}"])


def constant(name, value):
    if value.startswith('"'):
        return f"  character(len=*), parameter :: {name} = {value}"
    if name.startswith("MPIX_P"):  # another spelling
        return f"  interface {name}\n    procedure {value}\n  end interface"
    return f"  integer, parameter :: {name} = {value.strip('()')}"


def module_text(module, constants):
    values = [constant(*one) for one in constants if not one[1].startswith("MPIX_")]
    spellings = [constant(*one) for one in constants if one[1].startswith("MPIX_")]
    made = [f for f in module.functions if f.name not in BY_HAND]
    interfaces = filter(None, (interface(module, f) for f in made))
    procedures = [procedure(module, f) for f in made if has_flag(f)]
    by_hand = pathlib.Path(__file__).with_name("procedures.f90.in").read_text().format(
        **module.types, prefix=module.prefix, status=module.status)
    return "\n".join([
        "! SPDX-License-Identifier: BSD-3-Clause", "!",
        "! Made of the headers of mpix. What the host's module has is here too.",
        f"module {module.name}", f"  use {module.host_module}", "  implicit none", "",
        *values, "", *interfaces, "", *spellings, "", by_hand, *procedures,
        f"end module {module.name}", ""])


def ibind_body(function):
    def place(name):
        found = next((p for p in function.parameters if p.name == name), None)
        return "nullptr" if not found else name if found.is_array else f"&{name}"
    n = "n" if any(p.name == "n" for p in function.parameters) else "1"
    return wrapped("    begin_to_bind(", [f'"{function.name}"', place("in"), place("out"), n,
                                         place("slackness"), place("info"), "ierror"],
                   ");", " " * 8)


def body(function, all_of):
    if function.name.startswith("MPIX_Ibind_"):
        return ibind_body(function)
    has_comm = any(p.name == "comm" for p in function.parameters)
    comm = "MPI_Comm_f2c(comm)" if has_comm else "MPI_COMM_NULL"
    return "\n".join([f'    answer(ierror, "{function.name}", {comm}, [&] {{',
                      *(f"        {one.setup}" for one in all_of if one.setup),
                      wrapped(f"        return {function.name}(", [one.value for one in all_of],
                              ");", " " * 12), "    });"])


def shim(function, modules):
    all_of = arguments.arguments(function)
    parameters = [one.parameter for one in all_of] + ["MPI_Fint* ierror"]
    name = symbol(function, "")[1:]
    lines = [wrapped(f"MPIX_FORTRAN void mpix_fortran_{name}(", parameters, ") {", " " * 8),
             body(function, all_of), "}"]
    if function in modules["mpix_f08"].functions:
        lines.append(wrapped(f"MPIX_F08_ALIAS(void, {name}, (", parameters, "));", " " * 8))
    return "\n".join(lines)


def calls_text(functions, modules):
    used = [f for f in functions if f.name not in BY_HAND
            and any(f in module.functions for module in modules.values())]
    return "\n".join(["// SPDX-License-Identifier: BSD-3-Clause", "//",
                      "// Made of the headers of mpix.", '#include "calls.hpp"', "",
                      "namespace mpix::fortran {", "", *(shim(f, modules) for f in used), "",
                      "} // namespace mpix::fortran", ""])


def main(out, *compiler):
    functions = headers.functions(root)
    modules = {"mpix": Module("mpix", "mpi", "mpix_fortran", False),
               "mpix_f08": Module("mpix_f08", "mpi_f08", "mpix_f08", True)}
    for module in modules.values():
        module.choose(functions, compiler)
        text = module_text(module, headers.constants(root))
        (pathlib.Path(out) / f"{module.name}.f90").write_text(text)
    (pathlib.Path(out) / "calls.cpp").write_text(calls_text(functions, modules))


main(*sys.argv[2:])
