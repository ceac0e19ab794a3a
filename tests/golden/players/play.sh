#!/bin/bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

# Lets the players of a golden play a minute of today's pack, and records it.
#
#     tests/golden/players/play.sh PROGRAM PACK OUTPUT
#
# They are bots of a copy of the pack, since they look for what is theirs alone
# to find; a golden has their inputs. After a change in which those no longer
# reach the end:
#
#     reprise accept tests/golden/marble.mcap --inputs OUTPUT --reason '...'

set -euo pipefail

players="$(dirname "${BASH_SOURCE[0]}")"
program="$1"
pack="$2"
output="$3"

copy="$(mktemp -d)"
trap 'rm -rf "${copy}"' EXIT
cp -RL "${players}/../../../sim/packs/${pack}/." "${copy}"
chmod -R u+w "${copy}"
cat "${players}/${pack}/bots.txtpb" >>"${copy}/pack.txtpb"
mkdir -p "${copy}/bots"
cp -L "${players}/${pack}"/*.lua "${copy}/bots"

"${program}" run "${copy}" --bots --ticks 3600 --keyframe-stride 600 \
  --record "${output}"
