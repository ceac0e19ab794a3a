#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Proves that what reprise_replay_test runs fails where it should: on another
# outcome, on an expression that doesn't hold at the end, on a changed pack, on a
# pack without its manifest and on a replay that was cut off, each with the exit
# code and the reason; and that it is the change that makes it fail.
set -euo pipefail

if (($# < 4)); then
  echo 'usage: replay_test_failure_test.sh TEST REPRISE REPLAY FILE_OF_PACK...' >&2
  exit 2
fi
readonly test="$1" reprise="$2" replay="$3"
shift 3
readonly pack="${TEST_TMPDIR}/pack"
readonly report="${TEST_TMPDIR}/report.xml"

mkdir -p "${pack}"
for file in "$@"; do
  [[ "${file##*/}" == pack.txtpb ]] && folder="${file%/*}"
done
cp -rL "${folder:?no pack.txtpb among $*}/." "${pack}"
chmod -R u+w "${pack}"
readonly manifest="${pack}/pack.txtpb"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# expect CODE TEXT OUTCOME [FILE_OF_PACK...]
expect() {
  local code=0 output
  output="$(XML_OUTPUT_FILE="${report}" "${test}" "${reprise}" "${replay}" \
    "${@:3}" 2>&1)" || code=$?
  ((code == $1)) || fail "exit code ${code}, not $1, of '${*:3}': ${output}"
  grep -qF -- "$2" <<<"${output}" || fail "no '$2' of '${*:3}': ${output}"
}

# change FROM TO: in the manifest of the copy.
change() {
  grep -qF -- "$1" "${manifest}" || fail "no '$1' in ${manifest}"
  sed -i "s|$1|$2|" "${manifest}"
}

expect 0 'verified 3600 of 3600 ticks' won
expect 0 'verified 3600 of 3600 ticks' won "${manifest}"
grep -qF 'failures="0"' "${report}" || fail "$(<"${report}")"

expect 1 'expected outcome lost, it is won' lost "${manifest}"
grep -qF '<failure' "${report}" || fail "$(<"${report}")"
expect 2 'no pack.txtpb among the files of the pack' won "${replay}"

expect 0 'verified 3600 of 3600 ticks' 'outcome == won and tick > 3500' "${manifest}"
expect 0 'verified 3600 of 3600 ticks' "outcome == 'won'"
expect 1 'expected tick > 3700' 'tick > 3700' "${manifest}"
expect 2 "there is no fact 'tock'" 'tock > 900'

change 'force_n: 14' 'force_n: 7'
expect 1 'diverged' won "${manifest}"
expect 1 'compares both packs' any "${manifest}"
# The one inside the replay is as it was.
expect 0 'verified 3600 of 3600 ticks' won

echo 'types { nonsense' >>"${manifest}"
expect 2 'pack.txtpb' won "${manifest}"

readonly cut_off="${TEST_TMPDIR}/cut_off.mcap"
# One of many chunks, of which some are whole.
readonly dense="${TEST_TMPDIR}/dense.mcap"
"${reprise}" run --inputs "${replay}" --keyframe-stride 100 --record "${dense}"
size="$(stat -Lc %s "${dense}")"
head -c "$((size * 7 / 10))" "${dense}" >"${cut_off}"
code=0
"${test}" "${reprise}" "${cut_off}" any || code=$?
((code == 1)) || fail "exit code ${code} of a replay that was cut off"
"${test}" --allow-partial "${reprise}" "${cut_off}" any ||
  fail 'what is right so far fails where it is allowed to'
