# SPDX-License-Identifier: BSD-3-Clause
"""What the public headers declare and say: each comment with what stands under it.

Whatever is made of the headers (manual pages, reference, Fortran interfaces) reads them here, and so
cannot disagree with them.
"""
import pathlib
import re
from dataclasses import dataclass, field

NAMES = ("library.h", "automatic.h", "mpix.h", "large_counts.h", "partitioned.h",
         "partitioned_collectives.h", "channels.h", "bundles.h")


@dataclass
class Parameter:
    type: str  # "const int", "void *", "MPI_Comm"
    name: str
    is_array: bool  # declared as name[]


@dataclass
class Function:
    name: str
    result: str
    parameters: list
    text: str  # the declaration on one line, without MPIX_EXPORT

    @property
    def is_large(self):  # of MPI_Count where the other form has int
        return self.name.endswith("_c")


@dataclass
class Entry:
    """A comment, and the functions, types of functions or constants it is about."""
    comment: str  # without the stars, lines kept
    section: str  # of "---- section ----"
    functions: list = field(default_factory=list)
    callbacks: list = field(default_factory=list)  # typedefs of functions
    constants: list = field(default_factory=list)  # pairs of name and value


@dataclass
class Header:
    name: str
    overview: str
    entries: list
    notes: dict = field(default_factory=dict)  # what holds for all of a section, if anything is said


def uncomment(text):
    lines = [re.sub(r"^ ?\*? ?", "", line, count=1) if number else line
             for number, line in enumerate(text.strip().splitlines())]
    return "\n".join(line.rstrip() for line in lines).strip()


def parameters_of(text):
    found = []
    for one in filter(None, (part.strip() for part in text.split(","))):
        if one == "void":
            continue
        match = re.fullmatch(r"(.*?)(\w+)(\[\])?", one)
        found.append(Parameter(" ".join(match[1].split()), match[2], bool(match[3])))
    return found


def function_of(text):
    text = " ".join(text.split())
    match = re.fullmatch(r"(?:typedef |MPIX_EXPORT )(.*?)(\w+)\((.*)\)", text)
    return Function(match[2], match[1].strip(), parameters_of(match[3]),
                    re.sub(r"^MPIX_EXPORT ", "", text) + ";")


PIECE = re.compile(
    r"/\*(?P<comment>.*?)\*/"
    r"|^#define (?P<constant>MPIX_\w+)(?!\() (?P<value>[^\n]+)"
    r"|^(?P<declaration>(?:MPIX_EXPORT|typedef) [^;{]*?);", re.DOTALL | re.MULTILINE)


def parse(path):
    overview, section, entries, notes = None, "", [], {}
    for piece in PIECE.finditer(path.read_text()):
        if piece["comment"] is not None:
            words = uncomment(piece["comment"])
            heading = re.fullmatch(r"-+ (.*?) -+(?:\n\n(.*))?", words, re.DOTALL)
            if overview is None:
                overview = re.sub(r"\ASPDX[^\n]*\n+", "", words)
            elif heading:
                section = heading[1]
                if heading[2]:
                    notes[section] = heading[2]
            elif not re.fullmatch(r"MPI_VERSION < 4|\w+_H", words):
                entries.append(Entry(words, section))
        elif piece["constant"]:
            if entries:
                entries[-1].constants.append((piece["constant"], piece["value"].strip()))
        else:
            function = function_of(piece["declaration"])
            is_type = piece["declaration"].startswith("typedef")
            (entries[-1].callbacks if is_type else entries[-1].functions).append(function)
    return Header(path.name, overview, [entry for entry in entries
                                        if entry.functions or entry.callbacks or entry.constants],
                  notes)


def headers(root):
    return [parse(pathlib.Path(root) / "include/mpix" / name) for name in NAMES]


def functions(root):
    return [function for header in headers(root) for entry in header.entries
            for function in entry.functions]


def constants(root):
    """Names and values: numbers, texts, and other spellings of functions."""
    text = "".join((pathlib.Path(root) / "include/mpix" / name).read_text() for name in NAMES)
    return re.findall(r'^#define (MPIX_\w+) (\(?-?\d+\)?|"[^"]*"|MPIX_\w+)$', text, re.MULTILINE)
