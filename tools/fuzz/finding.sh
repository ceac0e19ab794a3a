#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# How many ticks it takes to find what games of tests/fuzzing hide: by `reprise
# fuzz`, by random inputs in runs of a minute, and by libFuzzer on the raw bytes
# of inputs. Prints a table of medians. Each search is kept as it ends, with
# those of the same seed first, so a table that was interrupted goes on where it
# stood; and ticks count, so it may run beside anything.
#
# usage: finding.sh [--seeds N] [--ticks-max N] [--ways LIST] [--results FILE]
#                   [--program FILE] [--raw-program FILE] [GAME...]
#   --seeds N           searches of each game by each way; 20 if unset
#   --ticks-max N       a search is given up, and counted as that; 2000000 if
#                       unset
#   --ways LIST         of campaign,random,libfuzzer; all if unset
#   --results FILE      where searches are kept, with a digest of the program
#                       that made them; in ~/.cache/reprise if unset
#   --program FILE      //tests/fuzzing:finding_main; it is built if unset
#   --raw-program FILE  //tests/fuzzing:raw_bytes_fuzz as libFuzzer; it is built
#                       if unset
# Games are those of `finding_main games`, all if none is given.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
  echo "finding: $*" >&2
  exit 2
}

# "25088" as "25,088".
with_commas() {
  sed -E ':again; s/^([0-9]+)([0-9]{3})/\1,\2/; t again' <<<"$1"
}

# The first file of a target, built. Arguments: the target, flags of Bazel.
build() {
  local target="$1" file
  shift
  bazel build "$@" "${target}" >&2
  file="$(bazel cquery "$@" "${target}" --output=starlark --starlark:expr \
    "target.files_to_run.executable.path" 2>/dev/null)"
  echo "$(bazel info "$@" execution_root 2>/dev/null)/${file}"
}

# The program of a way, and a short digest of it.
program_of() {
  if [[ "$1" == libfuzzer ]]; then echo "${raw_program}"; else echo "${program}"; fi
}
digest_of() {
  sha256sum "$(program_of "$1")" | cut -c 1-16
}

# What a search says last: "found after 4096 ticks", "not found after ...".
search() {
  local way="$1" game="$2" seed="$3"
  if [[ "${way}" != libfuzzer ]]; then
    "${program}" "${way}" "${game}" "${seed}" "${ticks_max}" 2>"${folder}/log" | tail -n 1
    return
  fi
  REPRISE_GAME="${game}" REPRISE_TICKS_MAX="${ticks_max}" \
    "${raw_program}" -seed="${seed}" -max_len=28800 -timeout=120 \
    -rss_limit_mb=4096 -artifact_prefix="${folder}/" 2>"${folder}/log" | tail -n 1
}

# "0 TICKS" of a search that found it and "1 TICKS" of one that didn't, as far as
# it is kept. One that was given up earlier than `ticks_max` isn't.
kept() {
  awk -v key="${digests[$1]} $1 $2 $3" -v ticks_max="${ticks_max}" '
    $1 " " $2 " " $3 " " $4 != key { next }
    $5 == "found" && $6 <= ticks_max { print 0, $6; exit }
    $6 >= ticks_max { print 1, ticks_max; exit }' "${results}"
}

# Searches unless that is kept.
keep() {
  local way="$1" game="$2" seed="$3" told ticks
  [[ -z "$(kept "$@")" ]] || return 0
  told="$(search "$@")" || true
  ticks="${told##*after }"
  ticks="${ticks% ticks}"
  case "${told}" in
    "found after "*" ticks") told=found ;;
    "not found after "*" ticks") told=lost ;;
    *) fail "${way}, ${game}, seed ${seed}: $(tail -n 1 "${folder}/log")" ;;
  esac
  echo "${digests[${way}]} ${way} ${game} ${seed} ${told} ${ticks}" >>"${results}"
}

# "25,088 | 20 of 20": the median, and how many found it. Those that didn't count
# as more than all others; of an even number it is the larger one of the two in
# the middle.
cell() {
  local way="$1" game="$2" is_lost ticks
  for ((seed = 1; seed <= seeds; ++seed)); do
    kept "${way}" "${game}" "${seed}"
  done | sort -n -k1,1 -k2,2 >"${folder}/found"
  read -r is_lost ticks < <(sed -n "$((seeds / 2 + 1))p" "${folder}/found")
  ticks="$(with_commas "${ticks}")"
  ((is_lost == 0)) || ticks="more than ${ticks}"
  echo "${ticks} | $(grep -c '^0' "${folder}/found" || true) of ${seeds}"
}

seeds=20
ticks_max=2000000
ways=campaign,random,libfuzzer
results="${XDG_CACHE_HOME:-${HOME}/.cache}/reprise/finding.txt"
program=""
raw_program=""
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
    --ways) ways="${value}" ;;
    --results) results="${value}" ;;
    --program) program="${value}" ;;
    --raw-program) raw_program="${value}" ;;
    *) fail "there is no option ${option}." ;;
  esac
done
IFS=, read -r -a ways <<<"${ways}"

declare -A digests
for way in "${ways[@]}"; do
  case "${way}" in
    campaign | random) [[ -n "${program}" ]] || program="$(build //tests/fuzzing:finding_main)" ;;
    libfuzzer)
      [[ -n "${raw_program}" ]] ||
        raw_program="$(build //tests/fuzzing:raw_bytes_fuzz --config=fuzz)"
      ;;
    *) fail "--ways: there is no '${way}' among campaign, random and libfuzzer." ;;
  esac
  [[ -x "$(program_of "${way}")" ]] || fail "$(program_of "${way}"): it can't be run."
  digests["${way}"]="$(digest_of "${way}")"
done
if ((${#games[@]} == 0)); then
  [[ -n "${program}" ]] || program="$(build //tests/fuzzing:finding_main)"
  readarray -t games < <("${program}" games)
fi

folder="$(mktemp -d)"
trap 'rm -rf -- "${folder}"' EXIT
mkdir -p "$(dirname "${results}")"
touch "${results}"
for ((seed = 1; seed <= seeds; ++seed)); do
  for game in "${games[@]}"; do
    for way in "${ways[@]}"; do keep "${way}" "${game}" "${seed}"; done
  done
done
titles="| game |"
line="|---|"
for way in "${ways[@]}"; do
  titles+=" ${way}, median ticks | found |"
  line+="---|---|"
done
echo "${titles}"
echo "${line}"
for game in "${games[@]}"; do
  text="| ${game} |"
  for way in "${ways[@]}"; do text+=" $(cell "${way}" "${game}") |"; done
  echo "${text}"
done
