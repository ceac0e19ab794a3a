# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""GoogleTest, below every unit test."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def gtest_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/gtest:package.BUILD.bazel"),
        headers = ["gmock/gmock.h", "gtest/gtest.h"],
        modules = ["gmock", "gtest"],
        package = "libgmock-dev",
    )
