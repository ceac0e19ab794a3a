#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Prints where this machine gets Debian's packages from.
set -euo pipefail

apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
  grep --invert-match security | head --lines=1
