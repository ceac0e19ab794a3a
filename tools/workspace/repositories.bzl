# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""All external repositories. Each says in its own folder why it is here."""

load("//tools/workspace:local.bzl", "debian_bazel_repository")
load("//tools/workspace/absl:repository.bzl", "absl_repository")
load("//tools/workspace/benchmark:repository.bzl", "benchmark_repository")
load(
    "//tools/workspace/bullet:repository.bzl",
    "bullet_repository",
    "stock_bullet_repository",
)
load(
    "//tools/workspace/chocolate_doom:repository.bzl",
    "chocolate_doom_repository",
    "stock_chocolate_doom_repository",
)
load("//tools/workspace/fmt:repository.bzl", "fmt_repository")
load("//tools/workspace/grpc:repository.bzl", "grpc_repository")
load("//tools/workspace/gtest:repository.bzl", "gtest_repository")
load("//tools/workspace/libpng:repository.bzl", "libpng_repository")
load("//tools/workspace/lua:repository.bzl", "lua_repository")
load("//tools/workspace/nettle:repository.bzl", "nettle_repository")
load(
    "//tools/workspace/nlohmann_json:repository.bzl",
    "nlohmann_json_repository",
)
load("//tools/workspace/protobuf:repository.bzl", "protobuf_repository")
load("//tools/workspace/recast:repository.bzl", "recast_repository")
load(
    "//tools/workspace/remote_coverage_tools:repository.bzl",
    "remote_coverage_tools_repository",
)
load("//tools/workspace/rules_cc:repository.bzl", "rules_cc_repository")
load("//tools/workspace/sleef:repository.bzl", "sleef_repository")
load("//tools/workspace/sqlite:repository.bzl", "sqlite_repository")
load("//tools/workspace/xxhash:repository.bzl", "xxhash_repository")
load("//tools/workspace/zlib:repository.bzl", "zlib_repository")
load("//tools/workspace/zstd:repository.bzl", "zstd_repository")

def reprise_repositories():
    """Declares every external repository of the project."""

    # What Bazel asks for by itself.
    rules_cc_repository(name = "rules_cc")
    remote_coverage_tools_repository(name = "remote_coverage_tools")
    debian_bazel_repository(
        name = "bazel_skylib",
        package = "bazel-skylib",
        path = "/usr/share/bazel/tools/skylib",
    )
    debian_bazel_repository(
        name = "platforms",
        package = "bazel-platforms",
        path = "/usr/share/bazel/tools/platforms",
    )
    debian_bazel_repository(
        name = "rules_java",
        package = "bazel-rules-java",
        path = "/usr/share/bazel/rules/java",
    )
    debian_bazel_repository(
        name = "rules_proto",
        package = "bazel-rules-proto",
        path = "/usr/share/bazel/rules/proto",
    )

    # What the project is built on.
    absl_repository(name = "absl")
    benchmark_repository(name = "benchmark")
    bullet_repository(name = "bullet")
    chocolate_doom_repository(name = "chocolate_doom")
    fmt_repository(name = "fmt")
    grpc_repository(name = "grpc")
    gtest_repository(name = "gtest")
    libpng_repository(name = "libpng")
    lua_repository(name = "lua")
    nettle_repository(name = "nettle")
    nlohmann_json_repository(name = "nlohmann_json")
    protobuf_repository(name = "protobuf")
    recast_repository(name = "recast")
    sleef_repository(name = "sleef")
    sqlite_repository(name = "sqlite")
    stock_bullet_repository(name = "stock_bullet")
    stock_chocolate_doom_repository(name = "stock_chocolate_doom")
    xxhash_repository(name = "xxhash")
    zlib_repository(name = "zlib")
    zstd_repository(name = "zstd")
