#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# hosts.sh RELEASE [COMMAND...]: runs a command, or the quick tests, in this tree on another release of
# Debian with its compiler and its hosts: trixie or sid. The first call makes it with debootstrap, in
# .cache/hosts, which takes a few minutes and 3 GB. It has build folders of its own. Needs root.
#
#   hosts.sh trixie                             # builds, and runs the suite quick on all hosts; then
#                                               # programs with the libraries that were built outside
#   hosts.sh trixie bash scripts/test.sh --full
#   hosts.sh trixie bash                        # to look around
set -eu
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then
    sed -n '4,11p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 64
fi
release=$1
shift
[ $# -gt 0 ] || set -- bash -c 'bash scripts/test.sh && bash scripts/older.sh /older'

root=$PWD/.cache/hosts/$release
bash scripts/chroot.sh make "$release" "$root"
mkdir -p "$root-build" build
# shellcheck disable=SC2016
exec bash scripts/chroot.sh enter "$root" "$PWD/build:/older" "$PWD:/mpix" "$root-build:/mpix/build" -- \
    bash -c 'cd /mpix && exec "$@"' hosts.sh "$@"
