#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# killed.sh RUNNER HOST PROGRAM: after a rank was killed in the middle of its plans nothing of the
# run is left: no process, and so no segment, nor a name in /dev/shm. The launcher says that it was
# killed.
set -u
runner=$1 host=$2 program=$3
[[ $host != abi ]] || host=$MPIX_ABI_HOST
fail() { printf '%s\n' "$@"; exit 1; }

output=$(bash "$runner" --tell-left "$host" 3 20 -- "$program" '[.killed]' 2>&1)
status=$?
# Hydra of MPICH 4 returns the number of the signal alone.
[[ $status -eq 137 || ( $host == mpich && $status -eq 9 ) ]] ||
    fail "status $status, not that of a killed rank" "$output"
[[ $output != *LEFT:* ]] || fail 'the run leaves processes' "$output"
# Those that have left the session of the run are not swept.
for process in /proc/[0-9]*; do
    [[ $(readlink "$process/exe") != "$program" || $(<"$process/stat") == *') Z '* ]] ||
        fail "$process is left"
done
left=$(find /dev/shm -name '*mpix*')
[[ -z $left ]] || fail "left in /dev/shm: $left"
