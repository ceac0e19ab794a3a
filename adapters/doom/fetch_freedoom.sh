#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Gets the levels of Freedoom 0.12.1 from Debian's package `freedoom`, through
# the system's own package client, and promises their SHA-256. Prints the folder
# that holds freedoom1.wad and freedoom2.wad; nothing is installed.
set -euo pipefail

readonly FOLDER="${XDG_CACHE_HOME:-${HOME}/.cache}/reprise/freedoom-0.12.1"

are_right() {
  [[ -d "$1" ]] && (cd "$1" && sha256sum --check --status) <<'END'
84c3a912f2973892a8025d09d65f5053b1ee2304968a5a172526d683a185b885  freedoom1.wad
c72de2af7e2d0c17f6213e751a167e2f1913278aaf37ae6957854fe3cd6588ca  freedoom2.wad
END
}

for folder in "${FOLDER}" /usr/share/games/doom; do
  if are_right "${folder}"; then
    echo "${folder}"
    exit 0
  fi
done

scratch="$(mktemp -d)"
trap 'rm -rf "${scratch}"' EXIT
if ! (cd "${scratch}" && apt-get -q download freedoom) \
  >"${scratch}/log" 2>&1; then
  echo "freedoom could not be downloaded: $(tail -n 1 "${scratch}/log")" >&2
  exit 3
fi
dpkg-deb --extract "${scratch}"/freedoom_*.deb "${scratch}/package"
if ! are_right "${scratch}/package/usr/share/games/doom"; then
  echo "freedoom's levels are not those of 0.12.1: put freedoom1.wad and" \
    "freedoom2.wad of that version into ${FOLDER}." >&2
  exit 3
fi
mkdir -p "${FOLDER}"
cp "${scratch}"/package/usr/share/games/doom/freedoom[12].wad "${FOLDER}"
echo "${FOLDER}"
