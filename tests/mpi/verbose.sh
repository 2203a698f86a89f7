#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# verbose.sh RUNNER HOST PROGRAM: MPIX_VERBOSE=plan prints rank 0's plans alone, plan:all every
# rank's, and nothing is printed without it.
set -u
runner=$1 host=$2 program=$3
ranks() { bash "$runner" "$host" 2 20 "$@" -- "$program" 2>&1 | grep -oE '^mpix: .* rank [0-9]+ of 2' |
    grep -oE 'rank [0-9]+' | sort -u | tr '\n' ' '; }
[[ $(ranks MPIX_VERBOSE=plan) == 'rank 0 ' ]] || { echo 'plan: not rank 0 alone'; exit 1; }
[[ $(ranks MPIX_VERBOSE=plan:all) == 'rank 0 rank 1 ' ]] || { echo 'plan:all: not both ranks'; exit 1; }
[[ -z $(ranks MPIX_VERBOSE=) ]] || { echo 'plans printed unasked'; exit 1; }
