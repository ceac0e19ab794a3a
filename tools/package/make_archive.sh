#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Makes an archive of one member out of others. What the files behind `--`
# define is local to it.
#
# usage: make_archive.sh LD OBJCOPY NM AR OUTPUT ARCHIVE... -- FOREIGN...
set -euo pipefail

ld="$1" objcopy="$2" nm="$3" ar="$4" output="$5"
shift 5
own=() foreign=()
while (($# > 0)) && [[ "$1" != -- ]]; do
  own+=("$1")
  shift
done
foreign=("${@:2}")
folder="$(mktemp -d)"
trap 'rm -rf "${folder}"' EXIT

# Sections that several files have are merged here and now; symbols of what is
# dropped later could not be made local.
"${ld}" -r --force-group-allocation --whole-archive -o "${folder}/all.o" \
  "${own[@]}" "${foreign[@]}" --no-whole-archive
"${nm}" --defined-only --extern-only --format=posix "${foreign[@]}" |
  awk 'NF >= 2 && $2 ~ /^[TDBRVWC]$/ { print $1 }' | sort -u >"${folder}/foreign"
"${nm}" --defined-only --extern-only --format=posix "${own[@]}" |
  awk 'NF >= 2 { print $1 }' | sort -u >"${folder}/own"
# What both have are inline functions of the standard library and the like.
comm -23 "${folder}/foreign" "${folder}/own" >"${folder}/local"
# Of variables of inline functions, too, one that a game has is as good.
"${nm}" --defined-only --extern-only --format=posix "${folder}/all.o" |
  awk '$2 == "u" { print $1 }' >"${folder}/unique"
"${objcopy}" --localize-symbols="${folder}/local" \
  --weaken-symbols="${folder}/unique" "${folder}/all.o" "${folder}/reprise.o"
# Deterministic: no times and no owners.
"${ar}" rcsD "${output}" "${folder}/reprise.o"
