# SPDX-License-Identifier: BSD-3-Clause
"""Pages for Sphinx, where names are links, and are found by searching."""
import re

from manual import overviews
from manual.page import LIBRARY, Signatures, Synopsis
from manual.text import Heading, Items, capital

MARKED = re.compile(r"`(?P<quoted>[^`]+)`|\bP?(?P<name>MPIX?_\w+)|\b(?P<page>mpix[\w-]*)\(\d\)"
                    r"|\b(?P<tool>mpix-\w+)\b|(?P<docs>docs/[\w/-]+)\.md"
                    r"|(?<![\w/])(?P<header>\w+\.h)\b")


class Writer:
    def __init__(self, pages):
        self.pages = pages
        self.names = {page.name for page in pages}
        self.roles = {}
        for page in pages:
            for _, blocks in page.parts:
                for block in blocks:
                    self.note(block)

    def note(self, block):
        """What the names that a block introduces are."""
        if isinstance(block, Signatures):
            self.roles |= {one.name: "c:func" for one in block.functions}
            self.roles |= {one.name: "c:type" for one in block.types}
            self.roles |= {name: "c:macro" for name, _ in block.macros}
        elif isinstance(block, Items) and block.kind:
            role = "envvar" if block.kind == "envvar" else "c:" + block.kind
            self.roles |= {term: role for term, _ in block.pairs}

    def mark(self, found):
        if found["page"] or found["tool"] in self.names:
            return f":doc:`{found[0]} <{found['page'] or found['tool']}>`"
        if found["docs"]:
            return f":doc:`{found[0]} </{found['docs']}>`"
        if found["header"] in overviews.NAMES:
            return f":doc:`{found[0]} <{overviews.NAMES[found['header']]}>`"
        role = self.roles.get(found[0])
        if role:
            return f":{role}:`{found[0]}`"
        text = found["quoted"] or found[0]
        return f"``{text}``" if found["quoted"] or found["name"] else self.escaped(text)

    @staticmethod
    def escaped(text):
        return re.sub(r"([\\*`|_])", r"\\\1", text)

    @staticmethod
    def apart(mark, found):
        """What is marked is no part of a word, as Sphinx sees it."""
        before, after = found.string[:found.start()][-1:], found.string[found.end():][:1]
        return ("\\ " if before and before not in " '\"([{<-/:" else "") + mark + \
            ("\\ " if after and after not in " '\")]}>-/:.,;!?" else "")

    def marked(self, text):
        at, parts = 0, []
        for found in MARKED.finditer(text):
            parts += [self.escaped(text[at:found.start()]), self.apart(self.mark(found), found)]
            at = found.end()
        return "".join([*parts, self.escaped(text[at:])])

    def item_lines(self, items):
        for term, text in items.pairs:
            if items.kind:
                yield f".. {'c:' if items.kind == 'macro' else ''}{items.kind}:: {term}"
                yield ""
            elif set(term.split(", ")) <= set(self.roles):
                yield self.marked(term)
            else:
                yield f"``{term}``"
            for block in text:
                yield from (f"   {line}" if line else "" for line in self.block_lines(block))
            yield from [] if text else ["   \\ ", ""]

    @staticmethod
    def signature_lines(block):
        yield from [".. code-block:: c", "", f"   #include <{block.header}>", ""]
        lines = [("type", one.text.removeprefix("typedef ")) for one in block.types]
        lines += [("function", one.text) for one in block.functions]
        lines += [("macro", name) for name, _ in block.macros]
        for kind, text in lines:
            yield from [f".. c:{kind}:: {text.rstrip(';')}", ""]

    def block_lines(self, block):
        if isinstance(block, Signatures):
            yield from self.signature_lines(block)
        elif isinstance(block, Synopsis):
            yield from ["::", "", *("   " + line for line in block.lines), ""]
        elif isinstance(block, Items):
            yield from self.item_lines(block)
        elif isinstance(block, Heading):
            yield from [self.marked(block.text), "~" * (len(block.text) * 8), ""]
        else:
            yield from [self.marked(block), ""]

    @staticmethod
    def toctree(pages, *options):
        return [".. toctree::", *("   " + option for option in options), "",
                *("   " + page.name for page in pages), ""]

    def lines_of(self, page):
        yield from [self.escaped(page.name), "=" * 2 * len(page.name), ""]
        if page.name == LIBRARY:  # the others begin with it
            yield from ["*" + self.escaped(capital(page.summary)) + ".*", ""]
        for title, blocks in page.parts:
            if title != "SYNOPSIS":
                yield from [capital(title.lower()), "-" * len(title), ""]
            for block in blocks:
                yield from self.block_lines(block)
        yield from ["See also", "--------", ""]
        yield from [", ".join(f":doc:`{other.name}`" for other in page.see), ""]
        below = [other for other in self.pages if other.parent is page]
        if below:
            yield from self.toctree(below, ":hidden:")

    def index(self):
        yield from ["Functions, tools, variables", "=" * 27, ""]
        yield from ["What holds for all functions of a header stands in one page, with a list.", ""]
        yield from self.toctree([page for page in self.pages if not page.parent], ":titlesonly:",
                                ":maxdepth: 1")


def files(pages):
    writer = Writer(pages)
    made = {f"{page.name}.rst": "\n".join(writer.lines_of(page)) for page in pages}
    return made | {"index.rst": "\n".join(writer.index())}
