#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# packages.sh [--try]: builds the Debian packages of this tree, as git knows it, by packaging/debian, has
# lintian look for errors and warnings, and leaves them in build/packages. With --try it then installs
# them in a new minimal Debian of this release (root, a mirror and 3 GB needed), runs the demo out of
# them, and purges them; the last line is "N passed, N failed".
set -eu
cd "$(dirname "$0")/.."
case ${1-} in
'' | --try) ;;
*) sed -n '4,7s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
bash scripts/install.sh build-essential debhelper dh-python dpkg-dev git lintian pybuild-plugin-pyproject \
    python3-all python3-setuptools

version=$(sed -n 's/^#define MPIX_VERSION "\(.*\)"$/\1/p' include/mpix/library.h)
packaged=$(dpkg-parsechangelog -l packaging/debian/changelog -S Version)
if [ "${packaged%-*}" != "$version" ]; then
    echo "packages.sh: this is mpix $version, and packaging/debian/changelog has $packaged" >&2
    exit 1
fi

out=$PWD/build/packages
source=$out/mpix-$version
rm -rf "$out"
mkdir -p "$source"
# What is changed and not committed belongs to it.
changed=$(git -c user.name=mpix -c user.email=mpix stash create)
git archive "${changed:-HEAD}" | tar -x -C "$source"
cp -R "$source/packaging/debian" "$source/debian"

log=$out/build.log
echo "building mpix $packaged; the log is $log"
# What stands before the system's own commands is not what the packages are for.
(cd "$source" && PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    dpkg-buildpackage -us -uc -b -J"$(nproc)") >"$log" 2>&1 </dev/null || { tail -n 30 "$log" >&2 && exit 1; }
# No bug of Debian's asked for these packages.
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$out"/*.changes
echo "built $(cd "$out" && echo *.deb)"
[ "${1-}" = --try ] || exit 0

# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
minimal=$PWD/.cache/hosts/$release-minimal
archives=$minimal-archives # what was downloaded once
bash scripts/chroot.sh make "$release" "$minimal"
mkdir -p "$archives/partial"
trial=$(mktemp -d "$minimal.XXXXXX")
trap 'rm -rf --one-file-system "$trial"' EXIT
cp -a "$minimal/." "$trial"
bash scripts/chroot.sh enter "$trial" "$out:/packages" "$archives:/var/cache/apt/archives" -- \
    bash "/packages/mpix-$version/tests/packaging/packages.sh" /packages
