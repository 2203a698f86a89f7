#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# valgrind.sh RUNNER HOST LIBRARY PROGRAM RECORDS: under memcheck, whose search for leaks at the end is
# left on, a preloaded program is right, ends in time, and no record has libmpix in its stack; callgrind
# counts the calls. RECORDS finds such records.
set -u
runner=$1 host=$2 library=$(realpath "$3") program=$4 records=$5
# shellcheck source-path=SCRIPTDIR source=plans.sh
. "${0%/*}/plans.sh"
needs valgrind callgrind_annotate
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT

plans 2 100 "LD_PRELOAD=$library" -- valgrind --quiet --leak-check=full --num-callers=40 \
    --log-file="$files/memcheck.%p" "$program"
[[ $(find "$files" -name 'memcheck.*' | wc -l) -eq 2 ]] || fail 'no report of each rank'
found=$(bash "$records" "$files"/memcheck.*)
[[ -z $found ]] || fail "$found"

plans 1 60 "LD_PRELOAD=$library" -- valgrind --quiet --tool=callgrind \
    --callgrind-out-file="$files/callgrind" "$program"
callgrind_annotate --threshold=100 "$files/callgrind" | grep -q 'MPI_Startall.*libmpix' ||
    fail 'callgrind does not know MPI_Startall of libmpix'
