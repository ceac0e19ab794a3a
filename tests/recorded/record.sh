#!/bin/bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

# Records every pack that ships into a new folder beside this script, and pins
# what it wrote. What was recorded before is never touched.
#
#     tests/recorded/record.sh PROGRAM FOLDER
#
# PROGRAM is the `reprise` whose rules they are, FOLDER is named after those:
# rules_12.

set -euo pipefail

program="$(realpath "$1")"
folder="$2"

cd "$(dirname "$(realpath "$0")")"
packs="$(realpath ../../sim/packs)"
mkdir "$folder"
for pack in "$packs"/*/pack.txtpb; do
  name="$(basename "$(dirname "$pack")")"
  ticks=480
  stride=160
  case "$name" in
    pile) ticks=120 stride=60 ;;  # thousands of bodies
    sleepers) stride=240 ;;
  esac
  # A game may be lost.
  "$program" run "$packs/$name" --random-inputs 7 --ticks "$ticks" \
    --keyframe-stride "$stride" --record "$folder/$name.mcap" ||
    [ "$?" = 1 ]
done

sha256sum "$folder"/*.mcap >>sha256.txt
LC_ALL=C sort -k 2 -o sha256.txt sha256.txt
