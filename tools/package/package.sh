#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Makes the Debian packages: `reprise`, `libreprise-dev`, `python3-reprise`. Twice
# from one commit, they have the same bytes. `tools/dev package` calls it.
#
# usage: package.sh FOLDER     where they go
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
mkdir -p "$1"
output="$(realpath "$1")"
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.."
source tools/stage.sh
readonly HERE="tools/package"

stage build bazel build //tools/reprise //tools/package:reprise
program=bazel-bin/tools/reprise/reprise
version="$("${program}" --version | awk 'NR == 1 { print $2 }')"
triplet="$(dpkg-architecture -qDEB_HOST_MULTIARCH)"
SOURCE_DATE_EPOCH="$(git -c safe.directory="${PWD}" log -1 --format=%ct)"
export SOURCE_DATE_EPOCH
folder="$(mktemp -d)"
trap 'rm -rf "${folder}"' EXIT
tree="${folder}/reprise-${version}"
mkdir -p "${tree}/stage"
cp -r "${HERE}/debian" "${tree}/"

# Puts files below a folder of a package. Arguments: mode, folder, file...
put() {
  install -D -m "$1" -t "${tree}/stage/$2" "${@:3}"
}

# Prints a template with what is written in it as @NAME@.
fill() {
  sed -e "s|@VERSION@|${version}|g" -e "s|@TRIPLET@|${triplet}|g" \
    -e "s|@MAJOR@|$(cut -d. -f1 <<<"${version}")|g" \
    -e "s|@MINOR@|$(cut -d. -f2 <<<"${version}")|g" \
    -e "s|@COPTS@|-std=c++20 ${copts[*]}|g" \
    -e "s|@COPTS_LIST@|$(tr ' ' ';' <<<"${copts[*]}")|g" \
    -e "s|@LIBRARIES@|${libraries[*]}|g" \
    -e "s|@LIBRARIES_LIST@|$(tr ' ' ';' <<<"${libraries[*]#-l}")|g" "$1"
}

# Prints the packages that libraries of Debian's come from, -l flags; what comes
# with every compiler aside.
packages_of() {
  local flag file
  for flag in "$@"; do
    file="$(g++ -print-file-name="lib${flag#-l}.so")"
    [[ "${file}" == /* ]] || continue
    file="$(realpath --no-symlinks "${file}")"
    [[ "${file}" != /usr/lib/gcc/* ]] || continue
    dpkg -S "${file}" 2>/dev/null || dpkg -S "/usr${file}"
  done | cut -d: -f1 | sort -u | paste -sd, | sed 's/,/, /g'
}

# The command, and what ships with it.
put 755 reprise/usr/bin "${program}"
chmod u+w "${tree}/stage/reprise/usr/bin/reprise"
mkdir -p "${tree}/stage/reprise/usr/share/reprise"
cp -r --no-preserve=mode sim/packs "${tree}/stage/reprise/usr/share/reprise/"
find "${tree}/stage/reprise" -name BUILD.bazel -delete
python3 "${HERE}/make_manual.py" "${program}" \
  "$(date --utc --date="@${SOURCE_DATE_EPOCH}" +%Y-%m-%d)" >"${tree}/debian/reprise.1"
echo debian/reprise.1 >"${tree}/debian/reprise.manpages"
sed 's|/usr/local/bin|/usr/bin|' docs/examples/operating/reprise.service \
  >"${tree}/debian/reprise.service"

# What one links with.
library=bazel-bin/tools/package
mapfile -t libraries <"${library}/reprise.flags"
mapfile -t copts <"${library}/reprise.copts"
development=libreprise-dev/usr
put 644 "${development}/include/reprise" include/reprise/*.h
while read -r header; do
  put 644 "${development}/include/reprise/$(dirname "${header}")" "${header}"
done < <(python3 "${HERE}/list_headers.py" "${library}/reprise.headers")
put 644 "${development}/lib/${triplet}" "${library}/libreprise.a"
for module in reprise reprise-plugin; do
  mkdir -p "${tree}/stage/${development}/lib/${triplet}/pkgconfig"
  fill "${HERE}/${module}.pc.in" \
    >"${tree}/stage/${development}/lib/${triplet}/pkgconfig/${module}.pc"
done
for file in RepriseConfig RepriseConfigVersion; do
  mkdir -p "${tree}/stage/${development}/lib/${triplet}/cmake/Reprise"
  fill "${HERE}/${file}.cmake.in" \
    >"${tree}/stage/${development}/lib/${triplet}/cmake/Reprise/${file}.cmake"
done
examples="libreprise-dev/usr/share/doc/libreprise-dev/examples"
put 644 "${examples}" docs/examples/installed/CMakeLists.txt \
  docs/examples/hover/hover.cc docs/examples/plugin/catch.c \
  docs/examples/recording/volley.c
mkdir -p "${tree}/stage/${examples}/packs"
cp -r --no-preserve=mode docs/examples/hover/pack "${tree}/stage/${examples}/packs/hover"
cp -r --no-preserve=mode docs/examples/plugin/orchard "${tree}/stage/${examples}/packs/"
find "${tree}/stage/${examples}" -name BUILD.bazel -delete

# The client.
python=python3-reprise/usr/lib/python3/dist-packages
clients/python/make_package.sh "${tree}/stage/${python}" \
  >"${folder}/python.log" 2>&1
put 644 python3-reprise/usr/share/doc/python3-reprise/examples \
  clients/python/examples/marble.py

for package in reprise libreprise-dev python3-reprise; do
  echo "stage/${package}/* /" >"${tree}/debian/${package}.install"
done
sed -i "s/@LIBRARIES@/$(packages_of "${libraries[@]}")/" "${tree}/debian/rules"
cat >"${tree}/debian/changelog" <<EOF
reprise (${version}) unstable; urgency=medium

  * Made by tools/dev package; CHANGELOG.md says what is new.

 -- The Reprise Authors <reprise@example.org>  $(date --utc --rfc-email --date="@${SOURCE_DATE_EPOCH}")
EOF
cp CHANGELOG.md "${tree}/debian/NEWS.md"
echo debian/NEWS.md >"${tree}/debian/reprise.docs"

pack() {
  (cd "${tree}" && dpkg-buildpackage --build=binary --no-sign \
    --no-check-builddeps)
}
stage package pack
stage lintian lintian --fail-on error,warning --info "${folder}"/*.deb
mv "${folder}"/*.deb "${output}/"
ls -l "${output}"/*.deb
