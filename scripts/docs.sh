#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# docs.sh [FOLDER]: makes a site of the reference, the pages and the pictures, which can be searched
# and needs no network, and checks every link within it. It begins at FOLDER/html/index.html; FOLDER
# is build/docs.
set -eu
cd "$(dirname "$0")/.."
bash scripts/install.sh sphinx-common python3-sphinx python3-myst-parser furo
out=${1:-build/docs}
export PYTHONDONTWRITEBYTECODE=1

rm -rf "$out/source" "$out/html"
mkdir -p "$out/source"
python3 scripts/man.py sphinx "$out/source/reference"
# Pages keep their places, and so their links: the first of them is also where a reader arrives.
cp -R ./*.md docs "$out/source"
cat "$out/source/README.md" scripts/manual/contents.md >"$out/source/index.md"
rm "$out/source/README.md"

sphinx-build -b html -c scripts/manual -d "$out/doctrees" -j auto -n -W --keep-going -q \
    -D version="$(python3 scripts/man.py version)" "$out/source" "$out/html"
python3 scripts/manual/links.py "$out/html"
