# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""The `reprise` command with the simulations of one's choice."""

load(":cc.bzl", "reprise_cc_binary")

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
        # Most verbs call few of the functions of the libraries that serving
        # needs; to find them all at once takes half of a short command.
        linkopts = linkopts + ["-Wl,-z,lazy"],
        **kwargs
    )
