#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# preloads.sh RUNNER HOST LIBRARY PROGRAM: with other libraries in the preload line, before libmpix and
# behind it: allocators, and those that stdbuf and fakeroot add. What is missing is left out.
set -u
runner=$1 host=$2 library=$(realpath "$3") program=$4
# shellcheck source-path=SCRIPTDIR source=plans.sh
. "${0%/*}/plans.sh"

tried=0
for name in libjemalloc.so.2 libtcmalloc_minimal.so.4; do
    other=$(ldconfig -p | sed -n "s/.*$name .*=> //p" | head -n 1)
    [[ -n $other ]] || continue
    plans 2 20 "LD_PRELOAD=$other $library" -- "$program"
    plans 2 20 "LD_PRELOAD=$library $other" -- "$program"
    tried=$((tried + 1))
done
for command in 'stdbuf -oL' fakeroot; do
    command -v "${command%% *}" >/dev/null || continue
    # shellcheck disable=SC2086
    plans 2 20 "LD_PRELOAD=$library" -- $command "$program"
    tried=$((tried + 1))
done
[[ $tried -gt 0 ]] || { echo 'none of these is here'; exit 77; }
