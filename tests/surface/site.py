# SPDX-License-Identifier: BSD-3-Clause
"""site.py PROJECT_ROOT FOLDER: scripts/docs.sh makes a site without a warning and without a link
that leads nowhere, in which every function and every page is found. Skipped (77) without Sphinx.
"""
import pathlib
import shutil
import subprocess
import sys
import zlib

from manpages import declared


def is_generator_there():
    """Sphinx need not be of the Python that runs this."""
    program = shutil.which("sphinx-build")
    if not program:
        return False
    interpreter = pathlib.Path(program).read_text().splitlines()[0].removeprefix("#!").split()
    asked = [*interpreter, "-c", "import sphinx, myst_parser, furo"]
    return subprocess.run(asked, capture_output=True).returncode == 0


def names_in(inventory):
    """The names that Sphinx knows, behind four lines that are not packed."""
    packed = inventory.read_bytes().split(b"\n", 4)[4]
    return {line.split()[0] for line in zlib.decompress(packed).decode().splitlines()}


def faults(root, site):
    known = names_in(site / "objects.inv")
    yield from (f"{name} is not known" for name in declared(root) if name not in known)
    for page in sorted((root / "docs").rglob("*.md")):
        made = site / page.relative_to(root).with_suffix(".html")
        if not made.exists():
            yield f"{page} has no page"


def main(root, folder):
    if not is_generator_there():
        print("skipped: no sphinx-build, or no myst_parser or furo for it")
        return 77
    root, folder = pathlib.Path(root), pathlib.Path(folder)
    if subprocess.run(["bash", root / "scripts/docs.sh", folder]).returncode:
        return 1
    found = list(faults(root, folder / "html"))
    print("\n".join(found) or "every function and page is there")
    return 1 if found else 0


sys.exit(main(*sys.argv[1:]))
