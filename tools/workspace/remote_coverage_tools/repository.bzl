# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""remote_coverage_tools, which Bazel asks for as soon as there is a test.

Coverage isn't collected here, so an empty one does.
"""

load("//tools/workspace:local.bzl", "inline_repository")

def remote_coverage_tools_repository(name):
    inline_repository(
        name = name,
        files = {
            Label("//tools/workspace/remote_coverage_tools:package.BUILD.bazel"): "BUILD.bazel",
        },
    )
