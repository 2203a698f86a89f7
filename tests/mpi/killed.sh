#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# killed.sh RUNNER HOST PROGRAM: after a rank was killed in the middle of its plans nothing of the
# run is left: no process, and so no segment, nor a name in /dev/shm.
set -u
runner=$1 host=$2 program=$3
bash "$runner" --must-fail "$host" 3 20 -- "$program" '[.killed]' || exit 1
for process in /proc/[0-9]*; do
    [[ $(readlink "$process/exe") == "$program" && $(<"$process/stat") != *') Z '* ]] || continue
    echo "$process is left" && exit 1
done
left=$(find /dev/shm -name '*mpix*')
[[ -z $left ]] || { echo "left in /dev/shm: $left" && exit 1; }
