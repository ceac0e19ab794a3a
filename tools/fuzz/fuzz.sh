#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Runs libFuzzer, with ASan and UBSan, on what reads bytes from outside. `tools/dev
# fuzz` and `tools/dev test` call it.
#
# usage: fuzz.sh [--minutes N | --seconds N] [--results FILE]
#                [--turn [--build-minutes N]] [TARGET...]
#   --results FILE     append a line a target, for the count at the end of a test
#   --turn             only the target whose turn it is by the commit
#   --build-minutes N  give up building after so many and say so: what is built
#                      by then lies in the cache, and the next turn goes on
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/stage.sh

# Prints the target whose turn it is by the commit, of those given in any order.
print_turn() {
  local commit
  local -a sorted=()
  mapfile -t sorted < <(printf '%s\n' "$@" | sort)
  commit="$(git -c safe.directory='*' rev-parse HEAD 2>/dev/null || echo 0)"
  echo "${sorted[$((16#${commit:0:8} % ${#sorted[@]}))]}"
}

# Builds targets with their corpora, for so many minutes at most, 0: as long as it
# takes. Returns 124 where that wasn't enough. Arguments: the minutes, the targets.
build_fuzzers() {
  local minutes="$1" status=0
  shift
  timeout --signal=INT "$((60 * minutes))" \
    bazel build --config=fuzz "$@" "${@/%/_corpus}" || status=$?
  return "${status}"
}

# Runs libFuzzer on each target for so long, from its corpus and what it found
# before. Appends a line a target to the results. Arguments: the results file,
# the seconds, the minutes to build in, at least one target.
run_fuzzers() {
  local results="$1" seconds="$2" minutes="$3" status=0
  local target program name folder seed file
  local -a seeds=()
  shift 3
  if ((minutes > 0)); then
    # Of these the end of the time is no failure.
    build_fuzzers "${minutes}" "$@" >"${LOGS}/fuzz-turn.log" 2>&1 || status=$?
    if ((status == 124)); then
      printf '%-12s %s\n' "fuzz turn" \
        "NOT RUN: $* isn't built after ${minutes} minutes; the next turn goes on"
      return 0
    fi
  fi
  status=0
  if (($# == 0)) || ! stage "fuzz build" build_fuzzers 0 "$@"; then
    printf 'FAIL\tlibFuzzer\tbazel build --config=fuzz %s\n' "$*" >>"${results}"
    return 1
  fi
  for target in "$@"; do
    name="${target#//}"
    name="${name/://}"
    folder="$(dirname "${LOGS}")/fuzz/${name}"
    name="${name##*/}"
    mkdir -p "${folder}/corpus"
    program="$(list_files --config=fuzz "${target}" || true)"
    mapfile -t seeds < <(list_files --config=fuzz "${target}_corpus")
    if [[ ! -x "${program}" ]] || ((${#seeds[@]} == 0)); then
      echo "${target}: Bazel doesn't name its program or its corpus"
      printf 'FAIL\tlibFuzzer %s\tbazel cquery --config=fuzz %s\n' \
        "${target}" "${target}" >>"${results}"
      status=1
      continue
    fi
    for seed in "${seeds[@]}"; do
      file="${seed#*/execroot/*/}"
      cp --no-preserve=mode -- "${seed}" "${folder}/corpus/${file//\//_}"
    done
    if stage "${name}" "${program}" "${folder}/corpus" \
      -max_total_time="${seconds}" -timeout=20 -rss_limit_mb=4096 \
      -artifact_prefix="${folder}/"; then
      printf 'PASS\tlibFuzzer %s\n' "${target}" >>"${results}"
    else
      printf 'FAIL\tlibFuzzer %s\ttools/dev fuzz %s\n' "${target}" "${target}" \
        >>"${results}"
      status=1
    fi
    echo "  $(grep -o '^Done .*' "${LOGS}/${name}.log" || echo Stopped), \
$(find "${folder}/corpus" -type f | wc -l) inputs kept in ${folder}/corpus"
  done
  return "${status}"
}

fail() {
  echo "fuzz: $*" >&2
  exit 2
}

seconds=60
results=/dev/null
build_minutes=0
turn=""
targets=()
while (($# > 0)); do
  option="${1%%=*}"
  case "$1" in
    --turn) turn=yes && shift && continue ;;
    --*=*) value="${1#*=}" && shift ;;
    --*) value="${2:-}" && shift "$(($# > 1 ? 2 : 1))" ;;
    *) targets+=("$1") && shift && continue ;;
  esac
  case "${option}" in
    --minutes | --seconds)
      [[ "${value}" =~ ^[1-9][0-9]*$ ]] ||
        fail "${option} needs a whole number from 1, not '${value}'."
      seconds="${value}"
      [[ "${option}" == --seconds ]] || seconds="$((60 * value))"
      ;;
    --build-minutes)
      [[ "${value}" =~ ^[1-9][0-9]*$ ]] ||
        fail "${option} needs a whole number from 1, not '${value}'."
      build_minutes="${value}"
      ;;
    --results) results="${value}" ;;
    *) fail "there is no option ${option}." ;;
  esac
done
((${#targets[@]} > 0)) || mapfile -t targets < <(list_tagged cc_test fuzzer)
((${#targets[@]} > 0)) || fail "there is no fuzzer."
[[ -z "${turn}" ]] || targets=("$(print_turn "${targets[@]}")")
run_fuzzers "${results}" "${seconds}" "${build_minutes}" "${targets[@]}"
