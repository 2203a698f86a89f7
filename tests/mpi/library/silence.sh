#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# silence.sh MPIRUN_TEST HOST LEAKS: programs with partitioned operations that are used, or made and
# freed unused, end in time and print nothing on stderr: no message is left unread for a host to
# warn of.
set -eu
run=$1 host=$2 leaks=$3

errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
for variables in MPIX_TRANSPORT=node MPIX_TRANSPORT=host; do
    for what in "partitioned 60" "unused 1" "unused 500"; do
        for ranks in 1 2 3; do
            if ! bash "$run" "$host" "$ranks" 10 "$variables" -- "$leaks" $what \
                >/dev/null 2>"$errors" || [ -s "$errors" ]; then
                echo "$variables, $what, $ranks ranks:"
                head -n 5 "$errors"
                exit 1
            fi
        done
    done
done
