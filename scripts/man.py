# SPDX-License-Identifier: BSD-3-Clause
"""man.py list | sources | version | roff FOLDER | sphinx FOLDER: the pages of the manual.

list prints the names of their files, sources what they are made of; roff writes them for man, and
sphinx for the reference that scripts/docs.sh builds. The date of a page is SOURCE_DATE_EPOCH, or that
of the newest source.
"""
import datetime
import os
import pathlib
import sys

from manual import manual, roff, rst

ROOT = pathlib.Path(__file__).parent.parent


def date():
    newest = max((ROOT / source).stat().st_mtime for source in manual.sources(ROOT))
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", newest))
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).date().isoformat()


def roff_files():
    version = manual.version(ROOT)
    files = {}
    for page in manual.pages(ROOT):
        files |= {page.file: roff.written(page, version, date())} | roff.links(page)
    return files


def write(files, folder):
    for name, text in files.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def main(what, *folder):
    if what == "list":
        print("\n".join(roff_files()))
    elif what == "sources":
        print("\n".join(manual.sources(ROOT)))
    elif what == "version":
        print(manual.version(ROOT))
    elif what == "roff":
        write(roff_files(), *folder)
    else:
        write(rst.files(manual.pages(ROOT)), *folder)


main(*sys.argv[1:])
