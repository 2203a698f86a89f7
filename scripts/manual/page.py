# SPDX-License-Identifier: BSD-3-Clause
"""A page of the manual, however it is written: parts with titles, of the blocks of text.py."""
from dataclasses import dataclass, field

# The suffix keeps a host's pages of the same functions, which may be installed beside ours.
FUNCTIONS, TOOLS, OVERVIEWS = "3mpix", "1", "7"
LIBRARY = "mpix"  # the page that all others lead to


@dataclass
class Signatures:
    """What a program sees of functions: the header, their types, declarations, other names."""
    header: str
    types: list
    functions: list
    macros: list  # pairs of name and value


@dataclass
class Synopsis:
    """Command lines."""
    lines: list


@dataclass
class Page:
    name: str
    section: str
    summary: str
    parts: list = field(default_factory=list)  # pairs of title and blocks
    names: list = field(default_factory=list)  # all that it is about, its own first
    see: list = field(default_factory=list)  # other pages
    parent: object = None  # the page of what holds for this one too

    @property
    def file(self):
        return f"{self.name}.{self.section}"

    def add(self, title, *blocks):
        if any(blocks):
            self.parts.append((title, [block for block in blocks if block]))
