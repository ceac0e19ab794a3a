# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For the tests of this folder, which source it: each claim is one call, and
# `failures` counts those that don't hold.
failures=0

# Compares, and names the claim that doesn't hold. Arguments: the claim, the
# pattern expected, the actual text.
expect() {
  local claim="$1" expected="$2" actual="$3"
  # shellcheck disable=SC2254  # the expectation is a pattern
  case "${actual}" in
    ${expected}) echo "ok: ${claim}" ;;
    *)
      echo "FAILED: ${claim}: expected ${expected}, got: ${actual}"
      failures=$((failures + 1))
      ;;
  esac
}
