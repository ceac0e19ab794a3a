#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Proves that a source tarball comes through the package client from either
# format of entries, that only the right bytes are accepted, that a second fetch
# needs no source at all, and that each failure says what to do: with a package
# archive of one tiny package in a folder.
set -euo pipefail

# shellcheck source=tools/workspace/expect.sh
source "$2"

readonly FETCH="${PWD}/$1"
readonly ROOT="${TEST_TMPDIR:-$(mktemp -d)}"
readonly TARBALL="marble_1.5.orig.tar.gz"

# Makes the archive, and prints nothing.
make_archive() {
  local archive="${ROOT}/archive"
  mkdir -p "${archive}/marble-1.5"
  echo "rolls" >"${archive}/marble-1.5/README"
  tar -C "${archive}" -czf "${archive}/${TARBALL}" marble-1.5
  local size sha256 md5
  size="$(stat -c %s "${archive}/${TARBALL}")"
  sha256="$(sha256sum "${archive}/${TARBALL}" | cut -d' ' -f1)"
  md5="$(md5sum "${archive}/${TARBALL}" | cut -d' ' -f1)"
  cat >"${archive}/Sources" <<END
Package: marble
Binary: marble
Version: 1.5-3
Maintainer: Nobody <nobody@example.org>
Architecture: any
Format: 3.0 (quilt)
Directory: .
Files:
 ${md5} ${size} ${TARBALL}
Checksums-Sha256:
 ${sha256} ${size} ${TARBALL}

END
}

# Fetches into a folder of its own, with the cache `$1`, the entries `$2`, the
# upstream version `$3` and the checksum `$4`. Prints what it says.
fetch() {
  rm -f "${ROOT}/fetched"
  XDG_CACHE_HOME="${ROOT}/$1" REPRISE_APT_DIR="${ROOT}/$2" \
    bash "${FETCH}" marble "$3" "${TARBALL}" "$4" "${ROOT}/fetched" 2>&1
}

make_archive
good="$(sha256sum "${ROOT}/archive/${TARBALL}" | cut -d' ' -f1)"
readonly good
readonly bad="0000000000000000000000000000000000000000000000000000000000000000"

mkdir -p "${ROOT}"/{empty,one_line,stanzas}/sources.list.d
echo "deb [trusted=yes] file:${ROOT}/archive ./" \
  >"${ROOT}/one_line/sources.list"
cat >"${ROOT}/stanzas/sources.list.d/local.sources" <<END
Types: deb
URIs: file:${ROOT}/archive
Suites: ./
Trusted: yes
END

expect "one-line entries are understood" "" \
  "$(fetch cache_1 one_line 1.5 "${good}")"
expect "stanzas are understood" "" "$(fetch cache_2 stanzas 1.5 "${good}")"
expect "a cached tarball needs no source" "" \
  "$(fetch cache_1 empty 1.5 "${good}")"
echo "other bytes" >"${ROOT}/cache_2/reprise/sources/${good}/${TARBALL}"
expect "a cached tarball of other bytes is fetched again" "" \
  "$(fetch cache_2 one_line 1.5 "${good}")"
expect "other bytes than pinned are refused" "*${good}, not ${bad}: do not*" \
  "$(fetch cache_3 one_line 1.5 "${bad}" || true)"
expect "a vanished version names what is offered" "*offers marble 1.5-3, and*" \
  "$(fetch cache_3 one_line 1.4 "${good}" || true)"
expect "an unreadable source says to check the network" "*Check the network*" \
  "$(fetch cache_3 empty 1.5 "${good}" || true)"

((failures == 0))
