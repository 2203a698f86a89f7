#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tune.sh RUNNER HOST MPIX_TUNE PLAN_NAMES: mpix-tune writes a table that MPIX_TUNING takes, adds to
# one, and refuses to add to what is none. What is fastest is not tested. Two ranks.
set -u
runner=$1 host=$2 tune=$3 program=$4
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
table=$files/table
fail() { printf '%s\n' "$@"; exit 1; }
run() { bash "$runner" "$host" 2 60 "${variables[@]}" -- "$@"; }

# The library must not follow what is set while it is measured.
variables=(MPIX_PLAN=delegate "MPIX_TUNING=$files/none")
said=$(run "$tune" --quick --ops barrier,allreduce,neighbor_alltoallw --output "$table" 2>&1) ||
    fail 'does not run' "$said"
[[ $(grep -cE '^(barrier|allreduce|neighbor_alltoallw) +[0-9]+ ' <<<"$said") -eq 7 ]] ||
    fail 'not seven cells' "$said"
grep -qE '^[0-9]+ of 7 cells changed' <<<"$said" || fail 'no summary' "$said"
[[ $said != *mpix:* ]] || fail 'the library reads what is set' "$said"
# With MPIX_PLAN the one solver that needs a single node would not be taken.
head -n 1 "$table" | grep -qE '^# mpix-tune: 2 ranks, one node, ' ||
    fail 'no heading, or not of one node' "$(cat "$table")"

variables=()
run "$tune" --append --ops scan --sizes 8:8 --output "$table" >"$files/said" 2>&1 ||
    fail 'does not append' "$(cat "$files/said")"
[[ $(grep -c '^# mpix-tune: 2 ranks' "$table") -eq 2 ]] || fail 'nothing appended' "$(cat "$table")"

# So that there is a rule, whatever was measured.
echo 'allreduce ranks 2 bytes 8 allreduce_ring' >>"$table"
variables=("MPIX_TUNING=$table")
said=$(run "$program" 2>&1) || fail 'wrong answers' "$said"
[[ $said != *mpix:* ]] || fail 'the table is not taken' "$said" "$(cat "$table")"
grep -q '^allreduce 8 allreduce_ring$' <<<"$said" || fail 'the table is not followed' "$said"

variables=()
echo 'allreduce' >>"$table"
run "$tune" --append --ops scan --sizes 8:8 --output "$table" >"$files/said" 2>&1 &&
    fail 'appends to what is no table'
grep -q "^mpix-tune: $table: line [0-9]*: the solver is missing" "$files/said" ||
    fail 'does not say what is wrong' "$(cat "$files/said")"
run "$tune" --nonsense >"$files/said" 2>&1 && fail 'takes any argument'
run "$tune" --help 2>/dev/null | grep -q '^usage: ' || fail 'no help'
