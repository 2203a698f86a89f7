#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# sanitized.sh RUNNER HOST LIBRARY SOURCE FLAGS: a program built with g++'s sanitizers runs on plans
# where the address sanitizer's library is preloaded first, which itself refuses any other order; an
# error of the program's is found under libmpix too. FLAGS compile for the host.
set -u
runner=$1 host=$2 library=$(realpath "$3") source=$4 flags=$5
# shellcheck source-path=SCRIPTDIR source=plans.sh
. "${0%/*}/plans.sh"
needs gcc
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT

build() { # SANITIZERS [OPTION...]
    # shellcheck disable=SC2086
    gcc -w -g -fsanitize="$1" "${@:2}" -o "$files/$1" "$source" $flags 2>/dev/null ||
        { echo "no $1 sanitizer here"; exit 77; }
}
# What hosts and their network libraries lose at the end is not the program's.
export ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=ignore_noninstrumented_modules=1
# UCX's hooks into mmap run on threads that the thread sanitizer does not know.
export UCX_MEM_EVENTS=n

build address
first=$(gcc -print-file-name=libasan.so)
bash "$runner" "$host" 2 30 "LD_PRELOAD=$first" -- "$files/address" >/dev/null 2>&1 ||
    { echo 'this host fails under the address sanitizer, without the library too'; exit 77; }
plans 2 30 "LD_PRELOAD=$first $library" -- "$files/address"
says 1 1 30 "LD_PRELOAD=$library" -- "$files/address"
sentences 1 'ASan runtime does not come first'
build undefined
plans 2 30 "LD_PRELOAD=$library" -- "$files/undefined"
build thread
plans 2 60 "LD_PRELOAD=$library" -- "$files/thread"

# An element behind an array of the program's.
sed 's/i < operations; i++) in\[i\]/i <= operations; i++) in[i]/' "$source" >"$files/wrong.c"
source=$files/wrong.c
build address
bash "$runner" "$host" 1 30 "LD_PRELOAD=$first $library" -- "$files/address" >"$files/output" 2>&1 &&
    fail 'a program that writes behind an array has succeeded'
grep -q 'AddressSanitizer: stack-buffer-overflow' "$files/output" ||
    fail "$(<"$files/output")" 'the address sanitizer has not found it'
