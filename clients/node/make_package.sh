#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Makes the Node package in a folder: our modules, and the messages, which are
# loaded as they are. They are never kept here twice, so a package can't be older
# than the messages. `npm install FOLDER` takes it from there.
#
# usage: clients/node/make_package.sh FOLDER
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
here="$(dirname "$(realpath "${BASH_SOURCE[0]}")")"
proto="$(realpath "${here}/../../proto")"
mkdir -p "$1/proto"
folder="$(realpath "$1")"

cp "${here}"/package.json "${here}"/*.mjs "${folder}/"
cd "${proto}"
cp --parents reprise/v1/*.proto google/rpc/*.proto "${folder}/proto/"
