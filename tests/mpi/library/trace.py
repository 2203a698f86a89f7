#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""trace.py FILE RANKS [KEY=VALUE...]: what a trace of the program `traced` has to have, or with `any=1`
one of any program.

Rounds complete, spans of a lane are apart or one within the other, and every message has two ends, of
which the later one is the receive. `plain` says whether plain collectives ran on plans, `late` which
rank was late, `only` the ranks that were traced, `capped` how many events each of them keeps at most,
`skew_us` by how much clocks may be wrong.
"""
import collections
import json
import sys

ROUNDS, PARTITIONS, MESSAGES, LATE_US = 40, 8, 5, 20000
SLOT_ROUNDS = ROUNDS + 3 * 3  # of channels, with the laps
NANOSECOND = 0.0011  # and how numbers are printed

faults = []


def expect(is_right, text):
    if not is_right:
        faults.append(text)


def check_lanes(spans):
    lanes = collections.defaultdict(list)
    for span in spans:
        lanes[span["pid"], span["tid"]].append(span)
    for lane, of_lane in lanes.items():
        opened = []
        for span in sorted(of_lane, key=lambda s: (s["ts"], -s["dur"])):
            end = span["ts"] + span["dur"]
            while opened and opened[-1] <= span["ts"] + NANOSECOND:
                opened.pop()
            expect(not opened or end <= opened[-1] + NANOSECOND, f"spans cross on lane {lane}: {span}")
            opened.append(end)
        starts = [span["ts"] for span in of_lane]
        expect(starts == sorted(starts), f"times of lane {lane} go back")


def check_messages(events, is_whole, skew_us):
    ends = collections.defaultdict(list)
    for event in events:
        if event["ph"] in "sf":
            ends[event["id"]].append(event)
    for name, both in ends.items():
        phases = sorted(event["ph"] for event in both)
        if is_whole:
            expect(phases == ["f", "s"], f"message {name} has the ends {both}")
        if phases == ["f", "s"]:
            begin, end = sorted(both, key=lambda event: event["ph"], reverse=True)
            expect(begin["ts"] <= end["ts"] + NANOSECOND + skew_us, f"message {name} comes before it is sent: {both}")


def check_of_any(trace, spans):
    expect(trace["otherData"]["dropped_events"] == 0, "events are dropped")
    expect(all("completed" not in event["args"] for event in spans), "a round does not end")


def check_counts(events, ranks, plain):
    """Of what each rank does a known number of times. A rank alone sends itself no part of a sum."""
    found = collections.Counter(
        (event["pid"], event["name"], event.get("args", {}).get("operation"))
        for event in events if event["ph"] in "Xi")
    for rank in ranks:
        for name, operation, least, most in (
                ("Allreduce", "Allreduce", ROUNDS, ROUNDS if not plain else 1000),
                ("Psend", "Psend", ROUNDS, ROUNDS),
                ("Precv", "Precv", ROUNDS, ROUNDS),
                ("ready", "Psend", ROUNDS * PARTITIONS, ROUNDS * PARTITIONS),
                ("Bind_slack", "Bind_slack", *[2 * SLOT_ROUNDS] * 2),
                ("Send", None, MESSAGES, MESSAGES),
                ("Recv", None, MESSAGES, MESSAGES)):
            number = found[rank, name, operation]
            expect(least <= number <= most, f"rank {rank} has {number} of {name}")
        if plain:
            expect(found[rank, "Allreduce", "Allreduce"] > ROUNDS, f"rank {rank} has no plain sums")
        arrived = sum(event["args"]["partitions"] for event in events
                      if event["name"] == "arrived" and event["pid"] == rank)
        expect(arrived == ROUNDS * PARTITIONS, f"{arrived} partitions arrived at rank {rank}")


def check_persistent(spans, ranks):
    """Messages of the host's: each rank's round is one to the right, and one from the left."""
    for span in (span for span in spans if span["cat"] == "persistent"):
        sends, arguments = span["name"] == "Send", span["args"]
        peer = (span["pid"] + (1 if sends else ranks - 1)) % ranks
        expect((arguments["peer"], arguments["tag"], arguments["bytes"]) == (peer, 3, 8),
               f"rank {span['pid']} has a {span['name']} of {arguments}")
        expect(arguments["round"] < MESSAGES, f"too many rounds: {arguments}")


def check_late(rounds, late):
    """The rank that is late starts that round last, and the others wait as long."""
    starts = {event["pid"]: event["ts"] for event in rounds
              if event["name"] == "Allreduce" and event["args"]["round"] == ROUNDS // 2
              and event["args"]["plan"] == 0}
    expect(max(starts, key=starts.get) == late, f"not rank {late} was late: {starts}")
    others = [time for rank, time in starts.items() if rank != late]
    expect(all(starts[late] - time > LATE_US / 2 for time in others), f"it was not late enough: {starts}")


def main():
    path, ranks = sys.argv[1], int(sys.argv[2])
    given = dict(argument.split("=") for argument in sys.argv[3:])
    with open(path) as file:
        trace = json.load(file)
    events = trace["traceEvents"]
    traced = [int(rank) for rank in given["only"].split(",")] if "only" in given else list(range(ranks))
    names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    spans = [event for event in events if event["ph"] == "X"]
    rounds = [event for event in spans if event["cat"] == "plan"]
    expect(sorted(names) == list(range(ranks)), f"processes are {names}")
    expect(all(name.startswith(f"rank {rank} on ") for rank, name in names.items()), f"{names}")
    expect({event["pid"] for event in spans} == set(traced), "other ranks are traced")
    expect(all(event["ts"] >= 0 for event in events if "ts" in event), "times before the beginning")
    expect(all(event["dur"] > 0 for event in spans), "spans without time")
    check_lanes(spans)
    is_whole = "capped" not in given and len(traced) == ranks
    check_messages(events, is_whole, float(given.get("skew_us", 0)))
    # Ranks alone, and messages of the host's, have no arrows.
    has_arrows = any(event["ph"] == "s" for event in events)
    expect(has_arrows or "any" in given, "no messages")
    if "any" in given:
        check_of_any(trace, spans)
    elif "capped" in given:
        most = int(given["capped"])
        kept = collections.Counter(event["pid"] for event in events if event["ph"] in "Xi")
        expect(all(number <= most for number in kept.values()), f"more than {most} events: {kept}")
        expect(trace["otherData"]["dropped_events"] > 0, "nothing is said to be dropped")
    else:
        check_of_any(trace, spans)
        check_counts(events, traced, given.get("plain") == "1")
        check_persistent(spans, ranks)
    if "late" in given:
        check_late(rounds, int(given["late"]))
    for fault in faults[:10]:
        print(fault)
    sys.exit(bool(faults))


main()
