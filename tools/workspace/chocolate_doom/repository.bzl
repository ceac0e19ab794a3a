# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Chocolate Doom, the engine of //adapters/doom, and nothing else's.

Built from source: Debian's is a program with a window. It is under the GPL,
version 2 or later; nothing of ours links it, and it is only fetched when
//adapters/doom is built.
"""

load("//tools/workspace:debian_source.bzl", "debian_source_repository")

def _chocolate_doom_source_repository(name, patches):
    debian_source_repository(
        name = name,
        build_file = Label("//tools/workspace/chocolate_doom:package.BUILD.bazel"),
        package = "chocolate-doom",
        patches = [Label("//tools/workspace/chocolate_doom:without_sdl.patch")] +
                  patches,
        sha256 = "dcc267e6321c6a61e8619df7a99a039f" +
                 "41db36bf700957bb33cb28721adf2f7f",
        strip_prefix = "chocolate-doom-3.0.1+really3.0.0+git1471",
        tarball = "chocolate-doom_3.0.1+really3.0.0+git1471.orig.tar.gz",
        upstream_version = "3.0.1+really3.0.0+git1471",
    )

def chocolate_doom_repository(name):
    _chocolate_doom_source_repository(
        name = name,
        patches = [Label("//tools/workspace/chocolate_doom:exact_state.patch")],
    )

def stock_chocolate_doom_repository(name):
    """As it comes: what //adapters/doom:stock_doom is compared with."""
    _chocolate_doom_source_repository(name = name, patches = [])
