#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# How many ticks libFuzzer takes to find what games of tests/fuzzing hide, by the
# raw bytes of their inputs: a table of medians, as //tests/fuzzing:finding_main
# prints for `reprise fuzz` and random inputs.
#
# usage: finding.sh [--seeds N] [--ticks-max N] [--program FILE] [GAME...]
#   --seeds N      20 if unset
#   --ticks-max N  a search is given up, and counted as that; 2000000 if unset
#   --program FILE //tests/fuzzing:raw_bytes_fuzz, built as libFuzzer; it is
#                  built if unset
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/stage.sh

fail() {
  echo "finding: $*" >&2
  exit 2
}

# "25088" as "25,088".
with_commas() {
  sed -E ':again; s/^([0-9]+)([0-9]{3})/\1,\2/; t again' <<<"$1"
}

# A line "0 TICKS" of a search that found it, "1 TICKS" of one that didn't.
search() {
  local game="$1" seed="$2" told
  told="$(REPRISE_GAME="${game}" REPRISE_TICKS_MAX="${ticks_max}" \
    "${program}" -seed="${seed}" -max_len=28800 -timeout=120 \
    -rss_limit_mb=4096 -artifact_prefix="${folder}/" 2>"${folder}/log")" || true
  case "${told##*$'\n'}" in
    "found after "*" ticks") told="${told##*found after }" && echo "0 ${told% ticks}" ;;
    "not found after "*" ticks") echo "1 ${ticks_max}" ;;
    *) fail "${game}, seed ${seed}: $(tail -n 1 "${folder}/log")" ;;
  esac
}

seeds=20
ticks_max=2000000
program=""
games=()
while (($# > 0)); do
  option="${1%%=*}"
  case "$1" in
    --*=*) value="${1#*=}" && shift ;;
    --*) value="${2:-}" && shift "$(($# > 1 ? 2 : 1))" ;;
    *) games+=("$1") && shift && continue ;;
  esac
  case "${option}" in
    --seeds | --ticks-max)
      [[ "${value}" =~ ^[1-9][0-9]*$ ]] ||
        fail "${option} needs a whole number from 1, not '${value}'."
      [[ "${option}" == --seeds ]] && seeds="${value}" || ticks_max="${value}"
      ;;
    --program) program="${value}" ;;
    *) fail "there is no option ${option}." ;;
  esac
done
((${#games[@]} > 0)) || games=(lock maze hops leaps market race wall)

if [[ -z "${program}" ]]; then
  target=//tests/fuzzing:raw_bytes_fuzz
  bazel build --config=fuzz "${target}" >&2
  program="$(list_files --config=fuzz "${target}" | grep -v '^$' | head -n 1)"
fi
[[ -x "${program}" ]] || fail "${program:-no program}: it can't be run."

folder="$(mktemp -d)"
trap 'rm -rf -- "${folder}"' EXIT
echo "| game | libFuzzer, median ticks | found |"
echo "|---|---|---|"
for game in "${games[@]}"; do
  for ((seed = 1; seed <= seeds; ++seed)); do
    search "${game}" "${seed}"
  done >"${folder}/found"
  read -r is_lost ticks < <(sort -n -k1,1 -k2,2 "${folder}/found" |
    sed -n "$((seeds / 2 + 1))p")
  ticks="$(with_commas "${ticks}")"
  ((is_lost == 0)) || ticks="more than ${ticks}"
  echo "| ${game} | ${ticks} | $(grep -c '^0' "${folder}/found" || true) of ${seeds} |"
done
