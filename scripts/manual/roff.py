# SPDX-License-Identifier: BSD-3-Clause
"""Pages for man, in the macros of man(7) that groff and mandoc both know."""
import re
import textwrap

from manual.page import OVERVIEWS, Signatures, Synopsis
from manual.text import Heading, Items, sentences

WIDTH = 78
# Words of the program are marked, other pages too.
MARKED = re.compile(r"`([^`]+)`|\b(P?MPIX?_\w+)|\b(mpix[\w-]*)\((\d)\)")


def escaped(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def bold(text):
    return f"\\fB{escaped(text)}\\fP"


def marked(text):
    def mark(found):
        quoted, name, page, section = found.groups()
        return bold(page) + f"({section})" if page else bold(quoted or name)

    at, parts = 0, []
    for found in MARKED.finditer(text):
        parts += [text[at:found.start()].replace("\\", "\\e"), mark(found)]
        at = found.end()
    return "".join([*parts, text[at:].replace("\\", "\\e")])


def guarded(line):
    return "\\&" + line if line.startswith((".", "'")) else line


def filled(text):
    """A sentence begins on a line of its own, as both formatters want it."""
    for sentence in sentences(text):
        for line in textwrap.wrap(marked(sentence), WIDTH, break_long_words=False,
                                  break_on_hyphens=False):
            yield guarded(line)


def item_lines(items):
    for term, text in items.pairs:
        yield ".TP"
        yield bold(term)
        for number, block in enumerate(text):
            if isinstance(block, Items):
                yield from [".RS", *item_lines(block), ".RE"]
            else:
                yield from ([".IP"] if number else []) + list(filled(block))


def declaration(function, lead="", end=");"):
    """Types bold and names slanted, in lines that fit."""
    parts = [f"{escaped(one.type)} \\fI{one.name}\\fP\\fB{'[]' if one.is_array else ''}"
             for one in function.parameters] or ["void"]
    marks = re.compile(r"\\f.|\\")
    line = f"{lead}{function.result} {escaped(function.name)}("
    for number, part in enumerate(parts):
        part += end if number == len(parts) - 1 else ", "
        if len(marks.sub("", line + part)) > WIDTH - 5 and not line.endswith("("):
            yield f"\\fB{line.rstrip()}\\fP"
            line = "    "
        line += part
    yield f"\\fB{line}\\fP"


def signatures(block):
    yield from [".nf", f".B #include <{block.header}>"]
    for function in block.types:
        yield from [".P", *declaration(function, "typedef ")]
    for function in block.functions:
        yield from [".P", *declaration(function)]
    if block.macros:
        yield ".P"
    for name, value in block.macros:
        yield bold(f"#define {name} {value}")
    yield ".fi"


def block_lines(block, is_first):
    if isinstance(block, Signatures):
        yield from signatures(block)
    elif isinstance(block, Synopsis):
        yield from [".nf", *map(bold, block.lines), ".fi"]
    elif isinstance(block, Items):
        yield from item_lines(block)
    elif isinstance(block, Heading):
        yield f'.SS "{marked(block.text)}"'
    else:
        yield from ([] if is_first else [".P"]) + list(filled(block))


def lines_of(page, version, date):
    yield f'.TH {escaped(page.name)} {page.section} {date} "mpix {version}" "mpix"'
    yield ".SH NAME"
    names = ", ".join(escaped(name) for name in page.names)
    yield from textwrap.wrap(f"{names} \\- {page.summary}", WIDTH, break_on_hyphens=False)
    for title, blocks in page.parts:
        yield f'.SH "{title}"'
        before = Heading("")
        for block in blocks:
            yield from block_lines(block, isinstance(before, Heading))
            before = block
    yield ".SH SEE ALSO"
    see = [f".BR {escaped(other.name)} ({other.section})" for other in page.see]
    yield from [line + "," for line in see[:-1]] + see[-1:]


def written(page, version, date):
    return "\n".join(lines_of(page, version, date)) + "\n"


def links(page):
    """Files of the other names: a page that stands for another."""
    return {f"{name}.{page.section}": f".so man{page.section[0]}/{page.file}\n"
            for name in page.names if name != page.name and page.section != OVERVIEWS}
