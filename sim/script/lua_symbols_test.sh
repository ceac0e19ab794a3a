#!/bin/bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

# Proves that Lua as it is built asks the C library for nothing that differs
# between two runs or two machines: no clock, no locale, no process, no random
# numbers. Reads the undefined symbols of its archive.
#
# Usage: lua_symbols_test.sh CANARY_ARCHIVE LUA_ARCHIVE
#
# The canary calls `time` and has to be caught, or nothing here can be believed.

set -euo pipefail

readonly BANNED='^(time|clock|clock_gettime|gettimeofday|date|localtime|gmtime|'\
'strftime|setlocale|localeconv|strcoll|strxfrm|strtod|strtof|strtold|atof|'\
'isalnum|isalpha|iscntrl|isgraph|islower|ispunct|isupper|tolower|toupper|'\
'__ctype_b_loc|__ctype_tolower_loc|__ctype_toupper_loc|rand|srand|random|'\
'getenv|system|popen|tmpfile|tmpnam|mkstemp|remove|rename|exit|signal|dlopen|'\
'dlsym)$'

fail() {
  echo "lua_symbols_test: $*" >&2
  exit 1
}

# The banned symbols that an archive asks for, in one line.
banned_symbols() {
  nm --undefined-only "$1" | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' |
    sort --unique | { grep --extended-regexp "${BANNED}" || true; } |
    paste --serial --delimiters=' '
}

[[ $# == 2 ]] || fail "a canary and Lua's archive are needed"
[[ "$(banned_symbols "$1")" == time ]] ||
  fail "the canary calls time, and that was not found"
[[ "$(nm --undefined-only "$2")" == *luai_formatfloat* ]] ||
  fail "$2 is not Lua's archive"
found="$(banned_symbols "$2")"
[[ -z "${found}" ]] || fail "Lua uses ${found}"
echo "Lua asks for nothing that differs."
