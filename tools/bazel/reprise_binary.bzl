# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""The `reprise` command with the simulations of one's choice."""

load("@absl//:flags.bzl", ABSL_ARCHIVES = "ARCHIVES")
load("@grpc//:flags.bzl", GRPC_ARCHIVES = "ARCHIVES")
load("@protobuf//:flags.bzl", PROTOBUF_ARCHIVES = "ARCHIVES")
load(":cc.bzl", "reprise_cc_binary")

# What serving needs is fifty shared libraries, and to load them takes longer
# than a short command does. The ones behind them in the line are then needed by
# nothing, and left out.
_ARCHIVES = (
    ["-Wl,--start-group"] +
    GRPC_ARCHIVES + PROTOBUF_ARCHIVES + ABSL_ARCHIVES +
    ["-Wl,--end-group"]
)

def reprise_binary(name, simulations = [], behaviours = [], deps = [], linkopts = [], **kwargs):
    """A `reprise` command that knows more than the built-in world.

    It records, verifies, compares, serves and exports what they run.

    Args:
      name: the binary.
      simulations: libraries that register a simulation by name with
        REPRISE_REGISTER_SIMULATION. They are linked with `alwayslink = True`,
        since nothing calls them by symbol.
      behaviours: libraries that register behaviours and components for packs
        with REPRISE_REGISTER_BEHAVIOUR and REPRISE_REGISTER_COMPONENT; linked
        with `alwayslink = True`, too.
      deps: other libraries.
      linkopts: for the cc_binary.
      **kwargs: for the cc_binary.
    """
    reprise_cc_binary(
        name = name,
        deps = deps + simulations + behaviours + [Label("//tools/reprise:main")],
        # Most verbs call few functions of the libraries that are left.
        linkopts = linkopts + ["-Wl,-z,lazy"] + select({
            # Which races are theirs is told by the files of the libraries.
            str(Label("//tools/bazel:tsan")): [],
            "//conditions:default": _ARCHIVES,
        }),
        **kwargs
    )
