#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# network.sh BETWEEN_TEST HOST PROGRAM: what a message between nodes takes is measured once by a program
# with one communicator; not with MPIX_MEASURE=0, and not where all are on one machine.
set -u
run=$1 host=$2 program=$3
failed=0
told() { # COUNT TEXT HOSTS RANKS [NAME=VALUE...]
    local wanted=$1 text=$2 hosts=$3 ranks=$4 output found
    shift 4
    output=$(bash "$run" "$host" "$hosts" "$ranks" 40 MPIX_VERBOSE=plan "$@" -- "$program" 2>&1)
    case $? in
    0) ;;
    77) printf '%s\n' "$output" && exit 77 ;;
    *) tail -n 40 <<<"$output" && failed=1 && return ;;
    esac
    found=$(grep -c "$text" <<<"$output")
    [ "$found" -eq "$wanted" ] && return
    printf '%s lines with "%s" on %s hosts of %s, and not %s: %s\n' \
        "$found" "$text" "$hosts" "$ranks" "$wanted" "$*"
    failed=1
}
told 1 'between nodes a message takes' 2 1
told 0 'between nodes a message takes' 2 1 MPIX_MEASURE=0
told 0 'between nodes a message takes' 1 2
exit "$failed"
