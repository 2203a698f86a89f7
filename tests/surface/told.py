# SPDX-License-Identifier: BSD-3-Clause
"""told.py PROJECT_ROOT PROGRAM,... RUN...: the manual says what programs print of themselves: the
help of each tool, and of the library its variables and info keys. RUN starts one rank.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "scripts"))
from manual import library, tools  # found by the line above

ROW = re.compile(r"^  (\w+)  (.*), default (\S*)(?:, is .*)?\n {6}(.*)$", re.MULTILINE)


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def faults_of_help(programs, run):
    for name, sources in tools.sources(ROOT).items():
        if name not in programs:
            print(f"not asked: {name}")
            continue
        for source in sources:
            said = tools.help_of(ROOT / source)
            subcommand = tools.command_of(said)[1]
            line = [programs[name], *([subcommand] if subcommand else []), "--help"]
            printed = output(*run, *line)
            if printed.strip() != said.strip():
                yield f"{' '.join(line)} does not print what {source} has"


def faults_of_tables(printed):
    parts = re.split(r"\n(?=[A-Z][\w ]+\n)", printed)
    for title, rows in (("Environment variables", library.variables(ROOT)),
                        ("Info keys of an init", library.info_keys(ROOT))):
        part = next(part for part in parts if part.strip().startswith(title))
        told, said = ROW.findall(part), list(rows)
        yield from (f"mpix-info prints {row}" for row in told if row not in said)
        yield from (f"the manual has {row}" for row in said if row not in told)


def main(_, programs, *run):
    programs = {pathlib.Path(path).name: path for path in programs.split(",")}
    found = list(faults_of_help(programs, run))
    found += faults_of_tables(output(*run, programs["mpix-info"]))
    print("\n".join(found) or "the manual says what the programs say")
    return 1 if found else 0


sys.exit(main(*sys.argv[1:]))
