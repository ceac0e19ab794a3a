#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Proves that what reprise_pack_test runs fails where it should: where a scenario
# does, also where a filter leaves it out of many, on a filter that nothing has,
# on a mistake in the scenarios, on a pack without any and on files without a
# manifest, each with the exit code and the reason; and that it is the change that
# makes it fail.
set -euo pipefail

if (($# < 3)); then
  echo 'usage: pack_test_failure_test.sh TEST REPRISE FILE_OF_PACK...' >&2
  exit 2
fi
readonly test="$1" reprise="$2"
shift 2
readonly pack="${TEST_TMPDIR}/pack"
readonly report="${TEST_TMPDIR}/report.xml"

mkdir -p "${pack}"
for file in "$@"; do
  [[ "${file##*/}" == pack.txtpb ]] && folder="${file%/*}"
done
cp -rL "${folder:?no pack.txtpb among $*}/." "${pack}"
chmod -R u+w "${pack}"
readonly manifest="${pack}/pack.txtpb" scenarios="${pack}/tests/play.txtpb"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# expect CODE TEXT FLAG_OR_FILE...: flags stand before the command.
expect() {
  local code=0 output flags=() files=()
  for word in "${@:3}"; do
    if [[ "${word}" == --* ]]; then flags+=("${word}"); else files+=("${word}"); fi
  done
  output="$(XML_OUTPUT_FILE="${report}" "${test}" "${flags[@]}" "${reprise}" \
    "${files[@]}" 2>&1)" || code=$?
  ((code == $1)) || fail "exit code ${code}, not $1, of '${*:3}': ${output}"
  grep -qF -- "$2" <<<"${output}" || fail "no '$2' of '${*:3}': ${output}"
}

expect 0 '7 scenarios, 0 failed' "${manifest}" "${scenarios}"
grep -qF 'failures="0"' "${report}" || fail "$(<"${report}")"
expect 0 '1 scenarios, 0 failed' --filter='pong/paddle*' "${manifest}"
expect 1 'no scenario has such a name' --filter=nobody "${manifest}"
expect 2 'no pack.txtpb among the files of the pack' "${scenarios}"

# One expectation of one scenario; the others hold.
readonly held='that: "court.score.left == 1"'
grep -qF "${held}" "${scenarios}" || fail "no '${held}' in ${scenarios}"
sed -i "s|${held}|that: \"court.score.left == 2\"|" "${scenarios}"
expect 1 'FAILED  pong/missed_ball_is_a_point' "${manifest}"
expect 1 '7 scenarios, 1 failed' "${manifest}"
grep -qF '<failure' "${report}" || fail "$(<"${report}")"
expect 0 '1 scenarios, 0 failed' --filter='pong/paddle*' "${manifest}"

sed -i 's|speed" to: "9"|speed" to: "4"|' "${manifest}"
expect 1 'FAILED  pong/paddle_follows_its_player' --filter='pong/paddle*' \
  "${manifest}"

echo 'scenarios { nonsense' >>"${scenarios}"
expect 2 'play.txtpb' "${manifest}"
rm -r "${pack}/tests"
code=0
"${test}" "${reprise}" "${manifest}" || code=$?
((code != 0)) || fail 'a pack without scenarios passes'
