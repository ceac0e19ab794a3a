# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Protobuf, the encoding of everything spoken outside the process."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def protobuf_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/protobuf:package.BUILD.bazel"),
        headers = ["google/protobuf/message.h"],
        modules = ["protobuf"],
        package = "libprotobuf-dev",
        programs = {"protoc": "protobuf-compiler"},
    )
