#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Installs the packages in a bare Debian 12, uses them there as a user would who
# has nothing else of Reprise, and removes them. Needs root.
#
# usage: try_packages.sh FOLDER     where package.sh has put them
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
packages="$(realpath "$1")"
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.."
source tools/stage.sh
# Only root makes a root to change into.
if [[ "$(id -u)" != 0 ]]; then
  echo "$0: needs root, for debootstrap and chroot" >&2
  exit 3
fi
# Where this machine gets its packages, the bare one does.
mirror="$(tools/package/mirror.sh)"
root="$(mktemp -d)"
chmod 755 "${root}"

leave() {
  umount -q "${root}/proc" || true
  rm -rf --one-file-system "${root}"
}
trap leave EXIT

inside() {
  chroot "${root}" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# As a user without rights.
as_user() {
  inside setpriv --reuid=1000 --regid=1000 --clear-groups \
    env HOME=/home/user bash -euc "cd /home/user; $1"
}

# Functions that are stages go on behind a failure unless each line says so.
bare() {
  debootstrap --variant=minbase bookworm "${root}" "${mirror}" &&
    mount -t proc proc "${root}/proc" &&
    cp /etc/resolv.conf "${root}/etc/resolv.conf" &&
    cp -r /etc/apt/apt.conf.d/. "${root}/etc/apt/apt.conf.d/" &&
    install -d -o 1000 -g 1000 "${root}/home/user" &&
    mkdir "${root}/packages" &&
    cp "${packages}"/*.deb "${root}/packages/" &&
    inside apt-get -q update
}

install_packages() {
  inside sh -c "apt-get -q install --yes --no-install-recommends $*"
}

command_alone() {
  install_packages '/packages/reprise_*.deb' && as_user '
    reprise pack list
    reprise run marble --random-inputs 1 --ticks 300 --record game.mcap || [ $? = 1 ]
    reprise verify game.mcap
    reprise view game.mcap --output game.html'
}

# What docs/installing.md tells.
programs() {
  install_packages '/packages/libreprise-dev_*.deb' cmake make g++ pkg-config && as_user '
    cp -r /usr/share/doc/libreprise-dev/examples games
    cd games
    cmake -S . -B build && cmake --build build
    build/reprise_with_hover run packs/hover --ticks 60 --record hover.mcap
    build/reprise_with_hover verify hover.mcap
    reprise run packs/orchard --plugin build/catch.so --random-inputs 1 --ticks 60 \
      --record catch.mcap || [ $? = 1 ]
    reprise verify catch.mcap --plugin build/catch.so
    build/volley volley.mcap && reprise info volley.mcap
    g++ hover.cc -o by_hand $(pkg-config --cflags --libs reprise)
    ./by_hand verify hover.mcap
    cc -shared -fPIC catch.c -o by_hand.so $(pkg-config --cflags reprise-plugin)
    reprise verify catch.mcap --plugin ./by_hand.so'
}

client() {
  install_packages '/packages/python3-reprise_*.deb' &&
    as_user 'python3 /usr/share/doc/python3-reprise/examples/marble.py'
}

removal() {
  inside apt-get -q purge --yes reprise libreprise-dev python3-reprise || return
  if inside find /usr /etc /var/lib/reprise -iname '*reprise*' \
    -not -path '/usr/share/doc/*' 2>/dev/null | grep .; then
    echo "left behind, above" >&2
    return 1
  fi
}

stage "bare root" bare
stage command command_alone
stage programs programs
stage client client
stage removal removal
