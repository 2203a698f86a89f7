#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# trials.sh BETWEEN_TEST HOST PROGRAM: operations whose messages leave the node are tried out against the
# host's own, once for each kind and size class, and the plan is made by who was quicker; not with
# MPIX_MEASURE=0, and not where all are on one machine. PROGRAM finds its results right in any case.
set -u
run=$1 host=$2 program=$3 failed=0
. "$(dirname "$0")/lines.sh"
table=$(mktemp)
trap 'rm -f "$table"' EXIT

# What is made right after a trial is made as that says.
follows_trials() {
    awk '/between nodes: .* taken: / { taken = /taken: the host$/ ? "delegate" : $NF; next }
         taken != "" && /, rank 0 of / { if (!index($0, ": " taken ",")) { print taken " was taken: " $0; bad = 1 }
                                         taken = "" }
         END { exit bad }' <<<"$output" || failed=1
}

# Operations that there are, times the powers of two up to 4 MiB.
lines 5 350 'between nodes: .* takes .* the host .* taken: ' 2 1 50 MPIX_TEST_LIMIT=45
follows_trials
lines 0 0 'between nodes: .* takes' 2 1 50 MPIX_TEST_LIMIT=45 MPIX_MEASURE=0
lines 0 0 'between nodes: .* takes' 1 2 50 MPIX_TEST_LIMIT=45
# By this table long broadcasts go in hundreds of short messages: the host is far quicker.
printf 'constant %s\n' 'eager 256' 'rendezvous 100000' >"$table"
lines 2 12 'Bcast_init of [0-9]\{4,\} B .* taken: the host$' 2 1 50 MPIX_TEST_LIMIT=45 MPIX_TUNING="$table"
follows_trials
exit "$failed"
