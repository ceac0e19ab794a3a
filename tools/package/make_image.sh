#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Makes a container image with the command, of Debian's packages and ours: an OCI
# archive, which podman, Docker and Kubernetes load. Needs root.
#
# usage: make_image.sh FOLDER     where package.sh has put the packages; the
#                                 image comes beside them
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
packages="$(realpath "$1")"
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.."
source tools/stage.sh
if [[ "$(id -u)" != 0 ]]; then
  echo "$0: needs root, for debootstrap and chroot" >&2
  exit 3
fi
package="$(echo "${packages}"/reprise_*.deb)"
version="$(dpkg-deb --field "${package}" Version)"
SOURCE_DATE_EPOCH="$(dpkg-deb --fsys-tarfile "${package}" |
  tar --list --verbose --utc --full-time --file=- ./usr/bin/reprise |
  awk '{ print $4 " " $5 " UTC" }' | date --file=- +%s)"
export SOURCE_DATE_EPOCH
folder="$(mktemp -d)"
trap 'rm -rf "${folder}"' EXIT

# A Debian with what the command needs and nothing else, as one layer.
layer() {
  mmdebstrap --variant=apt \
    --customize-hook="upload ${package} /reprise.deb" \
    --customize-hook='chroot "$1" apt-get install --yes --no-install-recommends /reprise.deb' \
    --customize-hook='rm "$1/reprise.deb"' \
    --customize-hook='chroot "$1" useradd --system --home-dir /data reprise' \
    --customize-hook='install -d "$1/data" && chroot "$1" chown reprise /data' \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    bookworm "${folder}/layer.tar" "$(tools/package/mirror.sh)"
}

image() {
  local image="${folder}/image"
  umoci init --layout "${image}" &&
    umoci new --image "${image}:${version}" &&
    umoci raw add-layer --image "${image}:${version}" "${folder}/layer.tar" &&
    umoci config --image "${image}:${version}" --author="The Reprise Authors" \
      --created="$(date --utc --date="@${SOURCE_DATE_EPOCH}" +%Y-%m-%dT%H:%M:%SZ)" \
      --config.user=reprise --config.workingdir=/data \
      --config.entrypoint=/usr/bin/reprise --config.cmd=--help \
      --config.volume=/data --config.exposedports=7171/tcp &&
    umoci gc --layout "${image}" &&
    tar --create --file="${packages}/reprise_${version}.oci.tar" --sort=name \
      --mtime="@${SOURCE_DATE_EPOCH}" --owner=0 --group=0 --numeric-owner \
      --directory="${image}" .
}

stage layer layer
stage image image
ls -l "${packages}"/*.oci.tar
