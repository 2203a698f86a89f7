#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# simulate.sh MPIX_SIMULATE: the tool simulates all operations, counts what crosses, plans for a
# million ranks, and says what is wrong with a command line.
set -u
program=$1
fail() { printf '%s\n' "$@" && exit 1; }

"$program" --help | grep -q '^usage:' || fail 'no help'
for wrong in '--ops allrduce' '--topology node' '--topology node:0' '--bytes 3X' 'latncy=1' '--bytes' 'x'; do
    # shellcheck disable=SC2086
    "$program" $wrong >/dev/null 2>&1
    [[ $? -eq 2 ]] || fail "not refused: $wrong"
done

operations=barrier,bcast,gather,scatter,allgather,alltoall,reduce,allreduce,reduce_scatter,scan,exscan
table=$("$program" --ops "$operations" --bytes 8,64K --topology 'node:3 socket:2 core:2') || fail 'it fails'
[[ $(wc -l <<<"$table") -eq 23 ]] || fail "$table" 'rows are missing'
! tail -n +2 <<<"$table" | awk '{ print $6, $11 }' | grep -qvE '^[0-9.]+ [0-9.]+$' ||
    fail "$table" 'something is not simulated'

# Leaders exchange one message with each other, whichever way the ranks are placed.
for placed in '' --cyclic; do
    # shellcheck disable=SC2086
    table=$("$program" $placed --chosen --ops barrier,bcast,allgather --topology 'node:8 core:16' latency=20)
    [[ $(tail -n +2 <<<"$table" | awk '{ print $7 }' | sort -u) == 1 ]] || fail "$table" 'more than one message'
done

# A message of which the receiver would be asked goes in parts.
table=$("$program" --chosen --ops bcast --bytes 64K --topology 'node:2 core:2' latency=20 overhead=4 \
                   rendezvous=100 eager=16385) || fail 'it fails'
[[ $(tail -n +2 <<<"$table" | awk '{ print $7 }') == 4 ]] || fail "$table" 'not four parts'

table=$("$program" --chosen --topology 'node:16384 core:64' --ops bcast,allreduce)
! tail -n +2 <<<"$table" | awk '{ exit !($10 > 10000) }' || fail "$table" 'a plan is large'
