#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# performance.py FILE...: tables in Markdown of what `mpix-bench --json` wrote, as they stand in
# docs/performance-tables.md: the floors, then for each operation and size how many times faster mpix is
# than the best contender of the host with right answers, by the minima of the batches.
#
# performance.py --runs FILE...: what several runs of one command come to: of each cell the median over the
# runs of the ratio of medians, for every contender that is compared; of mpix's the table too.
import json
import math
import statistics
import sys

SHOWN = {"node": "heap buffers", "arena": "buffers of MPI_Alloc_mem", "host-messages": "over host messages"}


def size_name(size):
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB" if size >= 1024 else f"{size} B"


def ratios(run, contender, statistic="ratio_minimum"):
    found = {}
    for cell in run["cells"]:
        for entry in cell["contenders"]:
            if entry["name"] == contender and entry.get(statistic):
                found[cell["operation"], cell["bytes"]] = entry[statistic]
    return found


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def floors(run):
    found = run["floors"]
    copies = {entry["bytes"]: entry for entry in found["copies"]}
    parts = [f"a cache line from core to core {found['half_roundtrip_ns']:.0f} ns"]
    for size in (65536, 1048576):
        entry = copies[size]
        rate = {name: size / entry[name + "_ns"] for name in ("own", "fresh", "cma")}
        parts.append(f"{size_name(size)} copied within a rank {rate['own']:.1f} GB/s, from the other "
                     f"rank {rate['fresh']:.1f} GB/s, by CMA {rate['cma']:.1f} GB/s")
    return "; ".join(parts) + "."


def table(found):
    sizes = sorted({size for _, size in found if size > 0})
    operations = []
    for operation, _ in found:
        if operation not in operations:
            operations.append(operation)
    lines = ["| | " + " | ".join(map(size_name, sizes)) + " |", "|---" * (len(sizes) + 1) + "|"]
    for operation in operations:
        cells = [found.get((operation, size)) for size in sizes]
        if (operation, 0) in found:
            cells = [found[operation, 0]] + [None] * (len(sizes) - 1)
        lines.append(f"| {operation} | " + " | ".join(f"{cell:.2f}" if cell else "" for cell in cells) + " |")
    return "\n".join(lines)


def summary(run, contender):
    minima, medians = ratios(run, contender), ratios(run, contender, "ratio_median")
    low = sum(1 for value in minima.values() if value < 0.95)
    return (f"{SHOWN[contender]}: geometric mean {mean(minima.values()):.2f} (by medians "
            f"{mean(medians.values()):.2f}), least {min(minima.values()):.2f}, {low} of "
            f"{len(minima)} cells below 0.95.")


def load(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


def show_tables(run):
    cores = "a core each" if run["core_each"] else f"on {run['cores']} cores"
    print(f"## {run['host'].splitlines()[0]}, {run['ranks']} ranks, {cores}\n")
    if run["floors"]["half_roundtrip_ns"]:  # two ranks share a node
        print(f"Floors: {floors(run)}\n")
    for contender in SHOWN:
        if not ratios(run, contender):
            continue
        print(summary(run, contender) + "\n\n" + table(ratios(run, contender)) + "\n")


def show_runs(runs):
    print(f"{runs[0]['host'].splitlines()[0]}, {runs[0]['ranks']} ranks, {len(runs)} runs")
    compared = {entry["name"]: None for run in runs for cell in run["cells"]
                for entry in cell["contenders"] if entry.get("ratio_median")}
    for contender in compared:
        found = [ratios(run, contender, "ratio_median") for run in runs]
        cells = {cell: statistics.median(run[cell] for run in found if cell in run)
                 for run in found for cell in run}
        low = sorted((ratio, *cell) for cell, ratio in cells.items() if ratio < 0.95)
        print(f"{contender}: geometric mean {mean(cells.values()):.2f}, of {len(cells)} cells {len(low)} below "
              f"0.95, {sum(1 for ratio, *_ in low if ratio < 0.9)} below 0.90")
        for ratio, operation, size in low:
            print(f"  {operation} {size_name(size)} {ratio:.2f}")
        if contender in SHOWN:
            print("\n" + table(cells) + "\n")


arguments = sys.argv[1:]
if arguments[:1] == ["--runs"]:
    show_runs([load(name) for name in arguments[1:]])
else:
    for name in arguments:
        show_tables(load(name))
