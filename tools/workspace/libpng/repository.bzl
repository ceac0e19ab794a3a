# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""libpng, for the pictures of `reprise render`: the format that everything opens."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def libpng_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/libpng:package.BUILD.bazel"),
        headers = ["png.h"],
        modules = ["libpng"],
        package = "libpng-dev",
    )
