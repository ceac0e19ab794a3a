#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# What reprise_pack_test runs.
set -euo pipefail

flags=()
while [[ "${1:-}" == --filter=* ]]; do
  flags+=("$1")
  shift
done
if (($# < 2)); then
  echo 'usage: pack_test.sh [--filter=GLOB...] REPRISE FILE_OF_PACK...' >&2
  exit 2
fi
readonly reprise="$1"
shift

for file in "$@"; do
  if [[ "${file##*/}" == pack.txtpb ]]; then
    [[ -z "${XML_OUTPUT_FILE:-}" ]] || flags+=(--junit "${XML_OUTPUT_FILE}")
    exec "${reprise}" test "${file%/*}" "${flags[@]}"
  fi
done
echo "no pack.txtpb among the files of the pack: $*" >&2
exit 2
