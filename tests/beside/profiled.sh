#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# profiled.sh RUNNER HOST LIBRARY TOOL LATE PROGRAM INSIDE NEEDING: a profiling library before libmpix sees
# every call, and what it calls runs on plans; behind it, it sees only what libmpix leaves to the host,
# and rank 0 says so, also of one that leaves MPI_Init alone (LATE). PROGRAM knows MPI alone, INSIDE has
# the tool in it, NEEDING is linked with it.
set -u
runner=$1 host=$2 library=$(realpath "$3") tool=$(realpath "$4") late=$(realpath "$5")
program=$6 inside=$7 needing=$8
# shellcheck source-path=SCRIPTDIR source=plans.sh
. "${0%/*}/plans.sh"

all='Init 1, Allreduce_init 4, Start 180, Startall 30, Allreduce 1, Comm_size 1, Finalize 1'
few='Init 0, Allreduce_init 0, Start 0, Startall 0, Allreduce 0, Comm_size 1, Finalize 0'
sees() { # COUNTS HIDDEN VARIABLE... -- PROGRAM
    plans 2 20 "${@:3}"
    sentences 2 "^tool: $1$"
    sentences "$2" "^mpix: $tool stands behind $library .*LD_PRELOAD=\"$tool $library\"$"
}
sees "$all" 0 "LD_PRELOAD=$tool $library" -- "$program"
sees "$all" 0 "LD_PRELOAD=$library" -- "$inside"
sees "$all" 0 "LD_PRELOAD=$tool $library" -- "$needing"
sees "$few" 1 "LD_PRELOAD=$library $tool" -- "$program"
sees "$few" 1 "LD_PRELOAD=$library" -- "$needing"
tool=$late
sees "$few" 1 "LD_PRELOAD=$library $tool" -- "$program"
