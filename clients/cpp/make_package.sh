#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Puts the C++ client into a folder, and the code that Debian's protoc and
# grpc_cpp_plugin make of the messages. That is never kept in the tree, so it
# can't be older than the messages.
#
# usage: clients/cpp/make_package.sh FOLDER
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
here="$(dirname "$(realpath "${BASH_SOURCE[0]}")")"
proto="$(realpath "${here}/../../proto")"
plugin="$(command -v grpc_cpp_plugin)" || {
  echo "$0: install Debian's protobuf-compiler-grpc first" >&2
  exit 3
}
mkdir -p "$1"
folder="$(realpath "$1")"

cp "${here}"/*.{h,cc} "${folder}/"
cd "${proto}"
protoc --proto_path=. --cpp_out="${folder}" reprise/v1/*.proto \
  google/rpc/*.proto
protoc --proto_path=. --plugin="protoc-gen-grpc=${plugin}" \
  --grpc_out="${folder}" reprise/v1/*_service.proto
