# SPDX-License-Identifier: BSD-3-Clause
"""lists.py HOST BUILD ROOT: the lists of packaging/debian have each file that meson install puts
somewhere once, and none that it does not; the version in the changelog is the library's. The Python
package, of which Meson knows nothing, is left out, and Fortran's modules may be missing. Skipped (77)
where libraries are not installed as on Debian."""
import fnmatch
import json
import pathlib
import re
import subprocess
import sys

host, build, root = sys.argv[1:]
LISTS = pathlib.Path(root) / "packaging/debian"
OTHER = {"openmpi": "mpich", "mpich": "openmpi"}[host]


def introspect(what):
    return json.loads(subprocess.run(["meson", "introspect", what, build], check=True,
                                     capture_output=True).stdout)


def installed():
    options = {one["name"]: one["value"] for one in introspect("--buildoptions")}
    if not re.fullmatch(r"lib/[\w-]+", options["libdir"]):
        print(f"skipped: libraries are in {options['libdir']}")
        sys.exit(77)
    prefix = options["prefix"]
    for path in set(introspect("--installed").values()):
        yield "usr" + path.removeprefix(prefix)


def expanded(pattern):
    """Alternatives in braces, of which fnmatch knows nothing."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if not braces:
        return [pattern]
    return [one for word in braces[1].split(",")
            for one in expanded(pattern[:braces.start()] + word + pattern[braces.end():])]


def patterns():
    for path in sorted([*LISTS.glob("*.install"), LISTS / "not-installed"]):
        for line in path.read_text().split():
            yield from ((path.name, pattern) for pattern in expanded(line))


def has(pattern, path):
    """As dh_install: the file, or a folder above it; no wildcard is for a slash."""
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) >= len(wanted) and all(map(fnmatch.fnmatch, parts, wanted))


def faults():
    files, lists = sorted(installed()), list(patterns())
    for file in files:
        claims = [name for name, pattern in lists if has(pattern, file)]
        if len(claims) != 1:
            yield f"{file} is in {', '.join(claims) or 'no list'}"
    for name, pattern in lists:
        known = OTHER not in name and "python3" not in pattern and not pattern.endswith(".mod")
        if known and not any(has(pattern, file) for file in files):
            yield f"{name}: there is no {pattern}"
    header = (pathlib.Path(root) / "include/mpix/library.h").read_text()
    version = re.search(r'^#define MPIX_VERSION "(.*)"$', header, re.MULTILINE)[1]
    if not (LISTS / "changelog").read_text().startswith(f"mpix ({version}-"):
        yield f"the changelog does not begin with version {version}"


found = list(faults())
print("\n".join(found) or "the lists have what is installed")
sys.exit(bool(found))
