#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""programs.py [--host openmpi|mpich] [--ranks N] [--rounds N] [NAME...]: programs that know nothing
of mpix, bare and with MPIX_AUTO=1, by turns: the least and the most of what they measure, and whether
their answers are the same. docs/auto.md has a table of it.

NAME is one of lammps, transpose, sums, gradients, hpcc; all by default. On MPICH only what is built
here runs: Debian's programs are linked with Open MPI. Needs build/HOST/libmpix.so; installs the
packages of the programs as scripts/install.sh does. Returns non-zero if an answer differs.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INPUTS = ROOT / "bench/programs"

# What a run has measured, a number each: a time, of which less is better, or a rate. And its answer.
Result = collections.namedtuple("Result", "figures answer")
Case = collections.namedtuple("Case", "name title command read needs debian source", defaults=((), False, None))


def read_printed(text, folder):
    return Result({"s": float(re.search(r"^time (\S+)", text, re.M)[1])},
                  re.search(r"^answer (\S+)", text, re.M)[1])


def read_lammps(text, folder):
    last = re.findall(r"^ *8000 .*$", text, re.M)[-1]
    return Result({"s": float(re.search(r"Loop time of (\S+)", text)[1])}, last.split()[1:4])


def read_hpcc(text, folder):
    found = dict(re.findall(r"^(\w+)=(\S+)$", (folder / "hpccoutf.txt").read_text(), re.M))
    rates = {"HPL, GFlop/s": 1e3 * float(found["HPL_Tflops"]),
             "PTRANS, GB/s": float(found["PTRANS_GBs"]),
             "MPI random access, GUP/s": float(found["MPIRandomAccess_GUPs"]),
             "MPIFFT, GFlop/s": float(found["MPIFFT_Gflops"])}
    checks = [found[name] == "0" for name in ("MPIRandomAccess_Errors",)]
    return Result(rates, [found["Success"], float(found["PTRANS_residual"]) < 1,
                          float(found["MPIFFT_maxErr"]) < 1e-10, *checks])


FFTW = ["-lfftw3_mpi", "-lfftw3", "-lm"]
CASES = [
    Case("lammps", "LAMMPS, 256 atoms, 8000 steps, energies in each",
         ["lmp", "-log", "none", "-in", str(INPUTS / "melt.lammps")], read_lammps, ("lammps",), True),
    Case("transpose", "FFTW's transposes, 64 x 64, 3000 times forth and back", ["64", "3000"],
         read_printed, ("libfftw3-mpi-dev",), True, FFTW),
    Case("transpose", "FFTW's transposes, 256 x 256, 200 times", ["256", "200"], read_printed,
         ("libfftw3-mpi-dev",), True, FFTW),
    Case("sums", "mpi4py, 200,000 sums of 64 doubles",
         ["/usr/bin/python3", "-B", str(INPUTS / "sums.py"), "200000"], read_printed,
         ("python3-mpi4py", "python3-numpy"), True),
    Case("gradients", "conjugate gradients, 64 x 64 points, 2000 iterations", ["64", "2000"],
         read_printed, (), False, ["-lm"]),
    Case("gradients", "conjugate gradients, 512 x 512 points, 300 iterations", ["512", "300"],
         read_printed, (), False, ["-lm"]),
    Case("hpcc", "HPCC", ["hpcc"], read_hpcc, ("hpcc",), True),
]
HPCC_INPUT = pathlib.Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")


def command_of(case, host, folder):
    if case.source is None:
        return case.command
    program = folder / case.name
    subprocess.run([f"mpicc.{host}", "-O2", INPUTS / f"{case.name}.c", "-o", program, *case.source],
                   check=True)
    return [str(program), *case.command]


def run(case, command, host, ranks, folder, is_planned):
    if case.name == "hpcc":
        rows = 2 if ranks % 2 == 0 else 1
        text = re.sub(r"^\d+( +[PQ]s)$",
                      lambda line: f"{rows if 'P' in line[1] else ranks // rows}{line[1]}",
                      HPCC_INPUT.read_text(), flags=re.M)
        (folder / "hpccinf.txt").write_text(re.sub(r"^1000( +Ns)$", r"2000\1", text, flags=re.M))
        (folder / "hpccoutf.txt").unlink(missing_ok=True)
    launcher = [f"mpirun.{host}", *(["--oversubscribe"] if host == "openmpi" else []), "-n", str(ranks)]
    preload = ["env", f"LD_PRELOAD={ROOT / 'build' / host / 'libmpix.so'}", "MPIX_AUTO=1"]
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    done = subprocess.run([*launcher, *(preload if is_planned else []), *command], cwd=folder, check=True,
                          capture_output=True, text=True, timeout=600, env=environment)
    return case.read(done.stdout, folder)


def span(values):
    return f"{min(values):.3g} to {max(values):.3g}"


def measure(case, host, ranks, rounds):
    """Prints the rows of a case. True if its answers are the same."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = command_of(case, host, folder)
        results = {False: [], True: []}
        for _ in range(rounds):
            for is_planned in (False, True):
                results[is_planned].append(run(case, command, host, ranks, folder, is_planned))
    bare, planned = results[False], results[True]
    is_same = all(result.answer == bare[0].answer for result in bare + planned)
    for unit in bare[0].figures:
        title = case.title if unit == "s" else f"{case.title}, {unit}"
        bare_span, planned_span = (span([result.figures[unit] for result in of]) for of in (bare, planned))
        print(f"| {title} | {bare_span}{' s' * (unit == 's')} | {planned_span}{' s' * (unit == 's')} |"
              f"{'' if is_same else ' answers differ'}", flush=True)
    return is_same


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--host", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    unknown = set(asked.names) - {case.name for case in CASES}
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    cases = [case for case in CASES
             if (not asked.names or case.name in asked.names) and not (case.debian and asked.host == "mpich")]
    needs = sorted({package for case in cases for package in case.needs})
    subprocess.run(["bash", ROOT / "scripts/install.sh", *needs], check=True)
    print(f"| {asked.ranks} ranks, {asked.host} | bare | plans |\n|---|---|---|")
    answers = [measure(case, asked.host, asked.ranks, asked.rounds) for case in cases]
    return 0 if all(answers) else 1


sys.exit(main())
