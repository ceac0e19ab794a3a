# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""rules_cc, which Bazel itself loads.

Debian's version is too new for Debian's Bazel. This one re-exports the rules
that are native to Bazel, which is all that anybody here asks of it.
"""

load("//tools/workspace:local.bzl", "inline_repository")

def rules_cc_repository(name):
    inline_repository(
        name = name,
        files = {
            Label("//tools/workspace/rules_cc:cc/defs.bzl"): "cc/defs.bzl",
            Label("//tools/workspace/rules_cc:cc/package.BUILD.bazel"): "cc/BUILD.bazel",
        },
    )
