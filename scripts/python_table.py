#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""python_table.py [--check]: what the Python package knows of the public headers.

Writes python/mpix/table.py; with --check it only says whether that is what it would write.
"""
import pathlib
import re
import sys

import headers

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "python/mpix/table.py"
OPENING = '''\
# SPDX-License-Identifier: BSD-3-Clause
# Made by scripts/python_table.py of the public headers. It is not to be changed by hand.
"""Every call of libmpix, its parameters as the headers have them, and what they say of it."""

VERSION = "{version}"
CONSTANTS = {constants}
ALIASES = {aliases}

# A comment, and the calls it is about, each with its parameters.
ENTRIES = (
'''


def parameters(function):
    return ", ".join(f"{one.type} {one.name}" + "[]" * one.is_array for one in function.parameters)


def lines_of(entry):
    yield f'    ("""{entry.comment}""",\n     {{'
    for function in entry.functions:
        yield f'\n         "{function.name}":'
        words = parameters(function).split(", ")
        line = ""
        for number, word in enumerate(words):
            word += ", " * (number + 1 < len(words))
            if len(line) + len(word) > 80:
                yield f'\n             "{line}"'
                line = ""
            line += word
        yield f'\n             "{line}",'
    yield "\n     }),\n"


def constants_of(entries):
    pairs = [pair for entry in entries for pair in entry.constants]
    numbers = {name.removeprefix("MPIX_"): int(value.strip("()"))
               for name, value in pairs if not value.startswith("MPIX_")}
    aliases = {name.removeprefix("MPIX_"): value.removeprefix("MPIX_")
               for name, value in pairs if value.startswith("MPIX_")}
    return numbers, aliases


def table():
    version = re.search(r'MPIX_VERSION "(.*)"', (ROOT / "include/mpix/library.h").read_text())[1]
    entries = [entry for header in headers.headers(ROOT) for entry in header.entries]
    constants, aliases = constants_of(entries)
    return (OPENING.format(version=version, constants=constants, aliases=aliases)
            + "".join("".join(lines_of(entry)) for entry in entries if entry.functions) + ")\n")


def main(option=None):
    if option is None:
        TABLE.write_text(table())
    elif option != "--check":
        sys.exit(__doc__)
    elif TABLE.read_text() != table():
        sys.exit(f"{TABLE} is out of date: run {sys.argv[0]}")


main(*sys.argv[1:])
