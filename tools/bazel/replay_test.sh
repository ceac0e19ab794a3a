#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# What reprise_replay_test runs.
set -euo pipefail

flags=()
if [[ "${1:-}" == --allow-partial ]]; then
  flags+=("$1")
  shift
fi
if (($# < 3)); then
  echo 'usage: replay_test.sh [--allow-partial] REPRISE REPLAY EXPECTED [FILE_OF_PACK...]' >&2
  exit 2
fi
readonly reprise="$1" replay="$2" expected="$3"
shift 3

pack=()
for file in "$@"; do
  if [[ "${file##*/}" == pack.txtpb ]]; then
    pack=("${file%/*}")
    break
  fi
done
if (($# > 0 && ${#pack[@]} == 0)); then
  echo "no pack.txtpb among the files of the pack: $*" >&2
  exit 2
fi

((${#pack[@]} == 0)) || flags+=(--pack "${pack[0]}")
case "${expected}" in
  any) ;;
  won | lost | running) flags+=(--outcome "${expected}") ;;
  *)
    "${reprise}" run "${pack[@]}" --inputs "${replay}" --expect "${expected}"
    ;;
esac
[[ -z "${XML_OUTPUT_FILE:-}" ]] || flags+=(--junit "${XML_OUTPUT_FILE}")

exec "${reprise}" verify "${replay}" "${flags[@]}"
