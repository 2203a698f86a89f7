#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# misuse.sh RUNNER HOST LIBRARY MISUSE RANKS: what a program is told of its wrong arguments is the
# same bare, under the library, and with plain collectives on plans, and it goes on.
set -u
runner=$1 host=$2 library=$3 misuse=$4 ranks=$5
told=$(mktemp -d)
trap 'rm -rf "$told"' EXIT
for way in bare preloaded planned; do
    variables=()
    [[ $way == bare ]] || variables=("LD_PRELOAD=$library")
    [[ $way != planned ]] || variables+=(MPIX_AUTO=1)
    mkdir "$told/$way"
    if ! bash "$runner" "$host" "$ranks" 60 "${variables[@]}" -- "$misuse" "$told/$way" \
        >"$told/output" 2>&1; then
        head -n 5 "$told/output"
        echo "$way, after $(tail -qn 1 "$told/$way/0")"
        exit 1
    fi
done
[[ $(grep -c 'class' "$told/bare/0") -gt 100 ]] || { echo 'told next to nothing'; exit 1; }
for ((rank = 0; rank < ranks; rank++)); do
    for way in preloaded planned; do
        differs=$(paste -d'|' "$told/bare/$rank" "$told/$way/$rank" |
            awk -F'|' '$1 !~ /: crashes$/ && $1 != $2')
        [[ -z $differs ]] || { echo "$way: $differs"; exit 1; }
    done
done
