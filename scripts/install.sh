#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# install.sh [PACKAGE...]: installs the Debian packages that building, testing and the demo need, and
# those named. As root it calls apt-get; otherwise it prints the line to run and fails. Quick when
# nothing is missing.
set -eu

packages=(g++ gfortran openmpi-bin libopenmpi-dev mpich libmpich-dev meson ninja-build pkg-config
          catch2 libboost-dev libhwloc-dev python3 "$@")

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ]; then
    echo "Missing packages. Run: sudo apt-get install ${missing[*]}" >&2
    exit 1
fi
echo "Installing ${missing[*]}"
log=$(mktemp)
if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
       "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    exit 1
fi
rm -f "$log"
