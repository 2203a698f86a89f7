# SPDX-License-Identifier: BSD-3-Clause
"""called.py NM LIBRARY MODULE MODULE PROGRAM...: every call that the library has for a Fortran module
is made by one of the programs. Which ones a module leaves to the host its source tells.
"""
import pathlib
import re
import subprocess
import sys

# What is called from C, or is a procedure of the module.
CALL = re.compile(r"mpix_(?P<of>fortran|f08)_(?P<name>\w+)"
                  r"|__mpix(?P<module>_f08)?_MOD_(?:mpix_f08|mpix|mpi)_(?P<procedure>\w+)")
OWN = ("constants", "keep")  # which the library begins with


def calls(nm, file, which):
    listing = subprocess.run([nm, "-D", which, "--format=posix", file], check=True,
                             capture_output=True, text=True).stdout
    found = filter(None, (CALL.fullmatch(line.split()[0]) for line in listing.splitlines()))
    return {("mpix_f08" if match["of"] == "f08" or match["module"] else "mpix",
             match["name"] or match["procedure"]) for match in found}


def main(nm, library, mpix, mpix_f08, *programs):
    text = {"mpix": pathlib.Path(mpix).read_text(), "mpix_f08": pathlib.Path(mpix_f08).read_text()}
    there = {(module, name) for module, name in calls(nm, library, "--defined-only")
             if name not in OWN and re.search(rf"{name}\b", text[module], re.IGNORECASE)}
    made = set().union(*(calls(nm, program, "--undefined-only") for program in programs))
    missing = sorted(there - made)
    print("\n".join(f"never called: {name} of {module}" for module, name in missing)
          or f"{len(there)} calls")
    return 1 if missing or not there else 0


sys.exit(main(*sys.argv[1:]))
