#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# races.sh BETWEEN_TEST HOST PROGRAM: operations whose messages leave the node are raced against the
# host's own in their first rounds, and what is made later is made as that says; not with MPIX_MEASURE=0
# or MPIX_RACE=0, and not where all are on one machine. PROGRAM finds its results right in any case.
set -u
run=$1 host=$2 program=$3 failed=0
. "$(dirname "$0")/lines.sh"
table=$(mktemp)
trap 'rm -f "$table"' EXIT
raced='between nodes: a round by .* takes .* by the host .* taken: '

# The lines of a race, and those of later plans of about as many bytes for the same operation.
follows_races() {
    awk '/between nodes: a round by .* taken: / { what = tolower($2); sub(/^mpi_/, "", what); sub(/_init$/, "", what)
                                                  taken[what " " $4] = /taken: the host$/ ? "delegate" : $NF
                                                  next }
         /, rank 0 of / { asked = taken[$2 " " $4]
                          if (asked != "" && !index($0, ": " asked ",")) { print asked " was taken: " $0; bad = 1 } }
         END { exit bad }' <<<"$output" || failed=1
}

lines 10 30 "$raced" 2 1 70 MPIX_TEST_LIMIT=65 MPIX_RACE=16
follows_races
lines 0 0 "$raced" 2 1 70 MPIX_TEST_LIMIT=65 MPIX_MEASURE=0
lines 0 0 "$raced" 2 1 70 MPIX_TEST_LIMIT=65 MPIX_RACE=0
lines 0 0 "$raced" 1 2 70 MPIX_TEST_LIMIT=65
# By this table long broadcasts go in hundreds of short messages: the host is far quicker.
printf 'constant %s\n' 'eager 256' 'rendezvous 100000' >"$table"
lines 1 1 'Bcast_init of 36000 B .* taken: the host$' 2 1 70 MPIX_TEST_LIMIT=65 MPIX_RACE=16 MPIX_TUNING="$table"
follows_races
exit "$failed"
