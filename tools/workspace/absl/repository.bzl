# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Abseil: Status, flags, strings, time and containers, as gRPC uses them too."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def absl_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/absl:package.BUILD.bazel"),
        headers = ["absl/status/statusor.h"],
        modules = [
            "absl_" + module
            for module in [
                "algorithm_container",
                "any_invocable",
                "base",
                "btree",
                "cleanup",
                "cord",
                "failure_signal_handler",
                "fixed_array",
                "flags",
                "flags_parse",
                "flags_reflection",
                "flags_usage",
                "flat_hash_map",
                "flat_hash_set",
                "function_ref",
                "inlined_vector",
                "int128",
                "memory",
                "span",
                "stacktrace",
                "status",
                "statusor",
                "str_format",
                "strings",
                "symbolize",
                "synchronization",
                "time",
            ]
        ],
        package = "libabsl-dev",
    )
