#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# files.sh RUNNER HOST LIBRARY TOOL PROGRAM WRAPPED: a tool that watches files sees them before libmpix
# as on the bare host. Behind it, it sees what the C library opens, but no MPI_File_open. WRAPPED has
# the tool in it by the linker's --wrap.
set -u
runner=$1 host=$2 library=$(realpath "$3") tool=$4 program=$5 wrapped=$6
# shellcheck source-path=SCRIPTDIR source=plans.sh
. "${0%/*}/plans.sh"

sees() { # TIMES VARIABLE... -- PROGRAM
    says 0 2 20 "${@:2}"
    # A host may open a file on one rank and hand it to the other, so `open` is counted on neither.
    sentences 2 "^files: File_open $1, open "
    grep -q ', open seen$' <<<"$output" || fail "$output" "no open: ${*:2}"
}
sees 1 "LD_PRELOAD=$tool" -- "$program"
sees 1 "LD_PRELOAD=$tool $library" -- "$program"
sees 0 "LD_PRELOAD=$library $tool" -- "$program"
sees 1 "LD_PRELOAD=$library" -- "$wrapped"
