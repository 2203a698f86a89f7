#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# installed.sh HOST LIBRARY: the package is installed by pip without a network, runs the example from
# there, and says what is missing where libmpix is not loaded.
set -eu
host=$1 library=$2
here=$(cd "$(dirname "$0")" && pwd)
python=$(PATH=/usr/bin:$PATH command -v python3)
if ! "$python" -c 'import setuptools, pip, venv, mpi4py' 2>/dev/null; then
    echo "no pip, setuptools, venv or mpi4py"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/../../python" "$work/source"
"$python" -m venv --system-site-packages --without-pip "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-index --no-build-isolation "$work/source" \
    </dev/null
export MPIX_PACKAGE
MPIX_PACKAGE=$(echo "$work"/venv/lib/python3*/site-packages)
diff -r --exclude __pycache__ "$work/source/mpix" "$MPIX_PACKAGE/mpix"

run() { # LIBRARY PROGRAM [argument...]
    bash "$here/run.sh" "$host" "$1" 2 60 -- "${@:2}" 2>&1
}
run "$library" "$work/source/examples/jacobi.py" 12 2 || exit
said=$(run '' "$work/source/examples/jacobi.py") && { echo "runs without libmpix" && exit 1; }
grep -q '^ImportError: .*mpix-run -n 4 python3 app.py' <<<"$said" || { echo "$said" && exit 1; }
