#!/bin/bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

# Proves that the command starts without the fifty shared libraries of gRPC:
# to load them takes longer than a short command does.
#
# Usage: loaded_libraries_test.sh PROGRAM

set -euo pipefail

needed="$(readelf --dynamic --wide "$1" | grep NEEDED)"
if ! grep -q 'libc\.so' <<<"${needed}"; then
  echo "FAIL: readelf names no libraries of $1" >&2
  exit 1
fi
if grep -E 'lib(absl_|grpc|gpr|upb|protobuf|re2|cares)' <<<"${needed}"; then
  echo "FAIL: these are loaded at each start" >&2
  exit 1
fi
