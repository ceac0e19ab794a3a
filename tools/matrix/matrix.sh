#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# The determinism matrix; `tools/dev matrix` calls it. See README.md.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/matrix.py" "$@"
