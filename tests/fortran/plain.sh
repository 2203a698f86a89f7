#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# plain.sh RUNNER HOST LIBRARY PROGRAM: its collectives run on plans, and are right.
set -u
runner=$1 host=$2 library=$3 program=$4
said=$(bash "$runner" "$host" 3 30 "LD_PRELOAD=$library" MPIX_AUTO=1 MPIX_VERBOSE=plan -- "$program" \
    2>&1) || { echo "$said"; exit 1; }
for name in barrier bcast allreduce allgather; do
    grep -q "^mpix: $name of" <<<"$said" || { echo "$said"; echo "no plan of $name"; exit 1; }
done
