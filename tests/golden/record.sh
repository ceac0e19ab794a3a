#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Records the golden replays anew, all or those of the packs named, with their
# texts. Whoever does that moves a golden on purpose, and says so in
# CHANGELOG.md.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bazel build //tools/reprise
readonly reprise=bazel-bin/tools/reprise/reprise

# Arguments: a pack, and how it is played and kept small.
record() {
  local pack="$1" golden="tests/golden/$1"
  shift
  "${reprise}" run "sim/packs/${pack}" --record "${golden}.mcap" "$@"
  "${reprise}" cat "${golden}.mcap" >"${golden}.txtpb"
}

(($# > 0)) || set -- marble nursery pile sleepers
for pack in "$@"; do
  case "${pack}" in
    marble) record marble --inputs sim/packs/tracks/marble_course.txtpb ;;
    nursery) record nursery --random-inputs 7 --seed 3 --ticks 300 ;;
    pile) record pile --ticks 60 --keyframe-stride 0 ;;
    sleepers) record sleepers --ticks 300 --keyframe-stride 0 ;;
    *) echo "there is no golden of ${pack}" >&2 && exit 2 ;;
  esac
done
