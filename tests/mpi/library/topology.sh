#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# topology.sh RUNNER HOST MPIX_INFO PROGRAM: ranks that are bound know what they share, as hwloc tells
# it, and measure what messages cost there; MPIX_TOPOLOGY puts them elsewhere, and is ignored with a
# word where it is none. Two ranks.
set -u
runner=$1 host=$2 info=$3 program=$4
fail() { printf '%s\n' "$@"; exit 1; }
run() { bash "$runner" "$host" 2 20 "$@" 2>&1; }

# Malformed: said once, and the ranks share memory as they did.
said=$(run MPIX_VERBOSE=plan MPIX_TOPOLOGY='socket:2 node:2' -- "$program")
[[ $(grep -c 'MPIX_TOPOLOGY is ignored' <<<"$said") -eq 1 ]] || fail 'not refused once' "$said"
grep -q 'staged' <<<"$said" || fail 'no shared memory after a malformed topology' "$said"
said=$(run MPIX_VERBOSE=plan MPIX_TOPOLOGY='node:2 socket:4 core:1' -- "$program")
grep -q 'staged' <<<"$said" || fail 'one node of four cores: no shared memory' "$said"
said=$(run MPIX_VERBOSE=plan MPIX_TOPOLOGY='node:2 core:1' -- "$program")
grep -q 'staged' <<<"$said" && fail 'two nodes: shared memory' "$said"
grep -q 'over the host' <<<"$said" || fail 'two nodes: nothing over the host' "$said"

# Each rank on a core of its own, of a machine that hwloc is told of. Something else may run on the
# core: then nothing is measured.
(($(nproc) < 2)) && exit 0
bound="exec taskset -c \$((\${PMI_RANK:-\${OMPI_COMM_WORLD_RANK:-0}} % 2)) $info"
measured() { # LINE TOPOLOGY
    for _ in {1..20}; do
        told=$(run HWLOC_SYNTHETIC="$2" HWLOC_THISSYSTEM=1 -- bash -c "$bound")
        grep -qE "^  $1 +[0-9.]+ us, [0-9.]+ GB/s" <<<"$told" && return
    done
    fail "$2: nothing measured $1" "$told"
}
measured 'within the node' 'pack:2 l3:1 core:1 pu:1'
grep -qE '^  this process +bound within a socket' <<<"$told" || fail 'not bound' "$told"
grep -qE '^  (at one cache|within a socket) +not measured' <<<"$told" || fail 'no such pair' "$told"
measured 'within a socket' 'pack:1 l3:2 core:1 pu:1'
measured 'at one cache' 'pack:1 l3:1 core:2 pu:1'
