#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Gets the upstream tarball of a Debian source package through the system's own
# package client, and promises that what it leaves behind has the SHA-256 asked
# for. It needs no root, and changes nothing of the system's package lists.
#
# usage: fetch_debian_source.sh PACKAGE UPSTREAM_VERSION TARBALL SHA256 TARGET
#
# A tarball once verified is kept in ~/.cache/reprise/sources (or below
# $XDG_CACHE_HOME), so that the next checkout needs no network.
set -euo pipefail

readonly PACKAGE="$1" VERSION="$2" TARBALL="$3" SHA256="$4" TARGET="$5"

fail() {
  echo "$*" >&2
  exit 1
}

has_right_checksum() {
  [[ -f "$1" ]] && [[ "$(sha256sum "$1" | cut -d' ' -f1)" == "${SHA256}" ]]
}

# Writes the system's package sources, turned from `deb` into `deb-src`, into
# the folder $1. Keys and options stay as they are.
copy_entries_as_source_entries() {
  local apt_dir="${REPRISE_APT_DIR:-/etc/apt}" file
  for file in "${apt_dir}"/sources.list "${apt_dir}"/sources.list.d/*.list; do
    [[ -f "${file}" ]] || continue
    sed -nE 's/^[[:space:]]*deb(-src)?([[:space:]])/deb-src\2/p' "${file}"
  done | sort -u >"$1/one_line.list"
  for file in "${apt_dir}"/sources.list.d/*.sources; do
    [[ -f "${file}" ]] || continue
    sed -E 's/^Types:.*/Types: deb-src/I' "${file}" >"$1/$(basename "${file}")"
  done
}

# Prints the newest version of the package whose upstream part is the one asked
# for, or nothing.
find_version() {
  { client apt-cache --only-source showsrc "${PACKAGE}" 2>/dev/null || true; } |
    sed -n 's/^Version: //p' | sort -uV |
    awk -v upstream="${VERSION}-" 'index($0, upstream) == 1' | tail -n 1
}

# Runs a command of the package client on the private lists.
client() {
  local command="$1"
  shift
  "${command}" -q \
    -o Dir::Etc::sourcelist=/dev/null \
    -o Dir::Etc::sourceparts="${scratch}/parts" \
    -o Dir::State="${scratch}/state" \
    -o Dir::State::status=/var/lib/dpkg/status \
    -o Dir::Cache="${scratch}/cache" \
    -o Acquire::Languages=none \
    -o Acquire::Retries=3 \
    -o APT::Sandbox::User=root \
    "$@"
}

cache_root="${XDG_CACHE_HOME:-${HOME:+${HOME}/.cache}}"
cached=""
if [[ -n "${cache_root}" ]]; then
  cached="${cache_root}/reprise/sources/${SHA256}/${TARBALL}"
  if has_right_checksum "${cached}"; then
    cp "${cached}" "${TARGET}"
    exit 0
  fi
fi

command -v apt-get >/dev/null ||
  fail "apt-get is not here, and the source of ${PACKAGE} comes through it:" \
    "build on Debian 12, or put ${TARBALL} at ${cached}."

scratch="$(mktemp -d)"
trap 'rm -rf "${scratch}"' EXIT
mkdir -p "${scratch}"/{parts,state/lists/partial,cache/archives/partial,out}
copy_entries_as_source_entries "${scratch}/parts"

# A source that fails (a third party's, without source packages) is no matter
# as long as the package is found in another.
client apt-get update >"${scratch}/update.log" 2>&1 || true

version="$(find_version)"
if [[ -z "${version}" ]]; then
  offered="$({ client apt-cache --only-source showsrc "${PACKAGE}" \
    2>/dev/null || true; } |
    sed -n 's/^Version: //p' | sort -uV | paste -sd' ')"
  [[ -n "${offered}" ]] ||
    fail "The package sources of this system could not be read for" \
      "${PACKAGE}: $(grep -m1 '^[EW]:' "${scratch}/update.log" ||
        echo 'no source package of that name.') Check the network and the" \
      "entries in /etc/apt, then run the build again; or put ${TARBALL} at" \
      "${cached}."
  fail "This system offers ${PACKAGE} ${offered}, and ${VERSION} is needed:" \
    "put ${TARBALL} of that version at ${cached}, or pin another version in" \
    "its repository.bzl below tools/workspace."
fi

if ! (cd "${scratch}/out" && client apt-get source --only-source \
  --download-only --tar-only "${PACKAGE}=${version}") \
  >"${scratch}/source.log" 2>&1; then
  fail "The source of ${PACKAGE} ${version} could not be downloaded:" \
    "$(grep -m1 '^E:' "${scratch}/source.log" || echo 'no reason given.')" \
    "Check the network, then run the build again; or put ${TARBALL} at" \
    "${cached}."
fi

downloaded="${scratch}/out/${TARBALL}"
[[ -f "${downloaded}" ]] ||
  fail "The source of ${PACKAGE} ${version} has no ${TARBALL}: correct the" \
    "file name in its repository.bzl below tools/workspace."
has_right_checksum "${downloaded}" ||
  fail "${TARBALL} has the SHA-256" \
    "$(sha256sum "${downloaded}" | cut -d' ' -f1), not ${SHA256}: do not use" \
    "it. If upstream has truly replaced the file, review the change and pin" \
    "the new one in its repository.bzl below tools/workspace."

if [[ -n "${cached}" ]] && mkdir -p "$(dirname "${cached}")" 2>/dev/null; then
  cp "${downloaded}" "${cached}.partial.$$" &&
    mv "${cached}.partial.$$" "${cached}"
fi
cp "${downloaded}" "${TARGET}"
