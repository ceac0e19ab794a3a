# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""zlib, for the CRC-32 that MCAP asks for."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def zlib_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/zlib:package.BUILD.bazel"),
        headers = ["zlib.h"],
        modules = ["zlib"],
        package = "zlib1g-dev",
    )
