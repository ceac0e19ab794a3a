# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Lua, the language of scripts, below sim/script.

Built from source: Debian's library seeds its hashes with time and addresses,
goes through tables by them, uses libm and the locale, and has no budgets.
"""

load("//tools/workspace:debian_source.bzl", "debian_source_repository")

def lua_repository(name):
    debian_source_repository(
        name = name,
        build_file = Label("//tools/workspace/lua:package.BUILD.bazel"),
        package = "lua5.4",
        # In this order: each is made on top of those before.
        patches = [
            Label("//tools/workspace/lua:known_bugs.patch"),
            Label("//tools/workspace/lua:deterministic_numbers.patch"),
            Label("//tools/workspace/lua:no_finalizers.patch"),
            Label("//tools/workspace/lua:ordered_tables.patch"),
            Label("//tools/workspace/lua:no_addresses.patch"),
            Label("//tools/workspace/lua:budgets.patch"),
            Label("//tools/workspace/lua:frozen_state.patch"),
            Label("//tools/workspace/lua:vectors.patch"),
            Label("//tools/workspace/lua:probes.patch"),
        ],
        sha256 = "164c7849653b80ae67bec4b7473b884b" +
                 "f5cc8d2dca05653475ec2ed27b9ebf61",
        strip_prefix = "lua-5.4.4",
        tarball = "lua5.4_5.4.4.orig.tar.gz",
        upstream_version = "5.4.4",
    )
