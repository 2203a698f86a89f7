# SPDX-License-Identifier: BSD-3-Clause
"""Which calls a module of the host has: what compiles is there. Names alone do not tell, since a
generic name may lack the large counts.
"""
import pathlib
import re
import subprocess
import tempfile


def unit(number, name, declarations, actuals):
    return [f"  subroutine probe_{number}()", *(f"    {line}" for line in declarations),
            f"    call {name}( &", *(f"      {actual}, &" for actual in actuals), "      ierror)",
            f"  end subroutine probe_{number}"]


def name_unit(number, name):
    return [f"  subroutine probe_name_{number}()", f"    procedure({name}), pointer :: it",
            f"  end subroutine probe_name_{number}"]


def program(module, units):
    """One that reads the module once, which is what takes time; and where its units begin."""
    head = ["module probe", f"  use {module}", "  implicit none (type, external)", "contains"]
    return head + sum(units.values(), []) + ["end module probe"], len(head) + 1


def compiles(compiler, lines, folder):
    """What the compiler says, or None if it is content."""
    source = pathlib.Path(folder) / "probe.f90"
    source.write_text("\n".join(lines) + "\n")
    done = subprocess.run([*compiler, "-c", "probe.f90", "-o", "probe.o"], cwd=folder,
                          capture_output=True, text=True)
    return None if done.returncode == 0 else done.stdout + done.stderr


def refused(units, first, said):
    """The units in whose lines there is an error."""
    lines = {int(line) for line in re.findall(r"\bprobe\.f90[:(](\d+)", said)}
    found = set()
    for key, text in units.items():
        if lines & set(range(first, first + len(text))):
            found.add(key)
        first += len(text)
    return found


def offered(compiler, module, calls, by_name):
    """Those keys of calls that the module has. calls: key -> name, declarations, actual arguments.

    by_name: a procedure of that name is enough, whatever its arguments are.
    """
    control = unit("control", "MPI_Initialized", ["logical :: flag", "integer :: ierror"], ["flag"])
    units = {"control": control}
    for number, (key, call) in enumerate(calls.items()):
        units[key] = unit(number, *call)
        if by_name:
            units[key, "name"] = name_unit(number, call[0])
    with tempfile.TemporaryDirectory() as folder:
        while True:
            text, first = program(module, units)
            said = compiles(compiler, text, folder)
            if said is None:
                return {key for key in calls if key in units or (key, "name") in units}
            wrong = refused(units, first, said)
            if not wrong or "control" in wrong:
                raise SystemExit(f"cannot compile a program with module {module}:\n{said}")
            for key in wrong:
                del units[key]
