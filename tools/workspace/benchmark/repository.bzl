# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Google Benchmark, below every figure that the project states."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def benchmark_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/benchmark:package.BUILD.bazel"),
        headers = ["benchmark/benchmark.h"],
        modules = ["benchmark"],
        package = "libbenchmark-dev",
    )
