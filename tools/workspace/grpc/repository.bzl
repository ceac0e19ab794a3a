# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""gRPC, the transport of services/."""

load("//tools/workspace:pkg_config.bzl", "pkg_config_repository")

def grpc_repository(name):
    pkg_config_repository(
        name = name,
        build_file = Label("//tools/workspace/grpc:package.BUILD.bazel"),
        headers = ["grpcpp/grpcpp.h"],
        # The reflection service, which pkg-config does not know.
        linkopts = ["-lgrpc++_reflection"],
        modules = ["grpc++"],
        package = "libgrpc++-dev",
        programs = {"grpc_cpp_plugin": "protobuf-compiler-grpc"},
        shared = ["crypto", "ssl", "z"],
    )
