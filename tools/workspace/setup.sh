#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing of packages.txt, and tells Bazel about this machine
# in .setup.bazelrc. Does nothing, in a fraction of a second, where all is there.
#
# usage: setup.sh GROUP...      (build, check, matrix)
# Whoever builds gets the group bake, too.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
readonly PACKAGES_FILE="tools/workspace/packages.txt"
readonly INTEROP="tests/interop"

fail() {
  echo "setup: $*" >&2
  exit 3
}

# Prints the packages of the groups named.
list_packages() {
  local group
  for group in "$@"; do
    awk -v group="${group}" '$1 == group { print $2 }' "${PACKAGES_FILE}"
  done
}

# Prints a line `package version` for each package that is installed.
list_installed() {
  dpkg-query --show \
    --showformat='${db:Status-Status} ${Package} ${Package}:${Architecture} ${Version}\n' \
    "$@" 2>/dev/null |
    awk '$1 == "installed" { print $2, $4; print $3, $4 }' || true
}

# Prints the packages that are not installed.
list_missing() {
  local package version
  local -A installed=()
  while read -r package version; do
    installed["${package}"]="${version}"
  done < <(list_installed "$@")
  for package in "$@"; do
    case "${package}" in
      # Any node will do, and not every distributor's package is called so.
      nodejs) command -v node >/dev/null && continue ;;
      npm) command -v npm >/dev/null && continue ;;
    esac
    [[ -n "${installed["${package}"]:-}" ]] || echo "${package}"
  done
}

as_root() {
  if [[ "$(id -u)" == 0 ]]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

install_packages() {
  command -v apt-get >/dev/null ||
    fail "apt-get is not here. Reprise is built on Debian 12; needed are: $*"
  if [[ "$(id -u)" != 0 ]] && ! command -v sudo >/dev/null; then
    fail "packages are missing, and installing them needs root. Run, as root:" \
      "apt-get install --no-install-recommends $*"
  fi
  echo "installing $*"
  case "$*" in
    *:arm64*)
      dpkg --print-foreign-architectures | grep -qx arm64 ||
        as_root dpkg --add-architecture arm64
      ;;
  esac
  as_root apt-get -q update ||
    fail "the lists of packages could not be updated: see the lines above," \
      "check the network and the entries in /etc/apt."
  as_root apt-get -q install --yes --no-install-recommends "$@" ||
    fail "apt-get could not install $*: see the lines above. The names are" \
      "those of Debian 12; this system is" \
      "$(sed -n 's/^PRETTY_NAME=//p' /etc/os-release)."
}

# The programs that our formats and services are tested against, by lock file.
install_node_modules() {
  local stamp="${INTEROP}/node_modules/.setup-stamp" lock
  lock="$(sha256sum <"${INTEROP}/package-lock.json")"
  [[ -f "${stamp}" && "$(<"${stamp}")" == "${lock}" ]] && return
  echo "installing the packages of ${INTEROP}/package-lock.json"
  (cd "${INTEROP}" && npm ci --no-audit --no-fund --ignore-scripts) ||
    fail "npm could not install the packages of ${INTEROP}: see the lines" \
      "above, check the network and npm's configuration."
  echo "${lock}" >"${stamp}"
}

# Prints a digest of the versions of the packages that are installed, those of
# other architectures aside: they are no input of what is built for this one.
digest_versions() {
  local native
  native="$(dpkg --print-architecture)"
  # It fails when a package was never installed, as clang where only the build
  # is set up.
  { dpkg-query --show \
    --showformat='${db:Status-Status} ${Architecture} ${Package} ${Version}\n' \
    "$@" 2>/dev/null || true; } |
    awk -v native="${native}" \
      '$1 == "installed" && ($2 == native || $2 == "all") { print $3, $4 }' |
    sort -u | sha256sum | cut -c1-16
}

# A library or compiler that was upgraded is a changed input of every action;
# Bazel, which doesn't look into /usr, is told so by this digest.
write_bazelrc() {
  local cache="${XDG_CACHE_HOME:-${HOME}/.cache}/reprise" packages digest content
  local bake_digest=none
  mapfile -t packages < <(list_packages build)
  digest="$(digest_versions "${packages[@]}" g++-12 libc6-dev)"
  # Libraries that only bake are inputs of what bakes alone, by a definition of
  # their repositories (pkg_config.bzl): if they were in the digest, one that is
  # added or upgraded would have everything built anew.
  mapfile -t packages < <(list_packages bake)
  if ((${#packages[@]} > 0)); then
    bake_digest="$(digest_versions "${packages[@]}")"
  fi
  content="# Written by tools/dev setup.
build --disk_cache=${cache}/bazel-disk
build --action_env=REPRISE_PACKAGES=${digest}
build --host_action_env=REPRISE_PACKAGES=${digest}
build --repo_env=REPRISE_BAKE=${bake_digest}
build:clang --action_env=REPRISE_CLANG=$(digest_versions clang clang-14)"
  if [[ ! -f .setup.bazelrc || "$(<.setup.bazelrc)" != "${content}" ]]; then
    mkdir -p "${cache}"
    echo "${content}" >.setup.bazelrc
  fi
}

groups=("$@")
for group in "$@"; do
  if [[ "${group}" == build ]]; then groups+=(bake); fi
done
mapfile -t wanted < <(list_packages "${groups[@]}")
mapfile -t missing < <(list_missing "${wanted[@]}")
if ((${#missing[@]} > 0)); then
  install_packages "${missing[@]}"
fi
for group in "$@"; do
  if [[ "${group}" == check ]]; then install_node_modules; fi
done
write_bazelrc
