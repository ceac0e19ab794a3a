# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""nlohmann_json, because the command prints what it finds as JSON."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def nlohmann_json_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/nlohmann_json:package.BUILD.bazel"),
        headers = ["nlohmann/json.hpp"],
        modules = ["nlohmann_json"],
        package = "nlohmann-json3-dev",
    )
