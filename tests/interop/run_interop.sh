#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

# Starts `reprise serve` and drives it with gRPC's own JavaScript client and
# with our packages for Python and Node on gRPC's own clients, then reads the
# replay that came of it, and every golden replay, with MCAP's own JavaScript
# reader, and has `reprise` read what MCAP's own writer makes of each. Khronos' validator, MCAP's
# reader with Foxglove's schemas, and a browser read what `reprise export` and
# `view` write, and the browser the server's page for operators.
# Exit code 1 when either finds something wrong.
#
# usage: tests/interop/run_interop.sh REPRISE
#
# REPRISE is the program. The packages of package.json have to be installed, and
# Debian's Chromium, openssl, python3-grpcio, python3-numpy and python3-pytest.

set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 REPRISE" >&2
  exit 2
fi
reprise="$(realpath "$1")"
here="$(dirname "$(realpath "${BASH_SOURCE[0]}")")"
root="$(realpath "${here}/../..")"
if [[ ! -d "${here}/node_modules/@grpc/grpc-js" ]]; then
  echo "$0: run 'npm ci' in ${here} first" >&2
  exit 3
fi

folder="$(mktemp -d)"
server=
stop() {
  if [[ -n "${server}" ]]; then
    kill "${server}" 2>/dev/null || true
    wait "${server}" 2>/dev/null || true
  fi
  rm -rf "${folder}"
}
trap stop EXIT

"${reprise}" serve --listen 127.0.0.1:0 --http-address 127.0.0.1:0 --packs "${root}/sim/packs" \
  --store "${folder}/store" --print-address "${folder}/address" \
  >"${folder}/server.log" 2>&1 &
server=$!
for _ in {1..200}; do
  [[ -e "${folder}/address" ]] && break
  if ! kill -0 "${server}" 2>/dev/null; then break; fi
  sleep 0.05
done
if [[ ! -e "${folder}/address" ]]; then
  echo "$0: the server did not start:" >&2
  cat "${folder}/server.log" >&2
  exit 5
fi

failed=0
# Runs a check and prints one line; what it said only when it failed. Appends
# the result to the file that REPRISE_RESULTS names, for tools/dev to count.
check() {
  local name="$1" result=PASS
  shift
  if "$@" >"${folder}/output" 2>&1; then
    echo "${name}: ok"
  else
    echo "${name}: FAILED"
    sed 's/^/  /' "${folder}/output"
    result=FAIL
    failed=1
  fi
  printf '%s\tinterop: %s\ttests/interop/run_interop.sh %s\n' \
    "${result}" "${name}" "${reprise}" >>"${REPRISE_RESULTS:-/dev/null}"
}

check "gRPC's JavaScript client drives the server" \
  node "${here}/grpc_client.mjs" "$(cat "${folder}/address")" \
  "${root}/proto" "${folder}/replay.mcap" "${folder}/branch.mcap"

# Debian's Python, which has Debian's packages. The package starts a server of
# its own.
run_python() {
  local package="${folder}/python"
  "${root}/clients/python/make_package.sh" "${package}" &&
    PYTHONPATH="${package}" PYTHONDONTWRITEBYTECODE=1 \
      REPRISE_PROGRAM="${reprise}" REPRISE_PACKS="${root}/sim/packs" \
      /usr/bin/python3 "$@"
}
check "the Python client sees what inspect prints, plays, goes back" \
  run_python -m pytest -q -c /dev/null --rootdir "${root}/clients/python" \
  -p no:cacheprovider -p reprise.pytest_plugin \
  --reprise-program "${reprise}" --reprise-packs "${root}/sim/packs" \
  "${root}/clients/python/tests"
