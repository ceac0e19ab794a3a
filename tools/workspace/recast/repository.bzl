# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Recast, because navigation meshes are made of levels by what everybody makes them by.

Only `reprise pack build --bake` includes it, which makes files of packs, and a
benchmark that compares our searches with Detour's.
"""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def recast_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/recast:package.BUILD.bazel"),
        headers = [
            "recastnavigation/DetourNavMesh.h",
            "recastnavigation/Recast.h",
        ],
        linkopts = [
            "-lRecast",
            "-lDetour",
        ],
        package = "librecast-dev",
        # Debian ships no module of it for pkg-config.
        modules = [],
        version_variable = "REPRISE_BAKE",
    )
