# SPDX-License-Identifier: BSD-3-Clause
"""Pages of what holds for all functions of a header, with a list of them."""
from manual import comments
from manual.functions import constants_of, groups
from manual.page import OVERVIEWS, Page, Signatures
from manual.text import Heading, Items, sentences, summary_of, topics

# library.h has none of its own: it stands in the page of the library.
NAMES = {"automatic.h": "mpix-auto", "mpix.h": "mpix-persistent",
         "large_counts.h": "mpix-large-counts", "channels.h": "mpix-channels",
         "bundles.h": "mpix-bundles", "partitioned.h": "mpix-partitioned",
         "partitioned_collectives.h": "mpix-partitioned-collectives"}


def of_errors(block):
    if isinstance(block, Items):
        return Items([("MPI_ERR_" + term, text) for term, text in block.pairs])
    return comments.with_classes(block)


def list_of(header):
    """The functions by section, and what is said of sections."""
    section, pairs = "", []
    for group in groups(header):
        first = group.entries[0]
        if first.section != section:
            yield Items(pairs)
            section, pairs = first.section, []
            yield Heading(section)
            yield header.notes.get(section, "")
        names = [function.name for function in group.functions if not function.is_large]
        text = comments.first_sentence(first.comment)
        pairs.append((", ".join(names or group.names), [summary_of(text)]))
    yield Items(pairs)


def page_of(header):
    said = topics(header.overview)
    page = Page(NAMES[header.name], OVERVIEWS, summary_of(sentences(said.lead[0])[0]))
    page.names = [page.name]
    page.add("SYNOPSIS", Signatures("mpix/mpix.h", [], [], []))
    body = []
    for name, blocks in said.topics:
        body.append(Heading(name))
        body += map(of_errors, blocks) if name == "Errors" else blocks
    page.add("DESCRIPTION", *said.lead, *body, *said.rest)
    page.add("FUNCTIONS", *(block for block in list_of(header)
                            if not isinstance(block, Items) or block.pairs))
    for text, constants in constants_of(header):
        said_of = comments.read(text).description
        page.add("CONSTANTS", Items([(name, said_of) for name, _ in constants], "macro"))
    return page
