# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Bullet, the rigid body engine below sim/physics.

Built from source: Debian's library is single precision, uses libm, and keeps
counters that threads share. Benchmarks have it a second time, as it comes.
"""

load("//tools/workspace:debian_source.bzl", "debian_source_repository")

def _bullet_source_repository(name, build_file, patches):
    debian_source_repository(
        name = name,
        build_file = build_file,
        package = "bullet",
        patches = patches,
        sha256 = "43c1edae2024ba18bb5d7bfd3bb2394b" +
                 "066a79151a29789504a2d8efcdc333d7",
        strip_prefix = "bullet3-3.24",
        tarball = "bullet_3.24+dfsg.orig.tar.xz",
        upstream_version = "3.24+dfsg",
    )

def bullet_repository(name):
    _bullet_source_repository(
        name = name,
        build_file = Label("//tools/workspace/bullet:package.BUILD.bazel"),
        patches = [
            Label("//tools/workspace/bullet:deterministic_math.patch"),
            Label("//tools/workspace/bullet:no_shared_state.patch"),
        ],
    )

def stock_bullet_repository(name):
    """Bullet unpatched. Only //sim/physics/stock:libstock_world.so may link it."""
    _bullet_source_repository(
        name = name,
        build_file = Label("//tools/workspace/bullet:stock_package.BUILD.bazel"),
        patches = [],
    )
