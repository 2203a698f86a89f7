#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# wisdom.sh MPIRUN_TEST HOST PROGRAM PLAIN: what races show is written at the end of MPI, beside the table that
# was read, and the next run that reads it races no more what it knows. A file that cannot be written
# is told of, and changes nothing else. Plain calls (those of PLAIN) tell which of two plans is quicker, if
# one is quicker than the host; with the host they are raced in every run.
set -u
run=$1 host=$2 program=$3 plain=$4 failed=0
table=$(mktemp) given=$(mktemp)
trap 'rm -f "$table" "$given"' EXIT

races() { grep -c ' a round by .* taken: ' <<<"$output"; }
play() {
    output=$(bash "$run" "$host" 3 60 MPIX_VERBOSE=plan MPIX_NODE_SIZE=1 MPIX_TEST_LIMIT=55 "$@" -- "$program" 2>&1) ||
        { tail -n 20 <<<"$output"; failed=1; }
}
fail() { printf '%s\n' "$*"; failed=1; }

printf 'constant eager 9000\nbcast ranks 77 bcast_chain\n' >"$given"
play MPIX_TUNING="$given" MPIX_TUNING_WRITE="$table"
raced=$(races)
[ "$raced" -ge 12 ] || fail "$raced races without a table"
# The model's second choice, where it is near, has its rounds beside the first.
three=$(grep -cE ' a round by ([a-z_]+) takes [0-9.]+ us, by [a-z_]+ [0-9.]+ us, by the host ' <<<"$output")
[ "$three" -ge 4 ] || fail "$three of $raced races have a second plan"
[ "$(grep -cE '; raced with [a-z_]+ and the host$' <<<"$output")" -ge "$three" ] || fail "plans do not tell of it"
[ "$(head -n 2 "$table")" = "$(cat "$given")" ] || fail "the table that was read is not in $(cat "$table")"
learnt=$(tail -n +3 "$table" | grep -cE '^[a-z_]+ ranks 3 bytes [0-9]+(-[0-9]+)? nodes [a-z_]+$')
# Not of alltoallv and alltoallw, of which the largest block does not tell all.
[ "$learnt" -ge 10 ] && [ "$learnt" -le "$raced" ] || fail "$learnt rules of $raced races: $(cat "$table")"

play MPIX_TUNING="$table"
[ "$(races)" -le 2 ] || fail "$(races) races with the table of the last run"
! grep -q 'is ignored' <<<"$output" || fail "$output"

play MPIX_TUNING_WRITE=/nowhere/at/all
[ "$(grep -c 'MPIX_TUNING_WRITE=/nowhere/at/all cannot be written: No such file or directory' <<<"$output")" = 1 ] ||
    fail "not told once of a file that cannot be written"

two='by [a-z_]+ takes [0-9.]+ us, by [a-z_]+ [0-9.]+ us, by the host [0-9.]+ us; taken: [a-z_]+$'
calls='(bcast|gather|scatter|allgather|alltoall|reduce|allreduce|reduce_scatter_block)'
program=$plain
for _ in 1 2 3; do # it may be that the host is the quickest everywhere
    play MPIX_TUNING_WRITE="$table"
    won=$(grep -E "^mpix: plain $calls of .* $two" <<<"$output" | grep -oE 'plain [a-z_]+|taken: [a-z_]+' | sed 's/.* //' | paste - - | sort)
    [ -z "$won" ] || break
done
[ -n "$won" ] || fail "no plan has won: $output"
[ "$(sed -E 's/^([a-z_]+) ranks 3 bytes [0-9]+(-[0-9]+)? nodes /\1\t/' "$table" | sort)" = "$won" ] ||
    fail "what has won is $won, and what is written: $(cat "$table")"
play MPIX_TUNING="$table"
while read -r call _; do
    bytes=$(sed -nE "s/^$call .* bytes ([0-9]+).*/\1/p" "$table")
    said=$(grep -E "^mpix: plain $call of [0-9]+ B: .* $two" <<<"$output" | sed -E 's/.* of ([0-9]+) B.*/\1/')
    for raced in $said; do
        for least in $bytes; do
            ((raced < least || raced >= 2 * least)) || fail "a $call of $raced B is raced among plans again"
        done
    done
done <<<"$won"
exit "$failed"