for example in "${root}"/clients/python/examples/*.py; do
  check "the Python client's example $(basename "${example}") runs" \
    run_python "${example}"
done

# The Node package, installed beside gRPC's own client: a module of ours, and what
# node is told behind it; or --test and a module.
run_node() {
  local modules="${folder}/node/node_modules" name
  "${root}/clients/node/make_package.sh" "${modules}/reprise-client" || return 1
  for name in "${here}"/node_modules/*; do
    ln -sfn "${name}" "${modules}/$(basename "${name}")"
  done
  cp "${root}"/clients/node/{examples,tests}/*.mjs "${folder}/node/"
  (cd "${folder}/node" &&
    REPRISE_ADDRESS="$(cat "${folder}/address")" \
      REPRISE_PROGRAM="${reprise}" node "$@")
}
check "the Node client sees what inspect prints, plays, goes back" \
  run_node --test client_test.mjs
check "players of the Node client play one session, and watch replays" \
  run_node --test playing_test.mjs
check "the Node client brings replays, and has the server work on them" \
  run_node --test replays_test.mjs
for example in "${root}"/clients/node/examples/*.mjs; do
  name="$(basename "${example}")"
  check "the Node client's example ${name} runs" \
    run_node "${name}" "$(cat "${folder}/address")" "${folder}/replay.mcap"
done

look_at_status() {
  local replay
  replay="$(ls "${folder}/store/replays" | grep '\.mcap$' | sort | tail -1)"
  node "${here}/status_page_check.mjs" \
    "http://$(sed -n 's/^pages for operators on //p' "${folder}/server.log")/" \
    "${replay%.mcap}"
}
check "a browser shows how the server stands" look_at_status

check "MCAP's JavaScript reader reads the recording" \
  node "${here}/mcap_read.mjs" "${folder}/replay.mcap"
check "the command verifies what the server recorded, and a branch of it" \
  "${reprise}" verify "${folder}/replay.mcap" "${folder}/branch.mcap"

# What a replay holds, whatever wrote the file.
print_replay() {
  "${reprise}" cat --digests --events "$1"
}

# Has MCAP's own writer copy a replay. The copy has to hold the same, with every
# checksum right, and, as far as this program has its simulation, run the same.
copy_and_compare() {
  local golden="$1" copy="${folder}/copy.mcap"
  node "${here}/mcap_write.mjs" "${golden}" "${copy}" &&
    node "${here}/mcap_read.mjs" "${copy}" &&
    "${reprise}" info "${copy}" &&
    diff <(print_replay "${golden}") <(print_replay "${copy}") ||
    return 1
  # The goldens of the format are of a simulation that only tests have.
  [[ "${golden}" != */tests/golden/* ]] || "${reprise}" verify "${copy}"
}

shopt -s nullglob
goldens=("${root}"/tests/golden/*.mcap "${root}"/replays/golden/*.mcap)
check "there are golden replays" test "${#goldens[@]}" -gt 1
for golden in "${goldens[@]}"; do
  name="$(basename "${golden}")"
  check "MCAP's JavaScript reader reads ${name}" \
    node "${here}/mcap_read.mjs" "${golden}"
  check "we read what MCAP's JavaScript writer makes of ${name}" \
    copy_and_compare "${golden}"
done

# What others make of what we show: Khronos' validator of glTF, and a browser of
# the page, which has to show what the frames say.
show() {
  "${reprise}" run "$1" --ticks 200 --random-inputs 3 \
    --record "${folder}/$1.mcap" &&
    "${reprise}" export "${folder}/$1.mcap" --format gltf \
      --output "${folder}/$1.glb" &&
    "${reprise}" export "${folder}/$1.mcap" --output "${folder}/$1.jsonl" &&
    "${reprise}" view "${folder}/$1.mcap" --output "${folder}/$1.html"
}
look_at_marble() {
  "${reprise}" run --inputs "${folder}/marble.mcap" \
    --change-input 100:0:roll_x=-32001 --record "${folder}/changed.mcap" &&
    "${reprise}" view "${folder}/marble.mcap" "${folder}/changed.mcap" \
      --output "${folder}/two.html" &&
    "${reprise}" inspect "${folder}/marble.mcap" --tick 60 --format json \
      >"${folder}/state.json" &&
    "${reprise}" convert "${folder}/marble.mcap" --to jsonl --output "${folder}/inputs.jsonl" &&
    "${reprise}" export "${folder}/marble.mcap" --format csv --fields \
      'player.bodies.position.y * 2 > 0.4 and tick > 3, count(bodies.position.y < 1), abs(player.bodies.linear_velocity.z) + tick, outcome == running' \
      --output "${folder}/watches.csv" &&
    "${reprise}" run marble --ticks 6000 --random-inputs 1 --record "${folder}/long.mcap" &&
    "${reprise}" view "${folder}/long.mcap" --no-fields --no-layers --output "${folder}/long.html" &&
    LONG_PAGE="${folder}/long.html" WATCHES="${folder}/watches.csv" STATE="${folder}/state.json" INPUTS="${folder}/inputs.jsonl" \
      PAGE_OF_TWO="${folder}/two.html" node "${here}/view_check.mjs" \
      "${folder}/marble.html" "${folder}/marble.jsonl" player
}
export REPRISE_PACKS="${root}/sim/packs"
for pack in marble nursery terrain quarry; do
  check "Khronos' validator takes the glTF of ${pack}" \
    eval "show ${pack} && node '${here}/gltf_check.mjs' '${folder}/${pack}.glb'"
done
# Objects come and go in nursery, and quarry has surfaces.
look_at_frames() {
  "${reprise}" export "${folder}/$1.mcap" --format mcap --fields "$2" \
    --layers contacts,joints,triggers,regions,velocities \
    --output "${folder}/$1.frames.mcap" &&
    node "${here}/foxglove_check.mjs" "${folder}/$1.frames.mcap" \
      "${folder}/$1.jsonl"
}
for pack in nursery quarry; do
  check "MCAP's reader takes the frames of ${pack}, by Foxglove's schemas" \
    look_at_frames "${pack}" "count(bodies.position.y < 0), bodies.position.y"
done
check "a browser shows the poses and layers of marble, plays, picks, plots, watches, follows a link" \
  look_at_marble

# SIGTERM drains: the server ends by itself, and says that nothing went wrong.
kill -TERM "${server}"
check "the server ends when it is told to" wait "${server}"
server=

exit "${failed}"
