# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""SLEEF: elementary functions with the same bits on every CPU and architecture."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def sleef_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/sleef:package.BUILD.bazel"),
        headers = ["sleef.h"],
        modules = ["sleef"],
        package = "libsleef-dev",
    )
