#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# install_modules.sh BUILT FOLDER: installs the compiled modules from BUILT; Meson calls it.
set -eu
mkdir -p "$MESON_INSTALL_DESTDIR_PREFIX/$2"
install -m 644 "$1"/mpix.mod "$1"/mpix_f08.mod "$MESON_INSTALL_DESTDIR_PREFIX/$2"
