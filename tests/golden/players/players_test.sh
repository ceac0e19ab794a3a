#!/bin/bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

# Proves that the players of a golden win today's pack, each decision of theirs
# taken, and that what play.sh records verifies.
#
#     players_test.sh PLAY_SH PROGRAM PACK

set -euo pipefail

readonly play="$1" program="$2" pack="$3"
readonly replay="${TEST_TMPDIR}/${pack}.mcap"

output="$("${play}" "${program}" "${pack}" "${replay}" 2>&1)"
echo "${output}"
if ! grep -q '^outcome *won' <<<"${output}"; then
  echo "FAILED: the players of ${pack} don't win" >&2
  exit 1
fi
if grep -q 'decisions of bots came to nothing' <<<"${output}"; then
  echo "FAILED: a player of ${pack} makes mistakes" >&2
  exit 1
fi
"${program}" verify "${replay}"
