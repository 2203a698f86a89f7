#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# verbose.sh RUNNER HOST PROGRAM: MPIX_VERBOSE=plan prints rank 0's plans alone, plan:all every
# rank's, and nothing is printed without it. A plan tells how its messages travel.
set -u
runner=$1 host=$2 program=$3
ranks() { bash "$runner" "$host" 2 20 "$@" -- "$program" 2>&1 | grep -oE '^mpix: .* rank [0-9]+ of 2' |
    grep -oE 'rank [0-9]+' | sort -u | tr '\n' ' '; }
[[ $(ranks MPIX_VERBOSE=plan) == 'rank 0 ' ]] || { echo 'plan: not rank 0 alone'; exit 1; }
[[ $(ranks MPIX_VERBOSE=plan:all) == 'rank 0 rank 1 ' ]] || { echo 'plan:all: not both ranks'; exit 1; }
[[ -z $(ranks MPIX_VERBOSE=) ]] || { echo 'plans printed unasked'; exit 1; }
ways() { bash "$runner" "$host" 2 20 MPIX_VERBOSE=plan "$@" -- "$program" 2>&1 |
    sed -nE 's/^mpix: allreduce .* of 2: [a-z_]+, (.*), [0-9]+ steps.* us expected$/\1/p'; }
[[ $(ways) =~ ^[0-9]+\ messages?\ staged\ in\ 4\ B$ ]] || { echo 'plan: not staged'; exit 1; }
[[ $(ways MPIX_TRANSPORT=host) =~ ^[0-9]+\ messages?\ over\ the\ host$ ]] ||
    { echo 'plan: not over the host'; exit 1; }
[[ $(ways MPIX_VERBOSE=1) == '' ]] || { echo 'plans printed where something else is asked for'; exit 1; }
