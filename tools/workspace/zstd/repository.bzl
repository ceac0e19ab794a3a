# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""zstd, the compression of the chunks of a replay."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def zstd_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/zstd:package.BUILD.bazel"),
        headers = ["zstd.h"],
        modules = ["libzstd"],
        package = "libzstd-dev",
    )
