#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# A search of a pack for what it may not do, every night, on a corpus that
# several machines add to: takes in what they found, leaves the fewest runs,
# searches, makes short what fails, and says what known.txt doesn't know.
#
#   nightly.sh PACK CORPUS [CORPUS_OF_ANOTHER_MACHINE...]
#
# $TICKS is how long it searches, 20M if unset; $MINIMIZE_TICKS bounds what each
# failure takes to make short, 2M if unset. It may be killed at any moment, and
# called again. Exits with 1 where there are failures that known.txt doesn't
# name, with 2 to 5 where it couldn't do its work.
set -euo pipefail

if (($# < 2)); then
  sed -n 's/^#   //p' "$0" >&2
  exit 2
fi
readonly pack="$1" corpus="$2"
shift 2

# Copies files that aren't there yet, each whole or not at all.
take() {
  local file name
  mkdir -p "$2"
  for file in "$1"/*; do
    name="${file##*/}"
    [[ -f "${file}" && "${name}" != *.partial && ! -e "$2/${name}" ]] || continue
    cp "${file}" "$2/${name}.partial"
    mv "$2/${name}.partial" "$2/${name}"
  done
}

for other in "$@"; do
  for part in runs failures; do
    take "${other}/${part}" "${corpus}/${part}"
  done
done

# A search draws other inputs than those before it, so the seed may stay.
status=0
reprise fuzz "${pack}" --corpus "${corpus}" --merge --ticks "${TICKS:-20M}" \
  --junit "${corpus}/fuzz.xml" --markdown "${corpus}/fuzz.md" || status=$?
((status <= 1)) || exit "${status}"

is_known() {
  [[ -f "${corpus}/known.txt" ]] &&
    sed 's/#.*//; s/[[:space:]]*$//' "${corpus}/known.txt" | grep -Fxq -- "$1"
}

# What was made short is kept beside the failure, and made anew where that
# became a shorter one.
mkdir -p "${corpus}/small"
for failure in "${corpus}"/failures/*.mcap "${corpus}"/failures/*.txtpb; do
  [[ -f "${failure}" ]] || continue
  small="${corpus}/small/${failure##*/}"
  signature="$(sed -n 1p "${failure%.*}.txt" 2>/dev/null)" || signature="${failure##*/}"
  if is_known "${signature}"; then
    echo "known     ${signature}"
    continue
  fi
  if [[ "${small}" -ot "${failure}" ]]; then
    if ! reprise minimize "${failure}" --pack "${pack}" --output "${small}" \
      --ticks "${MINIMIZE_TICKS:-2M}" >"${small%.*}.txt"; then
      # It was mended since, or takes flags: --goal, --with, --always.
      echo "left      ${signature}: ${failure}"
      continue
    fi
  fi
  echo "news      ${signature}: ${small}"
done
exit "${status}"
