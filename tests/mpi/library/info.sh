#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# info.sh RUNNER HOST MPIX_INFO SOURCES: mpix-info names every variable, info key and solver that
# the sources have, alone and once under mpirun, and shows what the environment says. docs/variables.md has
# a row for each variable and key.
set -u
runner=$1 host=$2 program=$3 sources=$4
fail() { printf "%s\n" "$@"; exit 1; }
under_mpirun() { bash "$runner" "$host" 2 20 "$@" -- "$program" 2>/dev/null; }
rows() { grep -oE "^$1\((\w+)" "$sources/$2" | cut -d'(' -f2; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

variables=$(rows 'SETTING(_WORD)?' base/settings.def)
keys=$(rows INFO_KEY library/info_keys.def)
solvers=$(sed -n 's/^SOLVER(\(.*\))$/\1/p' "$sources/plan/solvers.def")
[[ -n $variables && -n $keys && -n $solvers ]] || fail 'no names in the sources'

for name in $variables $keys; do
    grep -qE "^\| \`$name\` \|" "$sources/../docs/variables.md" || fail "not in docs/variables.md: $name"
done

drawn=$(timeout -k 5 20 "$program" plan --op barrier --ranks 2 2>&1) || fail 'does not draw a plan' "$drawn"
[[ $drawn == "$("${program%/*}/mpix-simulate" plan --op barrier --ranks 2)" ]] || fail 'draws another plan' "$drawn"

alone=$(timeout -k 5 20 "$program" </dev/null) || fail 'fails alone'
together=$(under_mpirun MPIX_YIELD=maybe MPIX_VERBOSE=plan MPIX_TRANSPORT=hots MPIX_WAIT=park) || fail 'fails under mpirun'
for text in "$alone" "$together"; do
    for name in $variables $keys; do
        [[ $(grep -cE "^  $name  " <<<"$text") -eq 1 ]] || fail "not there once: $name"
    done
    for name in $solvers; do
        [[ $(grep -ow "$name" <<<"$text" | wc -l) -eq 1 ]] || fail "not there once: $name"
    done
    for fact in '^mpix [0-9]' '^host: .*MPI' 'ABI  *the (host|standard)' \
        'messages of the host  *[a-z]' 'shared segment  *[yn]' 'other processes  *[yn]' \
        'progress hook  *(opal|ucp|none)' 'thread level  *MPI_THREAD_SINGLE$' 'kernels  *(base|x86)'; do
        grep -qE "$fact" <<<"$text" || fail "not there: $fact"
    done
done
grep -q 'is ignored' <<<"$alone" && fail 'something is ignored that nobody has set'
grep -qE '^  MPIX_YIELD .* is unset; maybe is ignored: it must be 0 or 1$' <<<"$together" ||
    fail 'a malformed value is not shown'
line='^  MPIX_TRANSPORT  node or host, .* is "node"; hots is ignored: it must be node or host$'
grep -qE "$line" <<<"$together" || fail 'a word that is none of its variable is not shown'
grep -qE '^  MPIX_WAIT  poll or park, default "poll", is "park"$' <<<"$together" ||
    fail 'a word is not shown'
said=$(bash "$runner" "$host" 1 20 MPIX_TRANSPORT=hots MPIX_WAIT=bark -- "$program" 2>&1 >/dev/null)
for wanted in 'TRANSPORT=hots is ignored: it must be node or host' \
    'WAIT=bark is ignored: it must be poll or park'; do
    [[ $(grep -cx "mpix: MPIX_$wanted" <<<"$said") -eq 1 ]] || fail "not said once: $wanted"
done
grep -qE '^  MPIX_VERBOSE .* is "plan"$' <<<"$together" || fail 'a value is not shown'
under_mpirun MPIX_CMA=0 | grep -q 'other processes  *not used: MPIX_CMA=0$' || fail 'MPIX_CMA=0'
"$program" --nonsense 2>/dev/null
[[ $? -eq 64 ]] || fail 'takes any argument'

# What an operation has to choose from, the cheapest first; what is taken; how the race ends.
explained=$(bash "$runner" "$host" 2 30 -- "$program" --explain allreduce 256K 2>&1) || fail "$explained"
for wanted in '^mpix: by the model: allreduce_[a-z_]+ [0-9.]+ us, allreduce_[a-z_]+ [0-9.]+ us' \
    '^mpix: allreduce of 262144 B, rank 0 of 2: allreduce_.*; raced with ([a-z_]+ and )?the host$' \
    '^mpix: MPI_Allreduce_init of 262144 B within the node: a round by .*, by the host .*; taken: ' \
    '^(allreduce_[a-z_]+|delegate)$'; do
    grep -qE "$wanted" <<<"$explained" || fail "not explained: $wanted" "$explained"
done
"$program" --explain allreduce many 2>/dev/null
[[ $? -eq 64 ]] || fail 'takes any number of bytes'
"$program" --explain nothing 8 2>/dev/null
[[ $? -eq 1 ]] || fail 'takes any operation'
