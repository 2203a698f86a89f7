# SPDX-License-Identifier: BSD-3-Clause
"""levels.py NM ARCHIVE...: code compiled for one level of the processor is seen by no other file.

Of code that several object files define the linker keeps one copy, perhaps that of a level which
the machine lacks.
"""
import subprocess
import sys

# Code that other files can call; and what is weak, unique or chosen at load time, code or data.
SHARED = set("TWwVvui")


def faults(nm, archive):
    listing = subprocess.run([nm, "--defined-only", "--format=posix", archive], check=True,
                             capture_output=True, text=True).stdout
    symbols = [line.split()[:2] for line in listing.splitlines() if not line.endswith(":")]
    if not any("table" in name for name, _ in symbols):
        yield f"{archive}: no table"
    for name, kind in symbols:
        if kind in SHARED:
            yield f"{archive}: others see {name}"


def main(nm, *archives):
    found = [fault for archive in archives for fault in faults(nm, archive)]
    if not archives:
        found.append("no archives")
    print("\n".join(found) or f"{len(archives)} levels keep their code")
    return 1 if found else 0


sys.exit(main(*sys.argv[1:]))
