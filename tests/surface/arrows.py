# SPDX-License-Identifier: BSD-3-Clause
"""arrows.py SOURCE_ROOT: every file knows only the rooms that its own room may know.

Checked in the text of each file: its includes, the names that belong to one room alone, its
licence line and its length. Comments may name anything. Modules form no circles, and every solver
has its row.
"""
import pathlib
import re
import sys

# Room -> the rooms it may include besides itself.
ARROWS = {
    "base": set(),
    "kernel": set(),
    "plan": set(),
    "shmem": {"kernel"},
    "host": {"kernel"},
    "datatype": {"host", "base"},
    "progress": {"datatype", "plan", "shmem", "host", "base"},
    "comm": {"progress", "datatype", "plan", "shmem", "host", "base"},
    "library": {"comm", "progress", "plan", "shmem", "host", "kernel", "base"},
    "collective": {"comm", "progress", "datatype", "plan", "host", "base"},
    "automatic": {"collective", "comm", "progress", "datatype", "plan", "host", "base"},
    "partition": {"collective", "comm", "progress", "datatype", "plan", "shmem", "host", "base"},
    "pready": {"progress", "host", "base"},
    "channel": {"collective", "comm", "progress", "datatype", "plan", "host", "base"},
    "intercept": {"library", "automatic", "partition", "pready", "channel", "collective", "comm", "progress",
                  "datatype", "shmem", "host", "base"},
}
# The public header includes mpi.h; the entry points are held against its declarations.
MAY_INCLUDE_MPIX_H = {"intercept/entry.cpp"}

# Words -> the rooms whose code may say them.
WORDS = {
    r"OPEN_MPI|OMPI_|MPICH|\bMPIR_": {"host"},
    r"PMPI_": {"host"},
    r"MPI_": set(ARROWS) - {"base", "kernel", "plan", "shmem"},
}
# entry.cpp gives our own functions the host's second name. It calls nothing by it.
OWN_NAMES = {"intercept/entry.cpp": "PMPI_##name"}

# What calls are named, as text.
SAYS_NAMES = {"plan/collective.cpp"}

MOST_LINES = 400  # tables (.def) are exempt

CODE = {".cpp", ".hpp", ".c", ".h", ".def"}
COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')""", re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def without_comments(text):
    return COMMENT_OR_LITERAL.sub(lambda found: found[1] or " ", text)


def include_faults(name, room, code):
    for bracket, path in INCLUDE.findall(code):
        other = path.split("/")[0]
        if path in ("mpi.h", "mpi-ext.h"):
            if room != "host":
                yield f"includes {path}; only host may"
        elif other == "mpix":
            if name not in MAY_INCLUDE_MPIX_H:
                yield f"includes {path}; only {', '.join(MAY_INCLUDE_MPIX_H)} may"
        elif other in ARROWS and "/" in path:
            if other != room and other not in ARROWS[room]:
                yield f"includes {path}; {room} may not know {other}"
        elif bracket == '"':
            yield f'includes "{path}", which names no room'


def word_faults(name, room, code):
    if name in SAYS_NAMES:
        return
    code = code.replace(OWN_NAMES.get(name, "\0"), "")
    for pattern, rooms in WORDS.items():
        if room not in rooms:
            for word in sorted(set(re.findall(rf"\w*(?:{pattern})\w*", code))):
                yield f"says {word}; only {' '.join(sorted(rooms))} may"


def faults(path, name):
    text = path.read_text()
    lines = text.splitlines()
    if not any("SPDX-License-Identifier: BSD-3-Clause" in line for line in lines[:3]):
        yield "has no SPDX line at its head"
    if len(lines) > MOST_LINES and path.suffix != ".def":
        yield f"has {len(lines)} lines, more than {MOST_LINES}"
    if path.suffix in CODE:
        room, code = name.split("/")[0], without_comments(text)
        if room not in ARROWS:
            yield "is in no known room"
            return
        yield from include_faults(name, room, code)
        yield from word_faults(name, room, code)


def solver_faults(solvers):
    rows = set(re.findall(r"^SOLVER\((\w+)\)", (solvers.with_suffix(".def")).read_text(), re.MULTILINE))
    for path in sorted(solvers.glob("*.cpp")):
        is_solver = "extern const Solver solver" in path.read_text()
        if is_solver != (path.stem in rows):
            yield f"src/plan/solvers/{path.name} has {'no row' if is_solver else 'a row, and no solver'}"


def module(name):
    return name.rsplit(".", 1)[0]


def reached(start, known):
    seen, left = set(), [start]
    while left:
        for other in known.get(left.pop(), ()):
            if other not in seen:
                seen.add(other)
                left.append(other)
    return seen


# A module is a header with its source.
def circle_faults(root, names):
    known = {}
    for name in names:
        code = without_comments((root / name).read_text())
        known.setdefault(module(name), set()).update(
            module(path) for _, path in INCLUDE.findall(code) if path.split("/")[0] in ARROWS)
    for name in sorted(known):
        known[name].discard(name)
        if name in reached(name, known):
            yield f"src/{name} is reached from itself by includes"


def main(root):
    root = pathlib.Path(root)
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    found = [f"src/{name} {fault}" for name in names for fault in faults(root / name, name)]
    found += circle_faults(root, [name for name in names if pathlib.Path(name).suffix in CODE])
    found += solver_faults(root / "plan/solvers")
    if not names:
        found.append(f"no files under {root}")
    print("\n".join(found) or f"{len(names)} files keep the rules")
    return 1 if found else 0


sys.exit(main(*sys.argv[1:]))
