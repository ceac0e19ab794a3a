#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# A test of a pack that breaks its rules fails, and says so in JUnit.
set -euo pipefail

readonly script="$1" reprise="$2"
shift 2
readonly folder="${TEST_TMPDIR}/pong"
for file in "$@"; do
  target="${folder}/${file#sim/packs/pong/}"
  mkdir -p "$(dirname "${target}")"
  cp -L "${file}" "${target}"
done
chmod -R u+w "${folder}"
mapfile -t files < <(find "${folder}" -type f)

XML_OUTPUT_FILE="${TEST_TMPDIR}/right.xml" "${script}" "${reprise}" "${files[@]}"
sed -i 's/name: "speed" to: "9"/name: "speed" to: "8"/' "${folder}/pack.txtpb"
if XML_OUTPUT_FILE="${TEST_TMPDIR}/wrong.xml" "${script}" "${reprise}" \
  "${files[@]}"; then
  echo 'a slower paddle passes' >&2
  exit 1
fi
grep -q 'failures="1"' "${TEST_TMPDIR}/wrong.xml"
grep -q 'at tick 20: right.bodies.position.z' "${TEST_TMPDIR}/wrong.xml"
