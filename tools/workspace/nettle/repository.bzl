# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Nettle: SHA-256, which packs, replays and cached results are known by.

OpenSSL, which gRPC brings along, reads a configuration file before it hashes;
Nettle is a function of its arguments.
"""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def nettle_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/nettle:package.BUILD.bazel"),
        headers = ["nettle/sha2.h"],
        modules = ["nettle"],
        package = "nettle-dev",
    )
