#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# shrinks.sh HOST DIRECTORY SEED OPERATION: a program in which an operation receives spoiled data
# fails, is left with little more than that operation, and fails again by the printed command.
set -u
cd "$(dirname "$0")/../.."
export FUZZ_PROGRAM_DIR=$2
output=$(bash scripts/fuzz.sh --host "$1" --ranks 2 --seed "$3" --batch 1 --programs 1 --break "$4")
status=$?

complain() {
    printf '%s\n%s\n' "$output" "$1"
    exit 1
}
[ $status -eq 1 ] || complain "fuzz.sh returned $status"
grep -q '^1 programs, 1 failed$' <<<"$output" || complain "the failure is not counted"
[ "$(grep -c '^    item ' <<<"$output")" -le 6 ] || complain "it was not shrunk"
grep -q "^    item [0-9]*: init operation $4:" <<<"$output" || complain "the operation is gone"
command=$(sed -n 's/^  repeat: //p' <<<"$output")
$command >/dev/null 2>&1 && complain "the printed command succeeds"
exit 0
