# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""xxHash: XXH3 is the hash below every digest of a state."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def xxhash_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/xxhash:package.BUILD.bazel"),
        headers = ["xxhash.h"],
        modules = ["libxxhash"],
        package = "libxxhash-dev",
    )
