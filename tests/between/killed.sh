#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# killed.sh BETWEEN_TEST HOST PROGRAM: when a rank on one host is killed in the middle of its plans,
# the launcher ends the job on the others too, and no process of it is left on any.
set -u
run=$1 host=$2 program=$3
output=$(bash "$run" --tell-left "$host" 3 2 40 -- "$program" '[.killed]' 2>&1)
status=$?
case $status in
77) printf '%s\n' "$output" && exit 77 ;;
0 | 124) printf '%s\nstatus %s, not that of a killed rank\n' "$output" "$status" && exit 1 ;;
esac
[[ $output != *LEFT:* ]] || { printf '%s\nthe run leaves processes\n' "$output" && exit 1; }
