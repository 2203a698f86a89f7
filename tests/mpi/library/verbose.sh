#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# verbose.sh RUNNER HOST PROGRAM SHARED_MEMORY: MPIX_VERBOSE=plan prints rank 0's plans alone,
# plan:all every rank's, and nothing is printed without it. A plan tells how its messages travel,
# and so what the settings and the info key for that do. What was measured is told too.
set -u
runner=$1 host=$2 program=$3 shared_memory=$4
fail() { printf '%s\n' "$@"; exit 1; }
run() { bash "$runner" "$host" 2 20 "$@" 2>&1; }
ranks() { run "$@" -- "$program" | grep -oE '^mpix: .* rank [0-9]+ of 2' | grep -oE 'rank [0-9]+' |
    sort -u | tr '\n' ' '; }
[[ $(ranks MPIX_VERBOSE=plan) == 'rank 0 ' ]] || fail 'plan: not rank 0 alone'
[[ $(ranks MPIX_VERBOSE=plan:all) == 'rank 0 rank 1 ' ]] || fail 'plan:all: not both ranks'
[[ -z $(ranks MPIX_VERBOSE=) ]] || fail 'plans printed unasked'

# The ways of messages, a line for each plan of these operations.
ways() { sed -nE "s/^mpix: ($1) .* of 2: [a-z_]+, (.*), [0-9]+ steps.* us expected(; raced with [a-z_ ]+)?\$/\2/p"; }
sums() { run MPIX_VERBOSE=plan "$@" -- "$program" | ways allreduce; }
host_alone='^[0-9]+ messages? over the host$'
[[ $(sums) =~ ^[0-9]+\ messages?\ staged\ in\ 4\ B$ ]] || fail 'plan: not staged'
for host_is_asked in MPIX_TRANSPORT=host MPIX_NODE_SIZE=1; do
    [[ $(sums $host_is_asked) =~ $host_alone ]] || fail "$host_is_asked: not over the host"
done
[[ $(sums MPIX_NODE_SIZE=2) == *staged* ]] || fail 'MPIX_NODE_SIZE=2: not staged'
[[ $(sums MPIX_VERBOSE=1) == '' ]] || fail 'plans printed where something else is asked for'

# The key on both ranks, on one, on the other: 7 operations of 3 sizes, told by both ranks, whose
# lines mpirun may tear where both print at once.
hints() { run MPIX_VERBOSE=plan:all -- "$shared_memory" 'mpix_transport=host on all*' |
    ways '[a-z]+'; }
for _ in {1..5}; do
    hinted=$(hints)
    [[ $(wc -l <<<"$hinted") -eq 126 ]] && break
done
[[ $(wc -l <<<"$hinted") -eq 126 && -z $(grep -vE "$host_alone" <<<"$hinted") ]] ||
    fail 'mpix_transport=host: not all over the host' "$(sort <<<"$hinted" | uniq -c)"

measured='^mpix: within the node a number takes [0-9.]+ us;'
tells_measured() { grep -qE "$measured" <<<"$(run MPIX_VERBOSE=plan "$@" -- "$program")"; }
tells_measured MPIX_MEASURE=0 && fail 'MPIX_MEASURE=0: measured all the same'
(($(nproc) < 2)) && exit 0 # then nothing is measured
for _ in {1..20}; do tells_measured && exit 0; done # a rank may have no core for too long
fail 'nothing measured'
