#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# bits.sh RUNNER HOST BITS MANY_CORES: by default every run of reductions gives the same bits,
# whatever was measured; with MPIX_REPRODUCIBLE=1 also any placement, transport and table, and the
# other host, if its program is built too. Four ranks.
set -u
runner=$1 host=$2 program=$3 many_cores=$4
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
fail() { printf '%s\n' "$@"; exit 1; }
# NAME [VARIABLE...]: what a run prints goes into that file.
bits() { bits_of "$host" "$program" "$@"; }
bits_of() {
    bash "$runner" "$1" 4 120 MPIX_TEST_LIMIT=110 MPIX_YIELD=1 "${@:4}" -- "$2" >"$files/all" 2>&1 ||
        fail "fails with ${*:4}" "$(cat "$files/all")"
    grep '^bits: ' "$files/all" >"$files/$3" || fail 'prints nothing'
}
same() { # how, of what run
    cmp -s "$files/first" "$files/$2" ||
        fail "$1: bits differ" "$(diff "$files/first" "$files/$2" | head -n 20)"
}

# Ranks without a core each do not measure: so they are made to.
measuring=("LD_PRELOAD=$many_cores")
bits first "${measuring[@]}"
for run in 2 3 4; do
    bits next "${measuring[@]}"
    same "run $run" next
done
bits next "${measuring[@]}" MPIX_MEASURE=0
same 'without measuring' next

export MPIX_REPRODUCIBLE=1
bits first
bits next "${measuring[@]}"
same 'measured' next
cat >"$files/table" <<'.'
constant node.latency 30
allreduce allreduce_flat
reduce delegate
scan scan_chain
.
for variable in MPIX_NODE_SIZE=1 MPIX_NODE_SIZE=2 MPIX_NODE_SIZE=3 MPIX_TRANSPORT=host MPIX_CMA=0 \
    MPIX_PLAN=delegate MPIX_PLAN=allreduce_ring,reduce_scatter_ring,reduce_flat \
    "MPIX_TUNING=$files/table"; do
    bits next "$variable"
    same "$variable" next
done

other=mpich
[[ $host == mpich ]] && other=openmpi
others=${program/build\/$host\//build\/$other\/}
[[ $others != "$program" && -x $others ]] || exit 0
bits_of "$other" "$others" next
same "on $other" next
