# SPDX-License-Identifier: BSD-3-Clause
"""What the comment of a function says, by subject: arguments, in place, errors, source.

The form of a comment is that of include/mpix. What is in none of these forms is description.
"""
import re
from dataclasses import dataclass, field

from manual.text import Items, blocks, sentences

SOURCE = re.compile(r"\d+\.\d|[IVX]+(\.[A-Z])?\b[.,]|P\d\.|Proposal \d|Addendum \d|After mpi-forum"
                    r"|mpi-forum/|Persistence Working Group|Source:")
# Of an overview: where all that follows is from.
SOURCES = re.compile(r"Sources?: ")
CLASS = re.compile(r"(?<![\w.])(?:ARG|BUFFER|COMM|COUNT|INFO|INFO_VALUE|NO_MEM|OP|OTHER|RANK"
                   r"|REQUEST|ROOT|TAG|TOPOLOGY|TRUNCATE|TYPE|UNSUPPORTED_OPERATION)(?!\w)")


@dataclass
class Comment:
    description: list = field(default_factory=list)
    arguments: list = field(default_factory=list)  # pairs of names and blocks
    in_place: list = field(default_factory=list)  # sentences, as in the following
    errors: list = field(default_factory=list)
    source: list = field(default_factory=list)


def subject_of(sentence, before):
    if re.match(r"(No e|E)rrors\b", sentence) or before == "errors":
        return "errors"
    if SOURCE.match(sentence):
        return "source"
    return "in_place" if sentence.startswith("In place:") else "description"


def add_paragraph(comment, paragraph):
    said, subject = [], ""
    for sentence in sentences(paragraph):
        subject = subject_of(sentence, subject)
        (said if subject == "description" else getattr(comment, subject)).append(sentence)
    if said:
        comment.description.append(" ".join(said))


def read(*texts):
    comment = Comment()
    for text in texts:
        for block in blocks(text.splitlines()):
            if isinstance(block, Items):
                comment.arguments += block.pairs
            else:
                add_paragraph(comment, block)
    return comment


def first_sentence(text):
    paragraph = next(block for block in blocks(text.splitlines()) if isinstance(block, str))
    return sentences(paragraph)[0]


def with_classes(text):
    """Headers name classes of errors without what all of them begin with."""
    return CLASS.sub(lambda found: "MPI_ERR_" + found[0], text)


def classes_in(text):
    return list(dict.fromkeys(CLASS.findall(text)))
