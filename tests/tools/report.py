# SPDX-License-Identifier: BSD-3-Clause
"""report.py RUNNER HOST MPIX_BENCH: the page of mpix-bench is one file that needs no network, and has
all that the run measured, as its JSON says it.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

runner, host, bench = sys.argv[1:]
SVG = "{http://www.w3.org/2000/svg}"
OPTIONS = ["--ops", "barrier,allreduce,neighbor_alltoallw", "--sizes", "8:64", "--rounds", "2", "--integers",
           "--all"]


def run(*options):
    return subprocess.run([runner, host, "2", "60", "--", bench, *OPTIONS, *options],
                          stdout=subprocess.PIPE, text=True, check=False)


def texts(table):
    return [[cell.text for cell in row] for row in table.iter("tr")]


def microseconds(nanoseconds):
    value = nanoseconds / 1000
    return f"{value:.{3 if value < 10 else 2 if value < 100 else 1 if value < 1000 else 0}f}"


def time_of(contender):
    words = {"wrong": "wrong", "missing": "-", "crashes": "crashes"}
    return words.get(contender["verdict"]) or microseconds(contender["median_ns"])


def ratio_of(contender):
    ratio = contender.get("ratio_median")
    return "-" if ratio is None else f"{ratio:.{2 if ratio < 100 else 0}f}"


def same(one, other):
    """But for the last digit: JSON is rounded too."""
    if one == other:
        return True
    digits = len(one.partition(".")[2])
    return abs(float(one) - float(other)) <= 1.01 * 10 ** -digits


def check_cells(tables, cells):
    rows = [row for table in tables for row in texts(table)[1:]]
    assert len(rows) == len(cells), "a row for each operation and size"
    for row, cell in zip(rows, cells):
        contenders = cell["contenders"]
        compared = [one for one in contenders if one["name"] in ("host-messages", "node", "arena", "again")]
        assert all(one["ratio_median"] for one in compared
                   if one["name"] == "again" and one["verdict"] == "right"), cell
        wanted = [str(cell["bytes"]), *map(time_of, contenders), *map(ratio_of, compared)]
        assert len(row) == len(wanted) and all(map(same, row, wanted)), f"{row} is not {wanted}"


def check_charts(pictures, cells):
    operations = list(dict.fromkeys(cell["operation"] for cell in cells))
    assert len(pictures) == len(operations) + 1, "charts for each operation, and what their lines are"
    for picture, operation in zip(pictures[1:], operations):
        charts = [group for group in picture.iter(SVG + "g") if group.get("class") == "chart"]
        times, ratios = ([point.findtext(SVG + "title") for point in chart.iter(SVG + "path")]
                         for chart in charts)
        right = [one for cell in cells if cell["operation"] == operation
                 for one in cell["contenders"] if one["verdict"] == "right"]
        sizes = 2 if operation == "barrier" else 1  # it has one time at every size
        assert len(times) == sizes * len(right), f"points of {operation}"
        assert len(ratios) == sizes * sum(one.get("ratio_median") is not None for one in right)


def check(text, measured):
    assert "http" not in text.replace(SVG[1:-1], ""), "it refers to the network"
    assert not re.search(r"<(script|link|img|iframe)|\b(src|href)=|@import|url\((?!#)", text)
    root = xml.fromstring(text)
    setting, floors, *tables = root.iter("table")
    about = dict(texts(setting))
    assert " ".join(OPTIONS) in about["command"], about
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", about["date"]), about
    assert about["host"] == measured["host"] and about["ranks"].startswith("2 on "), about
    assert about["sent"] == measured["sent"] == "integers of 8 bytes, written anew before every operation"
    assert about["processor"] and about["system"], about
    found = dict((row[0], row[1:]) for row in texts(floors))
    assert same(found["sched_yield"][0], microseconds(measured["floors"]["yield_ns"])), found
    assert found["bytes"] == ["8", "4K", "64K", "1M"], found
    cells = measured["cells"]
    operations = len(set(cell["operation"] for cell in cells))
    check_cells(tables[:operations], cells)
    check_charts(list(root.iter(SVG + "svg")), cells)
    inits, foreign = tables[operations:]
    assert len(texts(inits)) == 1 + len(measured["inits"])
    assert len(texts(foreign)) == 1 + len(measured["foreign"]) == 19


def main(folder):
    page = folder / "report.html"
    for named in [], ["--contenders", "blocking,node,again"]:
        OPTIONS[-1:-1] = named
        done = run("--json", "--html", str(page))
        assert done.returncode == 0
        check(page.read_text(), json.loads(done.stdout))
    assert run("--html", str(folder / "none" / "report.html")).returncode == 3
    only = ["--init"]  # of a page without a race
    OPTIONS[-1:] = only
    assert run("--html", str(page)).returncode == 0
    assert len(list(xml.fromstring(page.read_text()).iter("table"))) == 3


with tempfile.TemporaryDirectory() as name:
    main(pathlib.Path(name))
