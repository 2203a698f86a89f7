# SPDX-License-Identifier: BSD-3-Clause
"""All pages of the manual, in their order."""
import pathlib
import re

import headers
from manual import functions, library, overviews, tools
from manual.page import OVERVIEWS


def pages(root):
    read = headers.headers(root)
    base = next(header for header in read if header.name == "mpix.h")
    first = library.page_of(root)
    general = {name: overviews.page_of(header) for header in read
               for name in [header.name] if name in overviews.NAMES}
    commands = [tools.page_of(root, name, paths) for name, paths in tools.sources(root).items()]
    first.see = [*commands, *general.values()]
    found = [first, *commands, *general.values()]
    for page in found[1:]:
        page.see = [other for other in found if other is not page and other.section == page.section]
        page.see += [] if page.section == OVERVIEWS else [first]
    for header in read:
        found += functions.pages_of(header, general.get(header.name, first), base)
    return found


def version(root):
    text = (pathlib.Path(root) / "include/mpix/library.h").read_text()
    return re.search(r'^#define MPIX_VERSION "(.*)"$', text, re.MULTILINE)[1]


def sources(root):
    """All files out of which the pages are made, and what makes them."""
    here = pathlib.Path(__file__).parent
    makers = sorted(f"scripts/manual/{path.name}" for path in here.iterdir() if path.is_file())
    return [*(f"include/mpix/{name}" for name in headers.NAMES), "src/base/settings.def",
            "src/library/info_keys.def", "scripts/headers.py", "scripts/man.py", *makers,
            *(path for paths in tools.sources(root).values() for path in paths)]
