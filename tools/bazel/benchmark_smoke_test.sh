#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Runs a benchmark small. Passes if it exits with 0, measured something, and
# reported no error (Google Benchmark reports one and exits with 0).
#
# usage: benchmark_smoke_test.sh BENCHMARK [ARGUMENT...]
set -euo pipefail

output="$("$@" 2>&1)" || {
  status=$?
  echo "${output}"
  echo "$1 ended with exit code ${status}."
  exit 1
}
echo "${output}"
if grep -q 'ERROR OCCURRED' <<<"${output}"; then
  echo "$1 reported an error."
  exit 1
fi
if ! grep -qE '^[^ ]+ +[0-9.e+]+ (ns|us|ms|s) ' <<<"${output}"; then
  echo "$1 measured nothing."
  exit 1
fi
