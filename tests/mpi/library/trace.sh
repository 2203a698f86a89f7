#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# trace.sh RUNNER HOST PROGRAM CHECK SKEW RANKS: MPIX_TRACE writes one file, in which trace.py
# finds all that the program `traced` did on so many ranks: over the node's memory and over the host,
# with threads and with plain collectives; with clocks that differ; with a cap on events; and where
# some ranks have no MPIX_TRACE, or it cannot be written.
set -u
runner=$1 host=$2 program=$3 check=$4 skew=$5 ranks=$6
folder=$(mktemp -d) output=
trap 'rm -rf "$folder"' EXIT
file=$folder/trace.json
fail() { printf '%s, on %s ranks:\n%s\n' "$1" "$ranks" "$output"; exit 1; }
# run VARIABLES... -- ARGUMENTS...: ranks give way to whatever else runs on their cores.
run() {
    rm -f "$file"
    output=$(bash "$runner" "$host" "$ranks" 40 MPIX_YIELD=1 "$@" 2>&1) || fail "fails: $*"
}
look() { output=$(python3 -B "$check" "$file" "$ranks" "$@" 2>&1) || fail "wrong: $*"; }
quiet() { [[ -z $output ]] || fail "prints"; }

for transport in node host; do
    run MPIX_TRACE="$file" MPIX_TRANSPORT=$transport -- "$program"
    quiet
    look
done
run MPIX_TRACE="$file" MPIX_AUTO=1 MPIX_RACE=0 -- "$program" threads
quiet
# A rank alone has no plans of plain collectives.
look plain=$((ranks > 1))
run MPIX_TRACE="$file" MPIX_TRACE_EVENTS=300 -- "$program"
[[ $(grep -c "^mpix: [0-9]* events are not in $file: MPIX_TRACE_EVENTS=300 is the room of a rank$" \
    <<<"$output") == 1 && $(wc -l <<<"$output") == 1 ]] || fail 'does not say what it drops'
look capped=300
run MPIX_TRACE=/nowhere/at/all -- "$program"
[[ $output == 'mpix: MPIX_TRACE=/nowhere/at/all cannot be written: No such file or directory' ]] ||
    fail 'does not say once that it cannot be written'
((ranks > 1)) || exit 0

run MPIX_TRACE="$file" -- "$program" late 1
look late=1
# One that has no variable, be it the one that would write.
for without in 0 $((ranks - 1)); do
    rm -f "$file"
    others=$(for ((rank = 0; rank < ranks; rank++)); do ((rank == without)) || echo "$rank"; done)
    all_but='rank=${OMPI_COMM_WORLD_RANK-$PMI_RANK}; [[ $rank == '$without' ]] || export MPIX_TRACE='$file'; exec "$0"'
    output=$(bash "$runner" "$host" "$ranks" 40 MPIX_YIELD=1 -- bash -c "$all_but" "$program" 2>&1) ||
        fail "fails where rank $without has no MPIX_TRACE"
    quiet
    look only="$(paste -sd, <<<"$others")"
done
# Ranks as if each were a node, with clocks that are seconds apart and drift.
run MPIX_TRACE="$file" MPIX_NODE_SIZE=1 MPIX_MEASURE=0 LD_PRELOAD="$skew" -- "$program"
error=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["otherData"]["clock_error_ns"])' "$file")
look skew_us=$((2 * error / 1000 + 5))
