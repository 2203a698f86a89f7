#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tuning.sh RUNNER HOST PLAN_NAMES: a table of MPIX_TUNING is followed; the info key mpix_plan goes
# before it, and MPIX_PLAN before both; ranks with different tables or with a malformed one choose
# as if there were none, and that is said once. Two ranks.
set -u
export MPIX_MEASURE=0
runner=$1 host=$2 program=$3
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
fail() { printf '%s\n' "$@"; exit 1; }
run() { bash "$runner" "$host" 2 20 "${variables[@]}" -- "$@"; }
# Says what is printed, and fails if the answers are wrong. What mpix says is kept.
plans() { wished '' "$@"; }
# With a value of the info key.
wished() {
    variables=("${@:2}")
    run "$program" ${1:+"$1"} 2>"$files/said" || { cat "$files/said"; return 1; }
}
# Each rank with a value of its own of the variable.
plans_of_each() {
    variables=()
    run bash -c "export $1=\"\$([[ \${OMPI_COMM_WORLD_RANK-\${PMI_RANK-}} == 0 ]] && echo $2 || echo $3)\"
        exec $program" 2>"$files/said" || { cat "$files/said"; return 1; }
}
lines_said() { grep -c '^mpix: ' "$files/said"; }
expect() { # what, how it should be, how it is
    [[ $2 == "$3" ]] || fail "$1: expected" "$2" 'got' "$3" "$(cat "$files/said")"
}

usual=$(plans) || fail 'fails without a table' "$usual"
[[ $usual != *allreduce_ring* && $usual != *delegate* ]] || fail 'the tables would change nothing'

cat >"$files/table" <<'.'
# for two ranks
constant node.latency 0.3
allreduce ranks 2 bytes 0-4095 allreduce_ring
allreduce ranks 3 delegate
allreduce bytes 65536- delegate
bcast bcast_chain
.
table=$files/table
followed='allreduce 8 allreduce_ring
'$(sed -n 2p <<<"$usual")'
allreduce 65536 delegate
allreduce 8 allreduce_ring'
expect 'a table' "$followed" "$(plans "MPIX_TUNING=$table")"
expect 'nothing said' 0 "$(lines_said)"
forced=$(plans "MPIX_TUNING=$table" MPIX_PLAN=allreduce_recursive_doubling)
expect 'MPIX_PLAN goes first' 4 "$(grep -c 'allreduce_recursive_doubling$' <<<"$forced")"
every_sum() { printf 'allreduce %s\n' "8 $1" "4096 $1" "65536 $1" "8 $1"; }
echo 'allreduce delegate' >"$files/other"
expect 'the info goes before a table' "$(every_sum allreduce_ring)" \
    "$(wished allreduce_ring "MPIX_TUNING=$files/other")"
expect 'MPIX_PLAN goes before both' "$(every_sum allreduce_recursive_doubling)" \
    "$(wished allreduce_ring "MPIX_TUNING=$files/other" MPIX_PLAN=allreduce_recursive_doubling)"
expect 'a word that is no solver' "$usual" "$(plans MPIX_PLAN=allreduce=ring,delegated,bcast_chain)"
expect 'what is told of it' "$(printf 'mpix: %s in MPIX_PLAN is ignored: it is no solver\n' \
    allreduce=ring delegated)" "$(grep '^mpix: ' "$files/said")"
expect 'delegation too' "$(every_sum delegate)" "$(wished allreduce_ring MPIX_PLAN=delegate)"
expect 'a solver that does not fit' "$followed" "$(wished bcast_chain "MPIX_TUNING=$table")"
expect 'nothing said of it' 0 "$(lines_said)"
expect 'no solver' "$followed" "$(wished nonsense "MPIX_TUNING=$table")"
expect 'a line of it on each rank, in four inits' 2 \
    "$(grep -c '^mpix: info mpix_plan=nonsense is ignored: it must be ' "$files/said")"
expect 'and no other' 2 "$(lines_said)"

printed=$(plans "MPIX_TUNING=$table" MPIX_VERBOSE=plan; cat "$files/said")
[[ $printed == *'rank 0 of 2: allreduce_ring'* ]] || fail 'MPIX_VERBOSE does not name the solver'

# Microseconds that the first plan is expected to take.
expected_us() {
    plans "MPIX_TUNING=$1" MPIX_VERBOSE=plan >/dev/null
    sed -nE 's/^mpix: allreduce of 8 B, .* ([0-9]+)\.[0-9] us expected$/\1/p' "$files/said" |
        head -n 1
}
echo 'constant node.latency 1000' >"$files/other"
[[ $(expected_us "$table") -lt 100 ]] || fail 'a plan takes long' "$(cat "$files/said")"
[[ $(expected_us "$files/other") -ge 1000 ]] || fail 'node.latency is ignored' "$(cat "$files/said")"

sed 's/4095/4/' "$table" >"$files/other"
expect 'different tables' "$usual" "$(plans_of_each MPIX_TUNING "$table" "$files/other")"
expect 'one line for them' 1 "$(lines_said)"
expect 'a table on rank 1' "$usual" "$(plans_of_each MPIX_TUNING '' "$table")"
expect 'one line for it' 1 "$(lines_said)"
{ echo '# the same'; cat "$table"; } >"$files/other"
expect 'equal tables' "$followed" "$(plans_of_each MPIX_TUNING "$table" "$files/other")"
expect 'nothing said of them' 0 "$(lines_said)"
expect 'different MPIX_PLAN' "$usual" "$(plans_of_each MPIX_PLAN allreduce_ring delegate)"
expect 'one line for those' 1 "$(lines_said)"

echo 'allreduce size 8 delegate' >>"$table"
expect 'a malformed table' "$usual" "$(plans "MPIX_TUNING=$table")"
expect 'its fault' "mpix: MPIX_TUNING=$table is ignored: line 7: 'size' is no solver" \
    "$(grep '^mpix: ' "$files/said")"
for name in "$files/none" "$files"; do
    expect 'no table' "$usual" "$(plans "MPIX_TUNING=$name")"
    expect 'its fault, once' 1 "$(grep -c "MPIX_TUNING=$name is ignored: cannot be read: " "$files/said")"
done
