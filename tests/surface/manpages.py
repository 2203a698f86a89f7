# SPDX-License-Identifier: BSD-3-Clause
"""manpages.py PROJECT_ROOT FOLDER: every function that a public header declares has a page in the
folder with all that a page must have and every word of its comment, pages refer to pages, and
formatters find nothing wrong.
"""
import pathlib
import re
import shutil
import subprocess
import sys

TITLES = {"1": ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO"],
          "3mpix": ["NAME", "SYNOPSIS", "DESCRIPTION", "ERRORS", "SOURCE", "SEE ALSO"],
          "7": ["NAME", "DESCRIPTION", "SEE ALSO"]}
FORMATTERS = [["mandoc", "-T", "lint", "-W", "warning"], ["groff", "-man", "-ww", "-z"]]


def declared(root):
    for header in sorted((root / "include/mpix").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        yield from re.findall(r"\b(MPIX?_\w+)\([^;{]*\);", text)


def text_of(path):
    """Of a page, also where the file stands for another."""
    text = path.read_text()
    link = re.fullmatch(r"\.so man\d/(\S+)\n", text)
    path = path.parent / link[1] if link else path
    return path.read_text() if path.exists() else ""


def commented(root):
    """Functions that stand under a comment, with that."""
    for header in sorted((root / "include/mpix").glob("*.h")):
        yield from re.findall(r"/\*((?:[^*]|\*(?!/))*)\*/\n(?:#if.*\n)?MPIX_EXPORT [^;(]*\b(\w+)\(",
                              header.read_text())


def words_of(text):
    return set(re.findall(r"[a-z]{3,}", text.lower().replace("\\fb", " ").replace("\\fp", " ")))


def faults_of_function(folder, name):
    path = folder / f"{name}.3mpix"
    if not path.exists():
        yield f"{name} has no page"
        return
    parts = re.split(r"^\.SH \"?([A-Z ]+)\"?\n", text_of(path), flags=re.MULTILINE)
    said = dict(zip(parts[1::2], parts[2::2]))
    for title in ("NAME", "SYNOPSIS"):
        if not re.search(rf"\b{name}\b", said.get(title, "")):
            yield f"the page of {name} does not have it in {title}"


def faults_of_page(folder, path):
    text, section = text_of(path), path.suffix[1:]
    titles = re.findall(r"^\.SH \"?([A-Z ]+)\"?$", text, re.MULTILINE)
    if [title for title in titles if title in TITLES[section]] != TITLES[section]:
        yield f"{path.name} has {titles}"
    if re.search(r"^\.SH [^\n]*\n(?=\.SH)", text, re.MULTILINE):
        yield f"{path.name} has a part in which nothing stands"
    references = re.findall(r"^\.BR (\S+) \((\w+)\)", text, re.MULTILINE)
    references += re.findall(r"\\fB(mpix\S*)\\fP\((\d)\)", text)
    for name, other in references:
        name = name.replace("\\", "")
        if not (folder / f"{name}.{other}").exists():
            yield f"{path.name} refers to {name}({other}), which is not there"


def faults_of_form(pages):
    own = [page for page in pages if not page.read_text().startswith(".so ")]
    tools = [formatter for formatter in FORMATTERS if shutil.which(formatter[0])]
    for formatter in tools:
        done = subprocess.run([*formatter, *own], capture_output=True, text=True)
        yield from (done.stdout + done.stderr).splitlines()
    if not tools:
        print("formatted by nothing: neither mandoc nor groff is here")


def main(root, folder):
    root, folder = pathlib.Path(root), pathlib.Path(folder)
    names = list(declared(root))
    pages = sorted(path for section in TITLES for path in folder.glob(f"*.{section}"))
    found = [fault for name in names for fault in faults_of_function(folder, name)]
    found += [f"the page of {name} lacks {missing}" for comment, name in commented(root)
              if (missing := words_of(comment) - words_of(text_of(folder / f"{name}.3mpix")))]
    found += [fault for page in pages for fault in faults_of_page(folder, page)]
    found += faults_of_form(pages)
    if len(names) < 100:
        found.append(f"only {len(names)} functions are declared")
    print("\n".join(found) or f"{len(pages)} pages have all of {len(names)} functions")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
