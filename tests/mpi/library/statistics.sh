#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# statistics.sh RUNNER HOST PROGRAM LATE [SESSIONS]: MPIX_STATS=1 counts what the program is
# known to do, on 1, 2 and 3 ranks; what a callback in MPI_Finalize does (LATE); may differ between
# ranks; and leaves programs of sessions alone. Nothing is printed unasked. MPIX_STATS=json:FILE has
# the same numbers, also of a program without plans; 1,json:FILE does both.
set -u
runner=$1 host=$2 program=$3 late=$4 sessions=${5-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ranks=1 output=
fail() { printf '%s, on %s ranks:\n%s\n' "$1" "$ranks" "$output"; exit 1; }
run() { output=$(bash "$runner" "$host" "$ranks" 20 "${@:2}" -- $1 2>&1) || fail "$1 fails"; }
# row OPERATION QUANTITY: the cells of a line; of the first line of a kind with its names.
row() { awk -v operation="$1" -v quantity="$2" -F '  +' '
    /^[A-Z]/ { now = $1 } now == operation && index($0, "  " quantity "  ") { $1 = $1; print }' \
    <<<"$output"; }
expect() {
    local found
    found=$(row "$1" "$2")
    [[ $found =~ ^$3$ ]] || fail "$1 $2 is '$found', not '$3'"
}

plan=MPIX_PLAN=bcast_binomial,barrier_dissemination,allgather_ring,allreduce_recursive_doubling
for ranks in 1 2 3; do
    for transport in node host; do
        run "$program" MPIX_STATS=1 $plan MPIX_TRANSPORT=$transport
        way=$([[ $ranks == 1 ]] && echo none || { [[ $transport == host ]] && echo host || echo staged; })
        all=$ranks/$ranks
        case $ranks in
        1) sent='0 B 0 B 0 B' ;;
        2) sent='0 B 5\.0 KiB 10\.0 KiB' ;;
        3) sent='0 B 6\.7 KiB 20\.0 KiB' ;;
        esac
        expect Bcast inits "Bcast bcast_binomial $way $all inits 2 2 2"
        expect Bcast starts ' starts 10 10 10'
        expect Bcast sent " sent $sent"
        expect Barrier inits "Barrier barrier_dissemination $way $all inits 3 3 3"
        expect Barrier starts ' starts 12 12 12'
        expect Barrier sent ' sent 0 B 0 B 0 B'
        expect Allreduce inits "Allreduce [a-z_]+ none 1/$ranks inits 2 2 2"
        expect Allreduce starts ' starts 9 9 9'
        expect Allgather inits "Allgather allgather_ring $way $all inits 1 1 1"
        expect Allgather starts ' starts 0 0 0'
        expect Allgather 'time a start' ' time a start - - -'
        # Two plans of the others wait 100 ms for rank 0, in ten starts.
        ((ranks > 1)) && expect Bcast time ' time .* ([1-9][0-9]+\.[0-9]+ m|[0-9.]+ )s'
        ((ranks > 1)) && expect Bcast 'time a start' ' time a start .* [0-9.]+ m?s'
        [[ $(awk '/inits|start|sent|time/ { print length }' <<<"$output" | sort -u | wc -l) == 1 ]] ||
            fail 'columns are not aligned'
    done
done
ranks=2
run "$program" MPIX_STATS=1 MPIX_PLAN=delegate
expect Bcast inits 'Bcast delegate host 2/2 inits 2 2 2'
run "$late" MPIX_STATS=1
expect Allreduce starts ' starts 1 1 1'
# json FILE EXPRESSION: of what is in the file, `plans` by operation.
json() {
    output=$(python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))
plans = {plan["operation"]: plan for plan in found["plans"]}
if not eval(sys.argv[2]): sys.exit(str(found))' "$@" 2>&1) || fail "not in $1: $2"
}
file=$folder/statistics.json
run "$program" MPIX_STATS=json:"$file" $plan
[[ -z $output ]] || fail 'prints beside the JSON'
json "$file" 'found["ranks"] == 2 and sorted(plans) == ["Allgather", "Allreduce", "Barrier", "Bcast"]'
json "$file" 'plans["Bcast"]["ranks"] == 2 and plans["Bcast"]["starts"] == {"least": 10, "mean": 10, "most": 10}'
json "$file" 'plans["Bcast"]["sent_bytes"] == {"least": 0, "mean": 5120, "most": 10240}'
json "$file" 'plans["Bcast"]["solver"] == "bcast_binomial" and plans["Allreduce"]["ranks"] == 1'
json "$file" 'plans["Bcast"]["time_ns"]["most"] > 2e8 and plans["Allgather"]["time_a_start_ns"] is None'
rm "$file"
run "$program" MPIX_STATS=1,json:"$file" $plan
expect Bcast starts ' starts 10 10 10'
json "$file" 'plans["Bcast"]["starts"]["most"] == 10'
rm "$file"
run "$program idle" MPIX_STATS=json:"$file"
json "$file" 'found == {"ranks": 2, "plans": []}'
run "$late" MPIX_STATS=json:/nowhere/at/all
[[ $output == 'mpix: MPIX_STATS=json:/nowhere/at/all cannot be written: No such file or directory' ]] ||
    fail 'does not say that it cannot be written'
for ignored in json: 2; do
    run "$late" MPIX_STATS=$ignored
    [[ $(grep -c "^mpix: MPIX_STATS=$ignored is ignored: it must be 0, 1, json:FILE or 1,json:FILE$" <<<"$output") == 2 ]] ||
        fail "takes MPIX_STATS=$ignored"
done
# Where the variable differs nobody waits, and each that has it tells of itself.
for ranks in 2 3; do
    for who in 0 1; do
        only='rank=${OMPI_COMM_WORLD_RANK-$PMI_RANK}; [[ $rank != '$who' ]] || export MPIX_STATS=1; exec "$0"'
        output=$(bash "$runner" "$host" "$ranks" 20 -- bash -c "$only" "$program" 2>&1) ||
            fail "fails with MPIX_STATS=1 on rank $who alone"
        [[ $(grep -c '^mpix: ' <<<"$output") == 2 && $output == "mpix: rank $who alone, "* ]] ||
            fail "not the table of rank $who"
        expect Bcast starts ' starts 10 10 10'
        expect Barrier inits "Barrier .* 1/$ranks inits 3 3 3"
    done
done
ranks=2
for quiet in MPIX_STATS=0 'MPIX_STATS=1 MPIX_DISABLE=1'; do
    [[ $host == openmpi && $quiet == *DISABLE* ]] && continue # it has no such names of its own
    run "$late" $quiet
    output=$(grep -v '^MPICH: freeing inactive persistent request' <<<"$output") # the host's own
    [[ -z $output ]] || fail "$quiet prints"
done
[[ -z $sessions ]] && exit
run "$sessions one" MPIX_STATS=1
[[ -z $output ]] || fail 'a program of sessions alone prints'
run "$sessions around" MPIX_STATS=1
expect Allreduce inits 'Allreduce .* 2/2 inits .*'
run "$sessions within" MPIX_STATS=1
expect Allreduce inits 'Allreduce .* 2/2 inits .*'
