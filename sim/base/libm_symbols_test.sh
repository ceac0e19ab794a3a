#!/bin/bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

# Proves that compiled code asks the C library only for arithmetic that is exact
# by definition, because its other functions differ between versions, CPUs and
# architectures. Reads the undefined symbols of archives, objects and binaries.
#
# Usage: libm_symbols_test.sh --canary FILE... --subjects FILE...
#
# The canary calls `sin` and has to be caught, or nothing here can be believed.

set -euo pipefail

# Exact in IEEE-754: one right answer, so one answer everywhere. rint and its
# kin are left out: their answer depends on the rounding mode.
readonly EXACT=(
  ceil copysign fabs floor fmax fmin fmod frexp ldexp lround modf round scalbn
  sqrt trunc
  ceilf copysignf fabsf floorf fmaxf fminf fmodf sqrtf truncf
)

# Every function that libm has, one a line. The compiler knows where it lies.
libm_functions() {
  local libm
  libm="$("${CC:-cc}" -print-file-name=libm.so.6)"
  nm --dynamic --defined-only "${libm}" |
    awk '$2 ~ /^[TWi]$/ { sub(/@.*/, "", $3); print $3 }' | sort --unique
}

# The undefined symbols of the files given, one a line, without versions.
undefined_symbols() {
  local file
  for file in "$@"; do
    case "${file}" in
      *.so | *.so.*) nm --dynamic --undefined-only "${file}" ;;
      *) nm --undefined-only "${file}" ;;
    esac
  done | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' | sort --unique
}

# Those of libm's functions, exact ones apart, that the files given ask for.
inexact_symbols() {
  comm -12 <(libm_functions) <(undefined_symbols "$@") |
    grep --line-regexp --invert-match --fixed-strings \
      "$(printf '%s\n' "${EXACT[@]}")" || true
}

fail() {
  echo "libm_symbols_test: $*" >&2
  exit 1
}

main() {
  local canary=() subjects=() argument list=
  for argument in "$@"; do
    case "${argument}" in
      --canary | --subjects) list="${argument}" ;;
      *)
        [[ -r "${argument}" ]] || fail "cannot read ${argument}"
        if [[ "${list}" == --canary ]]; then
          canary+=("${argument}")
        else
          subjects+=("${argument}")
        fi
        ;;
    esac
  done
  [[ ${#canary[@]} -gt 0 && ${#subjects[@]} -gt 0 ]] ||
    fail "both a canary and subjects are needed"

  [[ "$(inexact_symbols "${canary[@]}")" == sin ]] ||
    fail "the canary calls sin, and that was not found"

  local file found failed=0
  for file in "${subjects[@]}"; do
    [[ -n "$(undefined_symbols "${file}")" ]] ||
      fail "${file} has no undefined symbol: was the right file given?"
    found="$(inexact_symbols "${file}" | paste --serial --delimiters=' ')"
    if [[ -n "${found}" ]]; then
      echo "${file} uses inexact functions of libm: ${found}" >&2
      failed=1
    fi
  done
  [[ "${failed}" == 0 ]] || fail "use sim/base/math.h instead"
  echo "${#subjects[@]} files use only exact functions of libm."
}

main "$@"
