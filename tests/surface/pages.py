# SPDX-License-Identifier: BSD-3-Clause
"""pages.py PROJECT_ROOT: what the pages name is there.

Every link of a page to a file, every path of the repository that stands in backquotes in the pages
for contributors, and every room of src has a row in the architecture page.
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
PATH = re.compile(r"`((?:src|tests|bench|docs|scripts|include|tools|examples)/[\w./-]+)`")


def faults(root, page):
    text = page.read_text()
    for link in LINK.findall(text):
        if not (page.parent / link).exists():
            yield f"links to {link}, which is not there"
    if page.parent.name == "dev" or page.name == "CONTRIBUTING.md":
        for path in PATH.findall(text):
            if not (root / path).exists():
                yield f"names {path}, which is not there"


def main(root):
    root = pathlib.Path(root)
    pages = sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/**/*.md")])
    found = [f"{page.relative_to(root)} {fault}" for page in pages for fault in faults(root, page)]
    architecture = (root / "docs/dev/architecture.md").read_text()
    for room in sorted(path.name for path in (root / "src").iterdir() if path.is_dir()):
        if f"| `src/{room}` |" not in architecture:
            found.append(f"docs/dev/architecture.md has no row for src/{room}")
    print("\n".join(found) or f"{len(pages)} pages name what is there")
    return 1 if found else 0


sys.exit(main(*sys.argv[1:]))
