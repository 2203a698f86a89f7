# SPDX-License-Identifier: BSD-3-Clause
"""drawings.py MPIX_SIMULATE: a drawn plan has a box for each of its steps and an arrow for each of its
messages, and none of them goes back in time. What is held against the pictures is the plans' text,
and arithmetic.
"""
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

OPERATIONS = ("barrier", "bcast", "gather", "scatter", "allgather", "alltoall", "reduce", "allreduce",
              "reduce_scatter", "scan", "exscan")
MACHINES = (["--ranks", "1"], ["--ranks", "2"], ["--ranks", "3"], ["--ranks", "7"],
            ["--nodes", "3x3"], ["--ranks", "10", "--nodes", "5", "--cyclic"],
            ["--topology", "node:2 socket:2 core:3"],
            ["--ranks", "5", "--nodes", "5", "latency=20", "overhead=4", "rendezvous=100", "eager=1000"])
MESSAGES = {  # of solvers that everybody knows, by the number of ranks
    "bcast_binomial": lambda ranks: ranks - 1,
    "barrier_dissemination": lambda ranks: ranks * math.ceil(math.log2(ranks)),
    "alltoall_pairwise": lambda ranks: ranks * (ranks - 1),
    "allreduce_ring": lambda ranks: 2 * ranks * (ranks - 1),
}
WRONG = ("", "--ranks 8 --nodes 3", "--nodes 2x4 --ranks 9", "--nodes 2x", "--ranks 65", "--ranks 0",
         "--ranks 4 --op alreduce", "--ranks 4 --solver ring", "--ranks 4 --solver bcast_chain",
         "--ranks 3 --solver allreduce_two_level", "--ranks 4 --svg", "--ranks 2 --topology node:2", "x")
SVG = "{http://www.w3.org/2000/svg}"
STEP = re.compile(r"^ +(\d+)  (\w+) .*?(?:then ([\d ]+))?$")
BOX = re.compile(r"^rank (\d+): (.*)\nready at ([\d.]+), from ([\d.]+) to ([\d.]+) us$")
ARROW = re.compile(r"^rank (\d+) step (\d+) to rank (\d+) step (\d+), \d+ B\n"
                   r"from ([\d.]+) to ([\d.]+) us$")
ROUNDED = 0.002  # of times in texts


def run(*words):
    done = subprocess.run([sys.argv[1], "plan", *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def steps_of(text):
    """(rank, step) -> its line, what it does, and the steps after it."""
    steps, rank = {}, -1
    for line in text.splitlines():
        if not line.startswith(" "):
            rank += 1
        elif found := STEP.match(line):
            after = [int(number) for number in (found[3] or "").split()]
            steps[rank, int(found[1])] = (line.strip(), found[2], after)
    return steps


def group(root, name):
    return next(one for one in root.iter(SVG + "g") if one.get("class") == name)


def check_boxes(picture, steps):
    """The times of each step."""
    times, ends = {}, {}
    for box in group(picture, "steps"):
        assert float(box.get("width")) > 0
        rank, text, *when = BOX.match(box.findtext(SVG + "title")).groups()
        key = int(rank), int(text.split()[0])
        assert key not in times and steps[key][:2] == (text, box.get("class")), text
        times[key] = ready, begin, end = tuple(map(float, when))
        assert ready <= begin + ROUNDED and begin <= end, text
    assert times.keys() == steps.keys(), "a box for each step"
    for (rank, _), (_, begin, end) in sorted(times.items(), key=lambda one: (one[0][0], one[1][1:])):
        assert begin >= ends.get(rank, 0) - ROUNDED, f"rank {rank} does two things at {begin}"
        ends[rank] = end
    for (rank, step), (_, _, after) in steps.items():
        for later in after:
            assert times[rank, later][0] >= times[rank, step][2] - ROUNDED, "a step waits for another"
    return times


def check_arrows(picture, steps, times):
    arrows = list(group(picture, "messages"))
    for arrow in arrows:
        assert float(arrow.get("x2")) >= float(arrow.get("x1"))
        assert arrow.get("y1") != arrow.get("y2")
        *ends, left, there = ARROW.match(arrow.findtext(SVG + "title")).groups()
        sender, send, receiver, receive = map(int, ends)
        assert steps[sender, send][1] == "send" and f"rank {receiver} " in steps[sender, send][0]
        assert steps[receiver, receive][1] in ("recv", "combine")
        assert abs(float(left) - times[sender, send][2]) <= ROUNDED
        assert float(left) <= float(there) <= times[receiver, receive][1] + ROUNDED
    assert len(arrows) == sum(step[1] == "send" for step in steps.values()), "an arrow for each message"
    return len(arrows)


def check(folder, *words):
    """The number of messages."""
    drawn, page = folder / "plan.svg", folder / "plan.html"
    status, text, _ = run(*words)
    assert status == 0
    status, said, _ = run(*words, "--svg", str(drawn), "--html", str(page))
    assert status == 0 and not said
    steps = steps_of(text)
    picture = xml.parse(drawn).getroot()
    messages = check_arrows(picture, steps, check_boxes(picture, steps))
    inside = next(xml.parse(page).getroot().iter(SVG + "svg"))
    inside.tail = None
    assert xml.tostring(inside) == xml.tostring(picture), "the page has the same picture"
    assert "http" not in page.read_text().replace(SVG[1:-1], ""), "the page needs no network"
    return messages


def main(folder):
    for operation in OPERATIONS:
        for machine in MACHINES:
            for size in ("8", "64K"):
                check(folder, "--op", operation, "--bytes", size, *machine)
    for solver, messages in MESSAGES.items():
        for ranks in (2, 3, 5, 8, 13):
            drawn = check(folder, "--op", solver.split("_")[0], "--bytes", "1K", "--solver", solver,
                          "--ranks", str(ranks), "--nodes", str(ranks))
            assert drawn == messages(ranks), f"{solver} on {ranks}: {drawn} messages"
    check(folder, "--op", "alltoall", "--ranks", "64")
    for line in WRONG:
        status, _, said = run(*line.split())
        assert status == 2 and len(said.splitlines()) == 1, f"not refused: {line}"
    assert run("--ranks", "2", "--svg", str(folder / "none" / "a.svg"))[0] == 1


with tempfile.TemporaryDirectory() as name:
    main(pathlib.Path(name))
