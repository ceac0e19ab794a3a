#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# The build as it ships: optimised across files, and for what the packs do.
# `tools/dev release` calls it.
#
# usage: release.sh [TARGET...]
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/stage.sh

profiles="$(dirname "${LOGS}")/profiles"
raw="${profiles}/raw"
(($# > 0)) || set -- //tools/reprise
# Stock libraries, which benchmarks compare with, have no part in this. What
# is a warning is the ordinary build's to say.
stage instrument bazel build --config=release --linkopt=-fprofile-generate \
  --per_file_copt=".*,-stock@-w,-fprofile-generate=${raw},-fprofile-update=single" \
  //tools/matrix:runner
rm -rf "${profiles}"
for manifest in sim/packs/*/pack.txtpb; do
  pack="${manifest%/*}"
  stage "play ${pack##*/}" bazel-bin/tools/matrix/runner digests "${pack}" \
    --random-inputs 3 --ticks 900
done
# Called by what is in it: Bazel sees the flag and not the files.
profile="${profiles}/$(cd "${raw}" && find . -type f -print0 | sort -z |
  xargs -0 sha256sum | sha256sum | cut -c1-16)"
mv "${raw}" "${profile}"
stage build bazel build --config=release \
  --per_file_copt=".*,-stock@-w,-fprofile-use=${profile}" "$@"
if [[ " $* " == *" //tools/reprise "* ]]; then
  stage verify bazel-bin/tools/reprise/reprise verify tests/golden/*.mcap
  ls -l "$(realpath bazel-bin/tools/reprise/reprise)"
fi
