#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Builds docs/examples/bazel in a folder outside of the checkout, which is its
# @reprise, and runs what comes of it, as docs/installing.md tells.
#
# usage: try_bazel.sh [--short]
#        --short    what is in C alone: the rest builds all of the game anew
set -euo pipefail

is_short=""
case "$*" in
  "") ;;
  --short) is_short=1 ;;
  *) echo "usage: $0 [--short]" >&2 && exit 2 ;;
esac
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.."
source tools/stage.sh
checkout="${PWD}"
reprise="${checkout}/bazel-bin/tools/reprise/reprise"
folder="$(mktemp -d)"

leave() {
  if [[ -d "${folder}/output" ]]; then
    (cd "${folder}/games" && bazel --output_base="${folder}/output" shutdown) \
      >/dev/null 2>&1 || true
  fi
  chmod -R u+w "${folder}"
  rm -rf "${folder}"
}
trap leave EXIT

# As a person has it: two folders side by side.
lay_out() {
  local examples="${checkout}/docs/examples"
  ln -s "${checkout}" "${folder}/reprise" &&
    mkdir -p "${folder}/games/packs" &&
    cd "${folder}/games" &&
    cp "${examples}/bazel/WORKSPACE.example" WORKSPACE &&
    cp "${examples}/bazel/BUILD.example" BUILD.bazel &&
    cp "${examples}/hover/hover.cc" "${examples}/plugin/catch.c" \
      "${examples}/recording/volley.c" . &&
    cp -r "${examples}/hover/pack" packs/hover &&
    cp -r "${examples}/plugin/orchard" packs/orchard
}

build() {
  cd "${folder}/games" &&
    bazel --output_base="${folder}/output" build --compilation_mode=opt \
      --dynamic_mode=off --disk_cache="${LOGS%/logs}/bazel-disk" "$@"
}

in_c() {
  build :catch.so :volley &&
    "${reprise}" --plugin bazel-bin/catch.so run packs/orchard \
      --random-inputs 1 --ticks 60 --record catch.mcap &&
    "${reprise}" --plugin bazel-bin/catch.so verify catch.mcap &&
    bazel-bin/volley volley.mcap && "${reprise}" info volley.mcap
}

in_cxx() {
  build :reprise_with_hover &&
    bazel-bin/reprise_with_hover run packs/hover --ticks 60 \
      --record hover.mcap &&
    bazel-bin/reprise_with_hover verify hover.mcap
}

lay_out
stage "outside in C" in_c
if [[ -z "${is_short}" ]]; then stage "outside in C++" in_cxx; fi
