# SPDX-License-Identifier: BSD-3-Clause
"""Pages of the public functions. Forms of one function share a page, and so do functions of which
the second comment leans on the first."""
import re
from dataclasses import dataclass, field

from manual import comments
from manual.page import FUNCTIONS, Page, Signatures
from manual.text import Heading, Items, capital, sentences, summary_of, topics


@dataclass
class Group:
    """What one page is about."""
    header: object
    entries: list
    callbacks: list = field(default_factory=list)  # entries too
    macros: list = field(default_factory=list)  # other names of functions

    @property
    def functions(self):
        return [function for entry in self.entries for function in entry.functions]

    @property
    def names(self):
        return [function.name for function in self.functions] + \
            [callback.name for entry in self.callbacks for callback in entry.callbacks] + \
            [name for name, _ in self.macros]

    def uses(self, type_name):
        return any(parameter.type.startswith(type_name) for function in self.functions
                   for parameter in function.parameters)


def leans_on(entry, group):
    is_plural = entry.functions[0].name in [name + "s" for name in group.names]
    return is_plural or entry.comment.startswith("The same")


def groups(header):
    found = []
    for entry in header.entries:
        if entry.functions and found and leans_on(entry, found[-1]):
            found[-1].entries.append(entry)
        elif entry.functions:
            found.append(Group(header, [entry]))
    for entry in header.entries:
        for group in found:
            if any(group.uses(callback.name) for callback in entry.callbacks):
                group.callbacks.append(entry)
            group.macros += [pair for pair in entry.constants if pair[1] in group.names]
    return found


def constants_of(header):
    """Those that are no other names of functions: names and values by comment."""
    return [(entry.comment, entry.constants) for entry in header.entries
            if any(not value.startswith("MPIX_") for _, value in entry.constants)]


def check(comment, entry):
    names = {parameter.name for function in entry.functions for parameter in function.parameters}
    for term, _ in comment.arguments:
        for name in term.split(", "):
            if name not in names:
                raise ValueError(f"{entry.functions[0].name} has no argument {name}")


def description(group, read):
    for entry, comment in zip(group.entries, read):
        if len(group.entries) > 1:
            yield Heading(", ".join(function.name for function in entry.functions
                                    if not function.is_large or len(entry.functions) > 2))
        yield from comment.description[:1]
        if comment.arguments:
            yield Items([(term, text) for term, text in comment.arguments])
        yield from comment.description[1:]
    types = [(callback.name, comments.read(entry.comment).description)
             for entry in group.callbacks for callback in entry.callbacks]
    if types:
        yield Items(types)
    said = " ".join(entry.comment for entry in group.entries)
    for text, constants in constants_of(group.header):
        if named := [name for name, _ in constants if name in said]:
            yield Items([(", ".join(named), comments.read(text).description)])


def in_place(sentence):
    text = sentence.removeprefix("In place: ")
    return "MPI_IN_PLACE is not taken." if text == "no." else "MPI_IN_PLACE is taken for " + text


def meanings_of(header):
    """What the overview of a header says of classes of errors, in a list and in its sentences."""
    found = {}
    for block in dict(topics(header.overview).topics).get("Errors", []):
        if isinstance(block, Items):
            found |= {term: text for term, text in block.pairs}
        else:
            for name, meaning in re.findall(r"\b([A-Z_]+) \(([^()]*)\)", block):
                found.setdefault(name, [meaning])
    return found


def errors(read, meanings):
    for text in dict.fromkeys(text for comment in read for text in comment.errors):
        text = text.removeprefix("Errors: ")
        classes = [name for name in comments.classes_in(text)
                   if name in meanings and f"{name} (" not in text]
        if set(re.findall(r"\w+", text)) != set(classes):
            yield capital(comments.with_classes(text))
        if classes:
            yield Items([("MPI_ERR_" + name, meanings[name]) for name in classes])


def source(header, read):
    said = dict.fromkeys(text.removeprefix("Source: ") for comment in read
                         for text in comment.source)
    if said:
        yield capital(" ".join(re.sub(r"^(?=\d|[IV]+[.,])", "Section ", text) for text in said))
    for block in topics(header.overview).lead:
        if isinstance(block, str) and comments.SOURCES.match(block):
            yield capital(comments.SOURCES.sub("", sentences(block)[0]))
            return
    if not said:
        yield "The library's own."


def page_of(group, overview, base):
    header, first = group.header, group.entries[0]
    read = []
    for entry in group.entries:
        read.append(comments.read(entry.comment, header.notes.get(entry.section, "")))
        check(read[-1], entry)
    page = Page(group.functions[0].name, FUNCTIONS,
                summary_of(comments.first_sentence(first.comment)), names=group.names)
    types = [callback for entry in group.callbacks for callback in entry.callbacks]
    page.add("SYNOPSIS", Signatures("mpix/mpix.h", types, group.functions, group.macros))
    page.add("DESCRIPTION", *description(group, read))
    page.add("IN PLACE", *(in_place(text) for comment in read for text in comment.in_place))
    own = meanings_of(header)
    more = ("How errors are raised, and what else such a call may raise: "
            f"{overview.name}({overview.section}).")
    page.add("ERRORS", *errors(read, meanings_of(base) | own), more if own else None)
    page.add("SOURCE", *source(header, read))
    return page


def pages_of(header, overview, base):
    """With `overview`, the page of what holds for all of them; `base` is the header mpix.h."""
    found = [(group, page_of(group, overview, base)) for group in groups(header)]
    for group, page in found:
        page.parent = overview
        page.see = [overview] + [other for near, other in found if other is not page
                                 and near.entries[0].section == group.entries[0].section]
    return [page for _, page in found]
