#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# What reprise_replay_test runs.
set -euo pipefail

if (($# < 3)); then
  echo 'usage: replay_test.sh REPRISE REPLAY OUTCOME [FILE_OF_PACK...]' >&2
  exit 2
fi
readonly reprise="$1" replay="$2" outcome="$3"
shift 3

flags=()
for file in "$@"; do
  if [[ "${file##*/}" == pack.txtpb ]]; then
    flags+=(--pack "${file%/*}")
    break
  fi
done
if (($# > 0 && ${#flags[@]} == 0)); then
  echo "no pack.txtpb among the files of the pack: $*" >&2
  exit 2
fi
[[ "${outcome}" == any ]] || flags+=(--outcome "${outcome}")
[[ -z "${XML_OUTPUT_FILE:-}" ]] || flags+=(--junit "${XML_OUTPUT_FILE}")

exec "${reprise}" verify "${replay}" "${flags[@]}"
