# SPDX-License-Identifier: BSD-3-Clause
"""links.py FOLDER: every link within a site leads to a file, and to a place in it, that is there.

Links to other sites are not followed.
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Reader(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name"):
                self.places.add(value)


def faults(folder):
    pages = {path.resolve(): Reader(path) for path in sorted(folder.rglob("*.html"))}
    if not pages:
        yield f"{folder} has no page"
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / (urllib.parse.unquote(parts.path) or path)).resolve()
            if not target.is_file():
                yield f"{path.name} links to {link}, which is not there"
            elif parts.fragment and target in pages and parts.fragment not in pages[target].places:
                yield f"{path.name} links to {link}, a place that is not there"


def main(folder):
    found = list(faults(pathlib.Path(folder)))
    print("\n".join(found) or "links lead to what is there")
    return 1 if found else 0


sys.exit(main(*sys.argv[1:]))
