# SPDX-License-Identifier: BSD-3-Clause
"""The page of the library: what it is, its variables and its info keys.

The last two are read in the tables of which the library makes what mpix-info prints.
"""
import ast
import pathlib
import re

from manual.page import LIBRARY, OVERVIEWS, Page
from manual.text import Heading, Items, summary_of, topics

STRING = r'"(?:[^"\\]|\\.)*"'
ROW = re.compile(rf'^(SETTING|SETTING_WORD|INFO_KEY)\((.*)\)$', re.MULTILINE)
# As base::to_text writes them.
PRESETS = {"{}": "unset", "{false}": "0", "false": "0", "true": "1"}


def unquoted(word):
    return ast.literal_eval(word) if word.startswith('"') else word


def rows(path):
    """Of a table: kind of row and its columns."""
    for kind, columns in ROW.findall(path.read_text()):
        yield kind, [column.strip() for column in re.findall(rf"{STRING}|[^,\"]+", columns)
                     if column.strip()]


def joined(words):
    return " or ".join(unquoted(words).split())


def variables(root):
    """Names with what mpix-info prints of them: type or words, default, help."""
    for kind, columns in rows(pathlib.Path(root) / "src/base/settings.def"):
        if kind == "SETTING":
            name, form, preset, text = columns
            yield name, form, PRESETS.get(preset, preset), unquoted(text)
        else:
            name, preset, words, text = columns
            yield name, joined(words), preset, unquoted(text)


def info_keys(root):
    for _, (name, words, preset, text) in rows(pathlib.Path(root) / "src/library/info_keys.def"):
        yield name, joined(words), unquoted(preset), unquoted(text)


def described(rows_of, kind=""):
    return Items([(name, [f"{form}, default {preset}", text + "."])
                  for name, form, preset, text in rows_of], kind)


def page_of(root):
    text = (pathlib.Path(__file__).parent / "mpix.txt").read_text()
    said = topics(text.split("\n\n", 1)[1])  # behind the licence
    page = Page(LIBRARY, OVERVIEWS, summary_of(said.lead[0]), names=[LIBRARY])
    body = []
    for name, found in said.topics:
        body += [Heading(name), *found]
    page.add("DESCRIPTION", *said.lead[1:], *body)
    page.add("ENVIRONMENT", "The library reads them once. A malformed value is told, and ignored.",
             described(variables(root), "envvar"))
    page.add("INFO KEYS", described(info_keys(root)), *said.rest)
    return page
