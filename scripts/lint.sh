#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# lint.sh [--fix] [openmpi|mpich]: what clang-format and clang-tidy find in the sources, by .clang-format
# and .clang-tidy; with --fix the former is mended. clang-tidy reads the groups in which the library
# and the bench are compiled, so build.sh comes first. Returns non-zero if anything is found.
set -eu
cd "$(dirname "$0")/.."
bash scripts/install.sh clang-format clang-tidy
how=(--dry-run -Werror)
[ "${1-}" != --fix ] || { how=(-i) && shift; }
build=build/${1-openmpi}
[ -f "$build/build.ninja" ] || bash scripts/build.sh "${1-openmpi}"

failed=0
# Examples are written as their users would write them.
git ls-files -z -- {src,bench,tests,tools,fortran}/'*.'{c,h,cpp,hpp} | xargs -0 clang-format "${how[@]}" || failed=1

find "$build"/{libmpix.so.p,src/plan/libplan.a.p,bench/libbench.a.p} -name '*-unity*.cpp' -print0 |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy --quiet -p "$build" 2>&1 |
    grep -vE '^[0-9]+ warnings (generated|treated)|^$' && failed=1
[ "$failed" -eq 0 ] && echo "nothing found"
exit "$failed"
