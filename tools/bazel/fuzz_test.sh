#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# What reprise_fuzz_test runs.
set -euo pipefail

if (($# < 5)); then
  echo 'usage: fuzz_test.sh REPRISE TICKS SEED CORPUS_FILES FILE...' >&2
  exit 2
fi
readonly reprise="$1" ticks="$2" seed="$3" corpus_count="$4"
shift 4

# A corpus is written to: the files are laid into one of the test's own, where
# failures are left for whoever looks at them.
readonly corpus="${TEST_UNDECLARED_OUTPUTS_DIR:-${TEST_TMPDIR:?}}/corpus"
mkdir -p "${corpus}/runs"
for ((i = 0; i < corpus_count; ++i)); do
  if [[ "${1##*/}" == known.txt ]]; then
    cp -L "$1" "${corpus}/"
  else
    cp -L "$1" "${corpus}/runs/"
  fi
  shift
done

flags=()
[[ -z "${XML_OUTPUT_FILE:-}" ]] || flags+=(--junit "${XML_OUTPUT_FILE}")
for file in "$@"; do
  if [[ "${file##*/}" == pack.txtpb ]]; then
    exec "${reprise}" fuzz "$(dirname "${file}")" --ticks "${ticks}" --seed "${seed}" \
      --corpus "${corpus}" "${flags[@]}"
  fi
done
echo "no pack.txtpb among the files of the pack: $*" >&2
exit 2
