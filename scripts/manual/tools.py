# SPDX-License-Identifier: BSD-3-Clause
"""Pages of the tools, out of what they print when asked for help.

That is a literal in their source that begins with "usage: ", or the comment that opens a script of the
shell and begins with the lines by which it is called.
"""
import ast
import pathlib
import re

from manual.page import TOOLS, Page, Synopsis
from manual.text import Items, blocks, sentences, summary_of

STRING = r'"(?:[^"\\]|\\.)*"'
LITERAL = re.compile(rf'R"\((?P<raw>usage: .*?)\)"'
                     rf'|(?P<joined>"usage: (?:[^"\\]|\\.)*"(?:\s*{STRING})*)', re.DOTALL)


def help_of_script(text):
    comment = re.match(r"#!.*\n# SPDX.*\n#\n((?:#.*\n)+)", text)[1]
    return re.sub(r"^# ?", "", comment, flags=re.MULTILINE)


def help_of(path):
    """What the tool prints."""
    text = path.read_text()
    if text.startswith("#!/usr/bin/env python3"):
        return ast.get_docstring(ast.parse(text))
    if text.startswith("#!"):
        return help_of_script(text)
    found = LITERAL.search(text)
    return found["raw"] or "".join(map(ast.literal_eval, re.findall(STRING, found["joined"])))


def command_of(text):
    """Of a help: the tool, and the subcommand if it is about one."""
    return re.search(r"\b(mpix[\w-]*)(?: ([a-z]+))?", text.splitlines()[0]).groups()


def sources(root):
    """Of each tool those of its help: of itself, and of its subcommands."""
    root, found = pathlib.Path(root), {}
    scripts = [path for path in sorted((root / "tools").rglob("mpix*"))
               if not path.suffix and not path.is_symlink()]
    programs = [path for folder in ("tools", "bench") for path in sorted((root / folder).rglob("*.c*"))
                if LITERAL.search(path.read_text())]
    for path in scripts + programs:
        name, subcommand = command_of(help_of(path))
        found.setdefault(name, []).append((subcommand or "", str(path.relative_to(root))))
    return {name: [path for _, path in sorted(pairs)] for name, pairs in found.items()}


def split(text):
    """Of a help: command lines without remarks, and the blocks below."""
    usage, _, rest = text.removeprefix("usage: ").partition("\n\n")
    lines = [re.sub(r" {4,}\(.*\)$", "", line.strip()) for line in usage.splitlines()]
    return lines, blocks(rest.splitlines())


def sorted_out(found):
    """Description, options with what else is said, exit status and examples."""
    description, options, status, examples = [], [], [], []
    for block in found:
        if isinstance(block, str):
            block, _, example = block.partition("Example: ")
            examples += [Synopsis([example])] if example else []
        if isinstance(block, str) and block.startswith("Returns "):
            status.append(block)
        elif options or isinstance(block, Items) or block.endswith(":"):
            options.append(block)
        else:
            description.append(block)
    return description, options, status, examples


def other_names(path):
    """Links to a script beside it."""
    return sorted(link.name for link in path.parent.iterdir()
                  if link.is_symlink() and link.readlink().name == path.name)


def page_of(root, name, paths):
    page = Page(name, TOOLS, "", names=[name])
    page.names += other_names(pathlib.Path(root) / paths[0])
    for number, path in enumerate(paths):
        said = help_of(pathlib.Path(root) / path)
        lines, found = split(said)
        description, options, status, examples = sorted_out(found)
        if number == 0:
            page.summary = summary_of(sentences(description[0])[0])
            page.add("SYNOPSIS", Synopsis(lines))
            page.add("DESCRIPTION", *description)
            page.add("OPTIONS", *options)
            page.add("EXIT STATUS", *status)
            page.add("EXAMPLES", *examples)
        else:
            page.add(" ".join(command_of(said)).upper(), Synopsis(lines), *description, *options,
                     *status, *examples)
    return page
