#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# The whole of Reprise in a few seconds: a server records a game that a client
# plays, another process proves the recording, one input is changed, and the
# first difference is named. Ends with 0 only if all of that was so.
#
# Usage: tools/demo/demo.sh [--no-build]

set -euo pipefail

readonly ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

# The one input that is changed: at this tick player 0 steers the other way.
readonly CHANGE="200:0:roll_x=-32767"

# How long the server may take to listen, in twentieths of a second.
readonly LISTEN_TRIES=200

step() { printf '\n== %s\n' "$*"; }

fail() {
  printf 'demo: %s\n' "$*" >&2
  exit 1
}

# Shows a command, then runs it.
run() {
  printf '$ %s\n' "${*@Q}" | sed "s/'\([A-Za-z0-9_.,:=/-]*\)'/\1/g"
  "$@"
}

build() {
  step "Building"
  (cd "$ROOT" &&
    run bazel build --ui_event_filters=-info --noshow_progress \
      //tools/reprise //tools/demo:play_client)
}

# Ends the server, if it runs, and leaves nothing behind.
clean_up() {
  local -r code=$?
  if [[ -n "${server:-}" ]] && kill -TERM "$server" 2>/dev/null; then
    wait "$server" || true
  fi
  if ((code != 0)) && [[ -s "$folder/server.log" ]]; then
    printf 'demo: the server said:\n' >&2
    cat "$folder/server.log" >&2
  fi
  rm -rf "$folder"
}

start_server() {
  printf '$ reprise serve --listen 127.0.0.1:0 --store store '
  printf -- '--print-address address &\n'
  reprise serve --listen 127.0.0.1:0 --store store --print-address address \
    >server.log 2>&1 &
  server=$!
  for ((try = 0; try < LISTEN_TRIES; ++try)); do
    [[ -s address ]] && break
    kill -0 "$server" 2>/dev/null || fail "the server ended"
    sleep 0.05
  done
  [[ -s address ]] || fail "the server doesn't listen"
  cat server.log
}

stop_server() {
  run kill -TERM "$server"
  wait "$server" || fail "the server ended with $?"
  server=""
}

[[ "${1:-}" == "--no-build" ]] || build

folder="$(mktemp -d "${TMPDIR:-/tmp}/reprise-demo.XXXXXX")"
readonly folder
server=""
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$folder"
# As a test of Bazel's, the binaries lie beside this script's folder.
for place in "$ROOT/bazel-bin/tools" "$ROOT/tools"; do
  PATH="$place/reprise:$place/demo:$PATH"
done
export PATH
export REPRISE_PACKS="$ROOT/sim/packs"
cp "$ROOT/sim/packs/tracks/marble_course.txtpb" .

step "A server offers the packs of this project"
start_server

step "A client plays marble, one request a tick; the server records"
run play_client --address "$(cat address)" --pack marble --seed 7 \
  --track marble_course.txtpb --output game.mcap | tee played
grep -q OUTCOME_WON played || fail "the game was not won"
stop_server

step "What the recording says about itself"
run reprise info game.mcap

step "Another process runs it again and compares"
run reprise verify game.mcap | tee verified
grep -Eq 'verified ([1-9][0-9]*) of \1 ticks, digest ' verified ||
  fail "not every tick was verified"

step "The same game with one input changed"
run reprise run --inputs game.mcap --change-input "$CHANGE" \
  --record changed.mcap
run reprise verify changed.mcap

step "Where the two games part"
code=0
run reprise diff game.mcap changed.mcap || code=$?
((code == 1)) || fail "diff ended with $code; two different games give 1"

step "Three frames for a renderer, a JSON object a line"
run reprise export game.mcap --to 400 --every 200 --output frames.jsonl
(($(wc -l <frames.jsonl) == 3)) || fail "there are not three frames"
run cut -c 1-240 frames.jsonl

printf '\nAll of it held.\n'
