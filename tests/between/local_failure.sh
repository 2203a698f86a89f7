#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# local_failure.sh BETWEEN_TEST HOST PROGRAM: where one rank of one host cannot map the memory of the
# others of its node, they go on without it, the other host has lost nothing, and one line says why.
# How large /dev/shm is makes no difference.
set -u
run=$1 host=$2 program=$3
fail() { printf '%s\n' "$@" && exit 1; }

# Its own memory fits into these 8 GB, and what others reserve does not.
limited='rank=${OMPI_COMM_WORLD_RANK-$PMI_RANK}; [ "$rank" != 1 ] || ulimit -v 8000000; exec "$0" "requests outlive*"'
for size in 2g 32m; do
    output=$(BED_SHM=$size bash "$run" "$host" 2 3 40 MPIX_VERBOSE=plan:all -- \
        bash -c "$limited" "$program" 2>&1)
    case $? in
    0) ;;
    77) printf '%s\n' "$output" && exit 77 ;;
    *) fail "$output" "it fails with /dev/shm of $size" ;;
    esac
    for rank in 0 1 2 3 4 5; do
        staged=$(grep "rank $rank of 6" <<<"$output" | grep -c staged)
        [[ $rank -eq 1 ]] && wanted=0 || wanted=1
        [[ $((staged > 0)) -eq $wanted ]] || fail "$output" "rank $rank shares memory in $staged plans"
    done
    said=$(grep -c 'messages go over the host: that of others cannot be mapped' <<<"$output")
    [[ $said -eq 1 ]] || fail "$output" "said $said times"
done
