# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""SQLite, the catalogue of a store of replays."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def sqlite_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/sqlite:package.BUILD.bazel"),
        headers = ["sqlite3.h"],
        modules = ["sqlite3"],
        package = "libsqlite3-dev",
    )
