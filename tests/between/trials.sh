#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# trials.sh BETWEEN_TEST HOST PROGRAM: operations whose messages leave the node are tried out against the
# host's own, once for each kind and size class; not with MPIX_MEASURE=0, not where somebody has chosen,
# and not where all are on one machine. PROGRAM finds its results right in any case.
set -u
run=$1 host=$2 program=$3
failed=0
trials() { # LEAST MOST HOSTS RANKS [NAME=VALUE...]
    local least=$1 most=$2 hosts=$3 ranks=$4 output found
    shift 4
    output=$(bash "$run" "$host" "$hosts" "$ranks" 50 MPIX_VERBOSE=plan MPIX_TEST_LIMIT=45 "$@" -- "$program" 2>&1)
    case $? in
    0) ;;
    77) printf '%s\n' "$output" && exit 77 ;;
    *) tail -n 40 <<<"$output" && failed=1 && return ;;
    esac
    found=$(grep -c 'between nodes: .* takes .* the host' <<<"$output")
    [ "$found" -ge "$least" ] && [ "$found" -le "$most" ] && return
    printf '%s trials on %s hosts of %s, and not %s to %s: %s\n' \
        "$found" "$hosts" "$ranks" "$least" "$most" "$*"
    failed=1
}
# Operations that there are, times the powers of two up to 4 MiB.
trials 5 350 2 1
trials 0 0 2 1 MPIX_MEASURE=0
trials 0 0 1 2
exit "$failed"
