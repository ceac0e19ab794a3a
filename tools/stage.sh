#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Stages of `tools/dev` and of the scripts that it hands over to: each is a line
# of output and a log. Sourced, from the root of the repository.

readonly LOGS="${XDG_CACHE_HOME:-${HOME}/.cache}/reprise/logs"
mkdir -p "${LOGS}"

# What the stages of `tools/dev test` may take, in seconds, on two cores with
# nothing in any cache: 41 minutes in all. More is said, and fails nothing, as
# machines differ.
readonly -A BUDGETS=(
  [setup]=60 [tests]=960 [interop]=30 [doom]=60 [matrix]=420 [sanitize]=310
  ["fuzz build"]=270 [fuzz]=780 ["fuzz turn"]=330 [all]=2440
)

# Prints what a stage that started at second $2 took, and whether that is more
# than its budget.
took() {
  local seconds="$((SECONDS - $2))" budget="${BUDGETS["$1"]:-}"
  if [[ -n "${budget}" ]] && ((seconds > budget)); then
    echo "${seconds} s, over its budget of ${budget} s"
  else
    echo "${seconds} s"
  fi
}

# Runs a command as one line of output, `NAME ... ok (SECONDS s)`, its own
# output in a log. If it fails, shows the end of the log.
stage() {
  local name="$1" start="${SECONDS}" status=0
  local log="${LOGS}/${name// /-}.log"
  shift
  [[ -t 1 ]] && printf '%-12s ... (tail -f %s)' "${name}" "${log}"
  "$@" >"${log}" 2>&1 || status=$?
  [[ -t 1 ]] && printf '\r\e[K'
  if ((status == 0)); then
    printf '%-12s ok (%s)\n' "${name}" "$(took "${name}" "${start}")"
    return 0
  fi
  printf '%-12s FAILED (%s)\n' "${name}" "$(took "${name}" "${start}")"
  sed 's/^/  | /' <(tail -n 60 "${log}")
  echo "  all of it: ${log}"
  return "${status}"
}

# Prints the targets of a kind that have a tag.
list_tagged() {
  bazel query "attr(tags, '\\b$2\\b', kind($1, //...))" 2>/dev/null
}

# Prints the files of a target, by their whole paths. Arguments: flags of Bazel,
# the target.
list_files() {
  local root
  root="$(bazel info execution_root 2>/dev/null)"
  bazel cquery "$@" --output=starlark --starlark:expr \
    "'\n'.join(['${root}/' + f.path for f in target.files.to_list()])" \
    2>/dev/null
}
