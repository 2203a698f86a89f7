# SPDX-License-Identifier: BSD-3-Clause
"""What the indentation of a comment or a help text means.

A text is a list of blocks: paragraphs, which are strings, and Items. What stands deeper than the
text around it, or is set off from what follows it by two spaces, is the term of an item.
"""
import re
from dataclasses import dataclass, field


@dataclass
class Items:
    pairs: list  # of a term and the blocks that say what it is
    kind: str = ""  # "envvar" or "macro" where others may refer to the terms


@dataclass
class Heading:
    text: str


@dataclass
class Topics:
    """An overview: what is said first, what its topics are, and what is said last."""
    lead: list
    topics: list = field(default_factory=list)  # pairs of a name and blocks
    rest: list = field(default_factory=list)


def indent_of(line):
    return len(line) - len(line.lstrip())


def dedented(lines):
    depth = min((indent_of(line) for line in lines if line.strip()), default=0)
    return [line[depth:] for line in lines]


def term_and_text(lines):
    """Of an item: the text begins after two spaces, or in the column where it goes on."""
    first, rest = lines[0], lines[1:]
    gap = re.match(r"(\S+(?: \S+)*?) {2,}(?=\S)", first)
    end = gap.end() if gap else min(map(indent_of, rest), default=len(first))
    if not gap and first[end - 1:end] != " ":
        end = len(first)
    return first[:end].strip(), blocks([first[end:].strip(), *dedented(rest)])


def items(lines):
    pairs, one = [], []
    for line in [*filter(str.strip, dedented(lines)), "end"]:
        if one and indent_of(line) == 0:
            pairs.append(term_and_text(one))
            one = []
        one.append(line)
    return Items(pairs)


def is_item(line):
    return line.startswith(" ") or re.match(r"\S+(?: \S+)* {2,}\S", line)


def blocks(lines):
    """Of lines whose prose begins at their left edge."""
    found, prose, deeper = [], [], []

    def close():
        if prose:
            found.append(" ".join(prose))
        if deeper:
            found.append(items(deeper))
        prose.clear()
        deeper.clear()

    for line in lines:
        if not line.strip():
            close()
        elif is_item(line):
            if prose:
                close()
            deeper.append(line)
        else:
            if deeper:
                close()
            prose.append(line.strip())
    close()
    return found


TOPIC = re.compile(r"([A-Z][a-z]+(?: [a-z]+)?)\. (.*)")


def topics(overview):
    lines = overview.splitlines()
    found, first, here = [], None, None
    for number, line in enumerate(lines):
        match = TOPIC.fullmatch(line)
        if match:
            here = [match[2]]
            found.append((match[1], here))
            first = number if first is None else first
        elif here is not None and line.startswith("  "):
            here.append(line[2:])
        elif here is not None:
            break
    else:
        number = len(lines)
    last = lines[number:] if found else []
    return Topics(blocks(lines[:first]), [(name, blocks(text)) for name, text in found],
                  blocks(last))


def sentences(paragraph):
    return re.split(r"(?<! [A-Z]\.)(?<!^[A-Z]\.)(?<=[.?!]) +(?=[^a-z]|mpi-)", paragraph)


def capital(text):
    return text[0].upper() + text[1:]


def summary_of(sentence):
    """What stands behind a name in lists: short, without a capital and without a period."""
    text = sentence.split(": ")[0].rstrip(".:").replace("`", "")
    for mark in ("; ", ", "):
        if len(text) > 80:
            text = text.split(mark)[0]
    return text[0].lower() + text[1:] if text[1:2].islower() else text
