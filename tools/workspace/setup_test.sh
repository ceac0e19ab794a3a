#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Proves that setup installs what is missing and only that, that it tells Bazel
# when a package changes, and that each failure says what to do: on a machine
# made of a few programs, whose packages are the lines of a file.
# shellcheck disable=SC2016  # programs of the machine, written in quotes
set -euo pipefail

# shellcheck source=tools/workspace/expect.sh
source "$2"

readonly SETUP="${PWD}/$1"
readonly ROOT="${TEST_TMPDIR:-$(mktemp -d)}/machine"
readonly BAZELRC="${ROOT}/project/.setup.bazelrc"

# Puts a program on the machine, with the body `$2`.
make_program() {
  printf '#!/bin/bash\n%s\n' "$2" >"${ROOT}/bin/$1"
  chmod +x "${ROOT}/bin/$1"
}

# A machine whose package client works, and installs version 1 of anything.
make_machine() {
  local program
  rm -rf "${ROOT}"
  mkdir -p "${ROOT}/bin" "${ROOT}/project/tools/workspace" \
    "${ROOT}/project/tests/interop"
  echo '{}' >"${ROOT}/project/tests/interop/package-lock.json"
  cp "${SETUP}" "${ROOT}/project/tools/workspace/setup.sh"
  for program in awk cat cut dirname env mkdir sed sha256sum sort; do
    ln -s "$(type -P "${program}")" "${ROOT}/bin/${program}"
  done
  printf 'build ball\nbuild marble\ncheck clang\n' \
    >"${ROOT}/project/tools/workspace/packages.txt"
  printf 'ball amd64 1\nmarble amd64 1\n' >"${ROOT}/installed"
  make_program id 'echo 0'
  make_program dpkg 'echo amd64'
  # Fails, as the real one does, where a name was never installed.
  make_program dpkg-query '
    fields='\''"installed", $2, $1, $3'\''
    case "$*" in
      *:\$*) fields='\''"installed", $1, $1 ":" $2, $3'\'' ;;
    esac
    status=0
    for name in "${@:3}"; do
      awk -v name="${name}" "\$1 == name { print ${fields}; found = 1 }
        END { exit !found }" '"${ROOT}"'/installed || status=1
    done
    exit "${status}"'
  make_program npm 'mkdir -p node_modules'
  make_program apt-get '
    case "$2" in
      install)
        shift 4
        for name; do echo "${name} amd64 1" >>'"${ROOT}"'/installed; done
        ;;
    esac'
}

# Sets the machine up for the groups named. Prints what it says, and its exit
# code if that isn't 0.
set_up() {
  PATH="${ROOT}/bin" HOME="${ROOT}/home" XDG_CACHE_HOME='' \
    /bin/bash "${ROOT}/project/tools/workspace/setup.sh" "$@" 2>&1 ||
    echo "exit $?"
}

make_machine
expect "nothing is installed where all is there" "" "$(set_up build)"
expect "a machine without a compiler of the checks can build" \
  "*action_env=REPRISE_PACKAGES=*build:clang *" "$(cat "${BAZELRC}")"
before="$(cat "${BAZELRC}")"
set_up build >/dev/null
expect "the same machine is told alike" "${before}" "$(cat "${BAZELRC}")"

echo 'marble arm64 2' >>"${ROOT}/installed"
set_up build >/dev/null
expect "another architecture's package is no input" "${before}" \
  "$(cat "${BAZELRC}")"

sed -i 's/^ball amd64 1/ball amd64 2/' "${ROOT}/installed"
set_up build >/dev/null
changed="no"
[[ "$(cat "${BAZELRC}")" == "${before}" ]] || changed="yes"
expect "an upgraded package is a changed input" yes "${changed}"

echo 'bake flour' >>"${ROOT}/project/tools/workspace/packages.txt"
before="$(grep REPRISE_PACKAGES "${BAZELRC}")"
expect "whoever builds can bake" "installing flour*" "$(set_up build)"
expect "what bakes is no input of the rest" "${before}" \
  "$(grep REPRISE_PACKAGES "${BAZELRC}")"
before="$(cat "${BAZELRC}")"
sed -i 's/^flour amd64 1/flour amd64 2/' "${ROOT}/installed"
set_up build >/dev/null
expect "but of what bakes" "different" \
  "$([[ "$(cat "${BAZELRC}")" == "${before}" ]] || echo different)"

expect "what a group lacks is installed" \
  "installing clang*installing the packages of*package-lock.json" \
  "$(set_up check)"
expect "and isn't the next time" "" "$(set_up check)"
echo '{"a": 1}' >"${ROOT}/project/tests/interop/package-lock.json"
make_program npm 'echo "npm ERR! network"; exit 1'
expect "npm's failure is said" "*npm ERR! network*npm could not install*exit 3" \
  "$(set_up check)"

make_machine
echo 'ball amd64 1' >"${ROOT}/installed"
make_program apt-get 'echo "E: no route"; [[ "$2" != update ]]'
expect "without a network it says so" \
  "*E: no route*lists of packages could not be updated*check the network*exit 3" \
  "$(set_up build)"
make_program apt-get '[[ "$2" != install ]]'
expect "a package that isn't to be had is named" \
  "*could not install marble:*names are those of Debian 12*exit 3" \
  "$(set_up build)"
make_program id 'echo 1000'
expect "who can't install is told the command" \
  "*Run, as root: apt-get install --no-install-recommends marble*exit 3" \
  "$(set_up build)"
rm "${ROOT}/bin/apt-get"
expect "another system is told what is needed" \
  "*built on Debian 12; needed are: marble*exit 3" "$(set_up build)"

((failures == 0))
