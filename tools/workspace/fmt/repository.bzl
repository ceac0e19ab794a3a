# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""fmt, because every message, log line and text file of ours is formatted."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def fmt_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/fmt:package.BUILD.bazel"),
        headers = ["fmt/format.h"],
        modules = ["fmt"],
        package = "libfmt-dev",
    )
