#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# whole_trace.sh CHECK RUNNER HOST RANKS SECONDS [VARIABLE=VALUE...] -- PROGRAM [ARGUMENT...]: the
# program passes with MPIX_TRACE, and in what CHECK finds there all rounds end and all messages have
# both ends.
set -u
check=$1 runner=$2 host=$3 ranks=$4 seconds=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bash "$runner" "$host" "$ranks" "$seconds" MPIX_TRACE="$folder/trace.json" \
    MPIX_TRACE_EVENTS=2000000 "${@:6}" || exit 1
python3 -B "$check" "$folder/trace.json" "$ranks" any=1
