# SPDX-License-Identifier: BSD-3-Clause
"""exported.py NM LIBRARY API_DEF [NAME...]: the library exports the names of api.def, those given,
and no others.

More than that would collide with the program's own names, since a preloaded library comes first;
a missing name would go to the host behind our back.
"""
import re
import subprocess
import sys

PREFIXES = {"CALL": ("MPI_", "PMPI_"), "PLAIN": ("MPI_", "PMPI_"), "POLL": ("MPI_", "PMPI_"),
            "NONBLOCKING": ("MPI_", "PMPI_"), "COLLECTIVE": ("MPI_", "PMPI_", "MPIX_", "PMPIX_"),
            "PROVIDED": ("MPI_", "PMPI_"), "PARTITIONED": ("MPIX_", "PMPIX_"),
            "OWN": ("MPIX_", "PMPIX_"), "TOOL": ("MPI_", "PMPI_")}
# Marks that some linkers put into every shared library.
LINKER = {"_init", "_fini", "_edata", "_end", "__bss_start"}


def declared(api_def):
    with open(api_def) as file:
        rows = re.findall(rf"^({'|'.join(PREFIXES)})\((\w+),", file.read(), re.MULTILINE)
    return [prefix + name for kind, name in rows for prefix in PREFIXES[kind]]


def exported(nm, library):
    listing = subprocess.run([nm, "-D", "--defined-only", "--format=posix", library], check=True,
                             capture_output=True, text=True).stdout
    return {line.split()[0].split("@")[0] for line in listing.splitlines()} - LINKER


def main(nm, library, api_def, *more):
    wanted, found = declared(api_def) + list(more), exported(nm, library)
    twice = {name for name in wanted if wanted.count(name) > 1}
    faults = ([f"twice in api.def: {name}" for name in sorted(twice)] +
              [f"missing from the library: {name}" for name in sorted(set(wanted) - found)] +
              [f"exported but not in api.def: {name}" for name in sorted(found - set(wanted))])
    if not wanted:
        faults.append(f"no rows in {api_def}")
    print("\n".join(faults) or f"{len(found)} names, as api.def says")
    return 1 if faults else 0


sys.exit(main(*sys.argv[1:]))
