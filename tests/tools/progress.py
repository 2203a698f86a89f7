# SPDX-License-Identifier: BSD-3-Clause
"""progress.py RUNNER HOST MPIX_BENCH MPIX_TUNE FUZZ: what takes long says on a terminal, and nowhere
else, what is done and how long the rest will take, and leaves none of it there.
"""
import errno
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

runner, host, bench, tune, fuzz = sys.argv[1:]
LINE = re.compile(r"\d+ of \d+ done, now \w+")
ESTIMATE = re.compile(r", about \d+ (s|min|h) left")


def read_all(master):
    """What comes until the last process has closed the other end."""
    text = b""
    while True:
        try:
            part = os.read(master, 4096)
        except OSError as error:
            if error.errno == errno.EIO:
                return text.decode()
            raise
        text += part


def run(command, stdout, stderr):
    """What the terminal got, and what the pipe, if either is True or False of the two files."""
    master, slave = pty.openpty()
    with tempfile.TemporaryFile() as pipe:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave if stdout else pipe,
                                   stderr=slave if stderr else pipe)
        os.close(slave)
        shown = read_all(master) if stdout or stderr else ""
        assert process.wait() == 0, shown
        os.close(master)
        pipe.seek(0)
        return shown, pipe.read().decode()


def screen(shown):
    """What stands on it at the end."""
    rows, at = [""], 0
    for part in re.findall(r"\033\[K|[^\033]", shown):
        if part == "\n":
            rows.append("")
            at = 0
        elif part == "\r":
            at = 0
        elif part == "\033[K":
            rows[-1] = rows[-1][:at]
        else:
            rows[-1] = rows[-1][:at] + part + rows[-1][at + 1:]
            at += 1
    return "\n".join(rows)


def check(command, line, has_estimate, printed):
    shown, _ = run(command, True, True)
    assert line.search(shown), f"nothing is shown: {shown}"
    assert not has_estimate or ESTIMATE.search(shown), f"for how long still? {shown}"
    left = screen(shown)
    assert not line.search(left), f"something is left: {left}"
    assert printed.search(left), f"what is printed is gone: {left}"
    check_silence(command, line, False)


def check_silence(command, line, stdout):
    shown, piped = run(command, stdout, False)
    assert not line.search(shown + piped) and "\033" not in shown + piped, shown + piped


def check_mixture(command, line):
    """What is printed goes elsewhere, or the errors do."""
    shown, piped = run(command, False, True)
    assert line.search(shown) and not line.search(screen(shown)), shown
    assert not line.search(piped) and "\033" not in piped, piped
    check_silence(command, line, True)


def main(folder):
    launch = [runner, host, "2", "60", "--"]
    short = [bench, "--ops", "barrier,allreduce", "--sizes", "8:64", "--rounds", "1", "--contenders", "node"]
    check([*launch, *short], LINE, True, re.compile(r"^allreduce +64 ", re.MULTILINE))
    check_mixture([*launch, *short], LINE)
    check([*launch, bench, "channel", "--parts", "pingpong,start", "--sizes", "8", "--rounds", "1"],
          LINE, True, re.compile(r"^ +8 ", re.MULTILINE))
    check([*launch, tune, "--ops", "bcast", "--sizes", "8:64", "--quick", "--output",
           str(folder / "table")], LINE, True, re.compile(r"^bcast +64  bcast_", re.MULTILINE))
    check([*launch, fuzz, "--seed", "1", "--count", "12"], LINE, False,
          re.compile(r"^12 programs, 0 failed", re.MULTILINE))
    os.environ["FUZZ_PROGRAM_DIR"] = str(pathlib.Path(fuzz).resolve().parent)
    script = pathlib.Path(__file__).parents[2] / "scripts" / "fuzz.sh"
    check(["bash", str(script), "--host", host, "--ranks", "2", "--seed", "1", "--batch", "5",
           "--programs", "10", "MPIX_STATS=0"],
          re.compile(r"\d+ programs done, \d+ failed, now \w+ on 2 ranks"), True,
          re.compile(r"^10 programs, 0 failed", re.MULTILINE))


with tempfile.TemporaryDirectory() as name:
    main(pathlib.Path(name))
